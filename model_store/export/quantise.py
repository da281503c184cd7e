"""int8 weights and activations, calibrated: 8-bit products with scales that are fixed at export.

ONNX Runtime's dynamic quantisation takes one activation scale from the whole batch, so that a sentence's translation
would depend on the others. Scales from calibration (Jacob et al. 2018, arXiv:1712.05877) keep rows independent, and
save the pass over the activations that finding the range costs. Weights have one scale per output column.

Queries, keys and values of attention to the KV cache are rounded to half precision as well, an eighth or less of what
an 8-bit product has rounded before. A runtime may then keep the KV cache with 16 bits a number and lose nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import NodeProto, helper, numpy_helper

from model_store.export.operators import CONTRIB
from model_store.export.products import (
    EmbeddingNode,
    ProductNode,
    consumers,
    find_embeddings,
    find_products,
    initialisers,
    names_taken,
)

PAST_ATTENTION = "GroupQueryAttention"
"""ONNX Runtime's attention with a KV cache, to which it appends; its first input is queries, keys and values in one."""
PRODUCT = "MatMulIntegerToFloat"
"""ONNX Runtime's product of 8-bit numbers, with scales and a bias."""
RECURRENT = frozenset({"Split", "Loop", "Shape"})
"""What takes the matrices of recurrent layers: their gates are put into ONNX's order, or a loop multiplies by them, as
they are or transposed, and asks for their shape."""
TRANSPOSED = ".transposed"
"""Ends the names of matrices that are stored [K, N]; torch has them [N, K]."""
LEARNT = frozenset({"Unsqueeze"})
"""What takes learnt keys and values [heads, N, D], which are constants of three axes."""
MIN_TABLE_ROWS = 1024
"""EmbeddingNode tables with fewer rows stay in float32: they weigh little."""


@dataclass(frozen=True)
class Range:
    """Smallest and largest value of an activation."""

    low: float
    high: float

    def merged(self, other: Range) -> Range:
        """The range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


def with_observed(model: onnx.ModelProto, names: list[str]) -> onnx.ModelProto:
    """A copy of the graph that also returns the named activations."""
    observed = onnx.ModelProto()
    observed.CopyFrom(model)
    present = {value.name for value in observed.graph.output} | {value.name for value in observed.graph.input}
    for name in dict.fromkeys(names):
        if name not in present:
            observed.graph.output.append(helper.make_empty_tensor_value_info(name))
    return observed


def quantise_columns(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric int8 of `weight` [K, N] with one scale per column: values [K, N], scales [N]."""
    largest = np.abs(weight).max(axis=0)
    scales = (np.where(largest > 0, largest, 1.0) / 127.0).astype(np.float32)
    return np.clip(np.rint(weight / scales), -127, 127).astype(np.int8), scales


def activation_scale(observed: Range) -> tuple[np.float32, np.uint8]:
    """Scale and zero point of uint8 that cover `observed` and represent 0 exactly."""
    low, high = min(observed.low, 0.0), max(observed.high, 0.0)
    scale = max(high - low, 1e-8) / 255.0
    return np.float32(scale), np.uint8(np.clip(round(-low / scale), 0, 255))


class _Rewriter:
    """Builds the quantised graph's nodes and constants; each constant is stored once."""

    def __init__(self, model: onnx.ModelProto, ranges: Mapping[str, Range]) -> None:
        self._constants = {name: numpy_helper.to_array(t) for name, t in initialisers(model).items()}
        self._kept = self._constants.keys() - {name for node in model.graph.node for name in names_taken(node)}
        self._ranges = ranges
        self._added: dict[str, np.ndarray] = {}
        self._quantised: dict[str, str] = {}
        self._made: set[str] = set()

    def constant(self, name: str, value: np.ndarray) -> str:
        self._added.setdefault(name, value)
        return name

    def weight(self, name: str, transposed: bool) -> tuple[str, str]:
        """Names of the int8 matrix, in its stored layout, and of its scales."""
        weight = self._constants[name]
        values, scales = quantise_columns(weight.T if transposed else weight)
        stored = np.ascontiguousarray(values.T if transposed else values)
        return self.constant(f"{name}_int8", stored), self.constant(f"{name}_scale", scales)

    def activation(self, name: str) -> tuple[list[NodeProto], str, str, str]:
        """Nodes that quantise an activation (none the second time), and names of values, scale, zero point."""
        scale, zero = activation_scale(self._ranges[name])
        scale_name = self.constant(f"{name}_activation_scale", np.asarray(scale))
        zero_name = self.constant(f"{name}_activation_zero", np.asarray(zero))
        nodes = []
        if name not in self._quantised:
            self._quantised[name] = f"{name}_uint8"
            nodes = [helper.make_node("QuantizeLinear", [name, scale_name, zero_name], [f"{name}_uint8"])]
        return nodes, self._quantised[name], scale_name, zero_name

    def product(self, product: ProductNode) -> list[NodeProto]:
        nodes, activation, scale, zero = self.activation(product.activation)
        weight, weight_scale = self.weight(product.weight, product.transposed)
        if product.transposed:
            nodes += self.once(helper.make_node("Transpose", [weight], [f"{weight}_kn"], perm=[1, 0]))
            weight = f"{weight}_kn"
        bias = self.constant(product.bias, self._constants[product.bias]) if product.bias else None
        if product.factor:
            nodes += self.times(weight_scale, product.factor) + (self.times(bias, product.factor) if bias else [])
            weight_scale, bias = f"{weight_scale}_times", f"{bias}_times" if bias else None
        inputs = [activation, weight, scale, weight_scale, zero, "", *([bias] if bias else [])]
        nodes.append(helper.make_node(PRODUCT, inputs, [product.output], domain=CONTRIB))
        return nodes

    def times(self, name: str, factor: str) -> list[NodeProto]:
        """Multiply a constant by a number: ONNX Runtime does so once, when it loads the graph."""
        return self.once(helper.make_node("Mul", [name, factor], [f"{name}_times"]))

    def once(self, node: NodeProto) -> list[NodeProto]:
        """A node of constants; none the second time, when a table or matrix is used again in the same way."""
        name = node.output[0]
        is_new, self._made = name not in self._made, {*self._made, name}
        return [node] if is_new else []

    def embedding(self, embedding: EmbeddingNode) -> list[NodeProto]:
        """Look up an int8 table [V, H] with one scale per row."""
        node = embedding.node
        table, scales = self.weight(node.input[0], transposed=True)
        output = embedding.output
        column = self.constant(f"{scales}_column", self._added[scales][:, None])
        folded = self.times(column, embedding.factor) if embedding.factor else []
        column = f"{column}_times" if embedding.factor else column
        return [
            *folded,
            helper.make_node("Gather", [table, node.input[1]], [f"{output}_row_int8"]),
            helper.make_node("Cast", [f"{output}_row_int8"], [f"{output}_cast"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Gather", [column, node.input[1]], [f"{output}_row_scale"]),
            helper.make_node("Mul", [f"{output}_cast", f"{output}_row_scale"], [output]),
        ]

    def stored(self, name: str) -> list[NodeProto]:
        """A matrix kept as int8, with a scale for each output: a row of [N, K], a column where it is stored [K, N]."""
        is_rows = not name.endswith(TRANSPOSED)
        matrix, scales = self.weight(name, transposed=is_rows)
        if is_rows:
            scales = self.constant(f"{name}_scale_column", self._added.pop(scales)[:, None])
        return self._multiplied_out(name, matrix, scales)

    def vectors(self, name: str) -> list[NodeProto]:
        """The same of learnt keys or values [heads, N, D], with a scale for each vector."""
        weight = self._constants[name]
        values, scales = quantise_columns(weight.reshape(-1, weight.shape[2]).T)
        kept = self.constant(f"{name}_int8", np.ascontiguousarray(values.T).reshape(weight.shape))
        column = self.constant(f"{name}_scale_column", scales.reshape(*weight.shape[:2], 1))
        return self._multiplied_out(name, kept, column)

    def _multiplied_out(self, name: str, values: str, scales: str) -> list[NodeProto]:
        del self._constants[name]  # its name is that of the product now
        return [
            helper.make_node("Cast", [values], [f"{name}_cast"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_cast", scales], [name]),
        ]

    def constants(self, nodes: list[NodeProto]) -> list[onnx.TensorProto]:
        """The constants that `nodes` still use, old and new, and those that no node used before: see `keep_folded`."""
        used = self._kept | {name for node in nodes for name in names_taken(node)}
        everything = {**self._constants, **self._added}
        return [numpy_helper.from_array(everything[name], name) for name in everything if name in used]


def by_weight(model: onnx.ModelProto, ranges: Mapping[str, Range]) -> dict[str, Range]:
    """The range of what each constant matrix is multiplied with, by the matrix' name without its layout."""
    found: dict[str, Range] = {}
    for product in find_products(model):
        name, seen = product.weight.removesuffix(TRANSPOSED), ranges[product.activation]
        found[name] = found[name].merged(seen) if name in found else seen
    return found


def by_activation(model: onnx.ModelProto, weights: Mapping[str, Range]) -> dict[str, Range]:
    """The range of every product's activation, from those of `by_weight`: another graph of the same matrices rounds as
    the first does. Raises KeyError for a matrix that has none."""
    return {p.activation: weights[p.weight.removesuffix(TRANSPOSED)] for p in find_products(model)}


def stored_ranges(model: onnx.ModelProto) -> dict[str, Range]:
    """Those of `by_weight`, out of a graph with int8 products."""
    constants, found = initialisers(model), dict[str, Range]()
    for node in model.graph.node:
        if node.op_type == PRODUCT:
            scale, zero = (numpy_helper.to_array(constants[node.input[i]]).astype(np.float64) for i in (2, 4))
            name = node.input[1].removesuffix("_kn").removesuffix("_int8").removesuffix(TRANSPOSED)
            found[name] = Range(float(-zero * scale), float((255 - zero) * scale))
    return found


def quantise(model: onnx.ModelProto, ranges: Mapping[str, Range]) -> onnx.ModelProto:
    """The graph with int8 products and embedding tables. `ranges` has every product's activation, by tensor name."""
    rewriter = _Rewriter(model, ranges)
    nodes = [*_stored(model, rewriter), *_rewritten(model, rewriter)]
    graph = helper.make_graph(
        nodes, model.graph.name, list(model.graph.input), list(model.graph.output), rewriter.constants(nodes)
    )
    opsets = [*(o for o in model.opset_import if o.domain != CONTRIB), helper.make_opsetid(CONTRIB, 1)]
    quantised = helper.make_model(graph, opset_imports=opsets, ir_version=model.ir_version, functions=model.functions)
    quantised.producer_name = model.producer_name
    return quantised


def _stored(model: onnx.ModelProto, rewriter: _Rewriter) -> Iterator[NodeProto]:
    """Matrices of recurrent layers, and learnt keys and values: they are kept with 8 bits and computed with as float32,
    which a runtime makes of them once."""
    taking = consumers(model)
    for name, constant in initialisers(model).items():
        taken_by = _takers(name, taking)
        if len(constant.dims) == 2 and taken_by and taken_by <= RECURRENT:
            yield from rewriter.stored(name)
        if len(constant.dims) == 3 and constant.data_type == onnx.TensorProto.FLOAT and taken_by and taken_by <= LEARNT:
            yield from rewriter.vectors(name)


def _takers(name: str, taking: Mapping[str, list[NodeProto]]) -> set[str]:
    """The operators that take a tensor, as it is or transposed."""
    found = set[str]()
    for node in taking.get(name, []):
        found |= _takers(node.output[0], taking) if node.op_type == "Transpose" else {node.op_type}
    return found


def _rewritten(model: onnx.ModelProto, rewriter: _Rewriter) -> Iterator[NodeProto]:
    products = {id(p.node): p for p in find_products(model)}
    embeddings = {id(e.node): e for e in find_embeddings(model, MIN_TABLE_ROWS)}
    absorbed = {id(node) for product in products.values() for node in product.absorbed}
    absorbed |= {id(node) for embedding in embeddings.values() for node in embedding.absorbed}
    for node in model.graph.node:
        if id(node) in products:
            yield from rewriter.product(products[id(node)])
        elif id(node) in embeddings:
            yield from rewriter.embedding(embeddings[id(node)])
        elif node.op_type == PAST_ATTENTION:
            yield from _halved(node)
        elif id(node) not in absorbed:
            yield node


def _halved(attention: NodeProto) -> Iterator[NodeProto]:
    """Attention to the KV cache with queries, keys and values rounded to half precision (IEEE 754 binary16)."""
    given = attention.input[0]
    half, rounded = f"{given}_half", f"{given}_rounded"
    yield helper.make_node("Cast", [given], [half], to=onnx.TensorProto.FLOAT16)
    yield helper.make_node("Cast", [half], [rounded], to=onnx.TensorProto.FLOAT)
    changed = NodeProto()
    changed.CopyFrom(attention)
    changed.input[0] = rounded
    yield changed
