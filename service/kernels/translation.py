"""From an ONNX graph to the steps that kernels do: what each operator means for the rows of a batch.

Operators that only arrange (reshape, transpose, concatenate) are followed, not done: a kernel reads its operands where
they lie. Any operator or arrangement that is not known here is refused, and ONNX Runtime runs the graph.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from onnx import TensorProto

from service.kernels.graph import Graph, Node, UnsupportedGraphError
from service.kernels.heads import HEAD_SIZES
from service.kernels.steps import (
    Add,
    Appended,
    AttendPast,
    AttendSegment,
    AttendSource,
    Buffer,
    Context,
    Embed,
    Embedding,
    FloatProduct,
    Given,
    Halved,
    Heads,
    Lengths,
    Normalise,
    Normalised,
    Picked,
    Positive,
    Product,
    Products,
    Quantise,
    Shown,
    Sizes,
    Step,
    Translated,
    Turned,
    Value,
    Weights,
    sources_of,
)

T = TypeVar("T")


@dataclass
class _Translation:
    """One graph being translated."""

    values: dict[str, Value]
    uses: Mapping[str, int]
    """How often each value is read by an operator."""
    steps: list[Step] = field(default_factory=list)
    normalised: dict[Normalised, Buffer] = field(default_factory=dict)
    """Those that were needed as floats."""

    def operands(self, node: Node) -> list[Value]:
        """What the node's inputs are; None for those left out."""
        return [self.values[name] if name else None for name in node.inputs]


def translate(graph: Graph, inputs: Sequence[str]) -> Translated:
    """The steps of `graph`, whose inputs have the names `inputs`. Raises UnsupportedGraphError."""
    uses = Counter(name for node in graph.nodes for name in node.inputs)
    translation = _Translation({**graph.constants, **{name: Given(name) for name in inputs}}, uses)
    for node in graph.nodes:
        known = _OPERATORS.get(node.kind)
        if known is None:
            raise UnsupportedGraphError(f"operator {node.kind}")
        try:
            results = known(translation, node, *translation.operands(node))
        except (TypeError, ValueError, LookupError) as error:  # LookupError: an attribute or a value is not there
            raise UnsupportedGraphError(f"operator {node.kind} that gives {node.outputs[0]}: {error!r}") from error
        for name, value in zip(node.outputs, results if isinstance(results, tuple) else (results,), strict=False):
            translation.values[name] = value
    if unknown := [name for name in graph.outputs if name not in translation.values]:
        raise UnsupportedGraphError(f"outputs {', '.join(unknown)}, which no known operator gives")
    outputs = {name: translation.values[name] for name in graph.outputs}
    return Translated(fused(translation.steps, outputs.values()), outputs)


def fused(steps: Sequence[Step], outputs: Collection[Value]) -> tuple[Step, ...]:
    """The same with sums done by the product that comes right before, when nothing else reads that."""
    read = {output.source if isinstance(output, Heads) else output for output in outputs}
    uses = Counter(source for step in steps for source in sources_of(step))
    done: list[Step] = []
    for step in steps:
        last = done[-1] if done else None
        if isinstance(step, Add) and isinstance(last, Product | FloatProduct) and last.addend is None:
            others = [source for source in (step.source, step.second) if source is not last.target]
            if len(others) == 1 and uses[last.target] == 1 and last.target not in read:
                done[-1] = replace(last, target=step.target, addend=others[0])
                continue
        done.append(step)
    return tuple(done)


def _head_size(columns: int, num_heads: int) -> None:
    _need(columns / num_heads in HEAD_SIZES, f"heads of {columns / num_heads:g}, not of one of {HEAD_SIZES}")


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(what)


def _as(kind: type[T], value: Value) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} where {kind.__name__} is known")
    return value


def _change_product(
    translation: _Translation, node: Node, product: Buffer, change: Callable[[FloatProduct], FloatProduct]
) -> Buffer:
    """Let the step that gives `product` do what `node` does, too; nothing but `node` may read that."""
    names = {name for name in node.inputs if translation.values.get(name) is product}
    _need(all(translation.uses[name] == 1 for name in names), "a product that others read, too")
    for i, step in enumerate(translation.steps):
        if isinstance(step, FloatProduct) and step.target is product:
            translation.steps[i] = change(step)
            return product
    raise TypeError("a constant and what is no product")


def _with_biases(step: FloatProduct, biases: np.ndarray) -> FloatProduct:
    _need(not step.biases.any() and not step.is_positive, "biases of what has some")
    return replace(step, biases=_of_columns(biases, step.target.columns))


def _times(step: FloatProduct, factor: float) -> FloatProduct:
    _need(not step.is_positive or factor >= 0, "a factor that turns signs")
    return replace(step, weights=step.weights * np.float32(factor), biases=step.biases * np.float32(factor))


def _as_floats(translation: _Translation, value: Value) -> Buffer:
    """A buffer of floats, or a normalisation as one."""
    if not isinstance(value, Normalised):
        return _floats(value)
    if value not in translation.normalised:
        target = Buffer(value.source.columns)
        translation.steps.append(Normalise(target, value))
        translation.normalised[value] = target
    return translation.normalised[value]


def _floats(value: Value) -> Buffer:
    """A buffer of floats."""
    _need(_as(Buffer, value).dtype is np.float32, "integers where floats are known")
    buffer: Buffer = value
    return buffer


def _of_columns(array: Value, columns: int) -> np.ndarray:
    """A constant with a float for each column."""
    _need(_as(np.ndarray, array).shape == (columns,), f"a constant that is no row of {columns}")
    _need(array.dtype == np.float32, "a constant of another type")
    constant: np.ndarray = array
    return constant


def _one(array: Value) -> float:
    """The only number in a constant."""
    _need(_as(np.ndarray, array).size == 1, "a constant of more than one number")
    return float(array.reshape(-1)[0])


def _gather(_: _Translation, node: Node, table: Value, by: Value) -> Value:
    _need(node.attributes.get("axis", 0) == 0, "another axis")
    return Picked(_as(np.ndarray, table), _as(Given, by))


def _slice(_: _Translation, node: Node, table: Value, start: Value, end: Value, axes: Value, step: Value) -> Value:
    """Positions from the first on, for every source column."""
    _as(Sizes, end)
    _need(_one(start) == 0 and _one(axes) == 0 and _one(step) == 1, "another part")
    return Picked(_as(np.ndarray, table), Given("column"))


def _cast(_: _Translation, node: Node, value: Value) -> Value:
    kind = node.attributes.get("to")
    if isinstance(value, Buffer):
        _need(kind == TensorProto.FLOAT16, "floats as another type")
        return Halved(_floats(value), are_floats=False)
    if isinstance(value, Halved):
        _need(kind == TensorProto.FLOAT and not value.are_floats, "half precision as another type")
        return replace(value, are_floats=True)
    return _as(Given, value) if not isinstance(value, Picked) else value


def _multiply(translation: _Translation, node: Node, left: Value, right: Value) -> Value:
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return left * right
    if isinstance(left, Picked) and isinstance(right, np.ndarray):
        _need(left.table.dtype == np.float32, "a table of another type")
        return Embedding(left.table, np.full(len(left.table), _one(right), np.float32), left.by)
    if isinstance(left, Buffer) and isinstance(right, np.ndarray):
        factor = _one(right)
        return _change_product(translation, node, left, lambda step: _times(step, factor))
    table, scales = _as(Picked, left), _as(Picked, right)
    _need(table.by is scales.by and table.table.dtype == np.int8, "factors of other things")
    _need(scales.table.size == len(table.table), "another number of scales")
    return Embedding(table.table, scales.table.reshape(-1), table.by)


def _add(translation: _Translation, node: Node, left: Value, right: Value) -> Value:
    match left, right:
        case Embedding(table=table, by=token), Picked(table=places, by=place):
            _need(token.name in TOKEN_INPUTS and place.name in PLACE_INPUTS, "rows picked by another input")
            _need(places.dtype == np.float32 and places.shape[1] == table.shape[1], "positions of another size")
            target = Buffer(table.shape[1])
            translation.steps.append(Embed(target, left, places))
            return target
        case Buffer(columns=columns), Buffer(columns=others) if columns == others:
            target = Buffer(columns)
            _floats(left), _floats(right)
            translation.steps.append(Add(target, left, right))
            return target
        case (Buffer() as product, np.ndarray() as biases) | (np.ndarray() as biases, Buffer() as product):
            return _change_product(translation, node, product, lambda step: _with_biases(step, biases))
        case Products(), Lengths(as_mask=True):
            return Products(left.queries, left.keys, is_masked=True)
        case Sizes(), np.ndarray():
            return Sizes((None,) * len(left.values))
    raise TypeError(f"{type(left).__name__} and {type(right).__name__}")


def _unchanged(_: _Translation, node: Node, value: Value, axes: Value) -> Value:
    """An axis of size 1 comes or goes."""
    return value if isinstance(value, Lengths | Normalised) else _as(Buffer, value)


def _where(_: _Translation, node: Node, mask: Value, real: Value, padding: Value) -> Value:
    _as(Given, mask)
    _need(_one(real) == 0 and _one(padding) <= LEAST_MASKED, "another mask")
    return Lengths(as_mask=True)


def _layer_normalization(_: _Translation, node: Node, source: Value, gains: Value, biases: Value) -> Value:
    _need(node.attributes.get("axis", -1) == -1, "another axis")
    of = _floats(source)
    every = _of_columns(gains, of.columns), _of_columns(biases, of.columns)
    return Normalised(of, *every, float(node.attributes.get("epsilon", 1e-5)))


def _relu(translation: _Translation, node: Node, source: Value) -> Value:
    of = _floats(source)
    if any(isinstance(step, FloatProduct) and step.target is of for step in translation.steps):
        return _change_product(translation, node, of, lambda step: replace(step, is_positive=True))
    return Positive(of)


def _quantize_linear(translation: _Translation, node: Node, source: Value, scale: Value, zero: Value) -> Value:
    _need(_as(np.ndarray, zero).dtype == np.uint8, "another type")
    if isinstance(source, Positive):
        _need(_one(zero) == 0, "a zero that lets negative numbers through")
    of = source.source if isinstance(source, Normalised | Positive) else _floats(source)
    target = Buffer(of.columns, np.uint8, _one(scale), int(_one(zero)))
    step = Normalise(target, source) if isinstance(source, Normalised) else Quantise(target, of)
    translation.steps.append(step)
    return target


def _product(
    translation: _Translation, node: Node, source: Value, weights: Value, source_scale: Value, scales: Value,
    source_zero: Value, zeros: Value = None, biases: Value = None,
) -> Value:  # fmt: skip
    depth, columns = _as(np.ndarray, weights).shape
    _need(_as(Buffer, source).dtype is np.uint8 and source.columns == depth, "another source")
    _need(source.scale == _one(source_scale) and source.zero == int(_one(source_zero)), "scaled twice")
    _need(weights.dtype == np.int8 and zeros is None, "weights that are not symmetric int8")
    _need(depth % 4 == 0 and columns % 16 == 0, f"sizes {depth} and {columns}, not multiples of 4 and 16")
    target = Buffer(columns)
    factors = np.full(columns, scales, np.float32) if _as(np.ndarray, scales).size == 1 else scales
    added = np.zeros(columns, np.float32) if biases is None else biases
    every = _of_columns(factors, columns), _of_columns(added, columns)
    translation.steps.append(Product(target, source, weights, *every))
    return target


def _transpose(_: _Translation, node: Node, value: Value) -> Value:
    order = tuple(node.attributes["perm"])
    match value:
        case np.ndarray():
            return value.transpose(order)
        case Heads() if order == HEADS_FIRST:
            return Heads(value.source, value.num_heads, not value.heads_first)
        case Given() if order == (0, 1, 3, 2):
            return Turned(value)
        case Context() | Shown() | Weights() if order == HEADS_FIRST:
            return value
    raise TypeError(f"{type(value).__name__} turned by {order}")


def _shape(_: _Translation, node: Node, value: Value) -> Value:
    return Sizes((None,) * (node.attributes["end"] - node.attributes.get("start", 0)))


def _concat(_: _Translation, node: Node, *parts: Value) -> Value:
    if all(isinstance(part, Weights) for part in parts):
        _need(node.attributes["axis"] == 1, "weights side by side")
        return Shown(parts)
    sizes = (part.values if isinstance(part, Sizes) else _as(np.ndarray, part).tolist() for part in parts)
    return Sizes(tuple(itertools.chain.from_iterable(sizes)))


def _reshape(translation: _Translation, node: Node, value: Value, shape: Value) -> Value:
    sizes = shape.values if isinstance(shape, Sizes) else tuple(_as(np.ndarray, shape).tolist())
    match value:
        case Buffer(columns=columns) if len(sizes) == 4:
            _floats(value)
            heads, size = _as(int, sizes[2]), _as(int, sizes[3])
            _need(heads * size == columns, "heads of another size")
            return Heads(value, heads)
        case Context(weights=weights, values=values):
            queries = weights.products.queries
            columns = queries.source.columns
            _need(sizes[-1] == columns, "a context of another size")
            _head_size(columns, queries.num_heads)
            target = Buffer(columns)
            translation.steps.append(
                AttendSource(target, queries.source, weights.products.keys, values, queries.num_heads, weights)
            )
            return target
        case Shown() | Weights():
            return value
    raise TypeError(f"{type(value).__name__} as {sizes}")


def _matmul(translation: _Translation, node: Node, left: Value, right: Value) -> Value:
    match left, right:
        case Buffer() | Normalised(), np.ndarray():
            return _float_product(translation, left, right)
        case Heads(heads_first=True), Turned(state=keys):
            return Products(left, keys)
        case Weights(), Given():
            return Context(left, right)
    raise TypeError(f"{type(left).__name__} times {type(right).__name__}")


def _gemm(translation: _Translation, node: Node, left: Value, right: Value, biases: Value = None) -> Value:
    options = node.attributes
    _need(not options.get("transA") and options.get("alpha", 1.0) == 1.0 == options.get("beta", 1.0), "other options")
    weights = _as(np.ndarray, right).T if options.get("transB") else _as(np.ndarray, right)
    return _float_product(translation, left, weights, biases)


def _float_product(translation: _Translation, left: Value, weights: np.ndarray, biases: Value = None) -> Buffer:
    source = _as_floats(translation, left)
    depth, columns = weights.shape
    _need(source.columns == depth and weights.dtype == np.float32, "weights of another size or type")
    _need(columns % 16 == 0, f"{columns} columns, not a multiple of 16")
    target = Buffer(columns)
    added = np.zeros(columns, np.float32) if biases is None else _of_columns(biases, columns)
    translation.steps.append(FloatProduct(target, source, weights, added))
    return target


def _softmax(_: _Translation, node: Node, products: Value) -> Value:
    _need(node.attributes.get("axis", -1) == -1 and _as(Products, products).is_masked, "weights of padding")
    return Weights(products)


def _reduce_max(_: _Translation, node: Node, value: Value) -> Value:
    _as(Given, value)
    return Sizes((None,))


def _reduce_sum(_: _Translation, node: Node, mask: Value, axes: Value) -> Value:
    _as(Given, mask)
    _need(_one(axes) == 1, "another axis")
    return Lengths(as_mask=False)


def _group_query_attention(
    translation: _Translation, node: Node, source: Value, key: Value, value: Value, keys: Value, values: Value,
    positions: Value, total: Value,
) -> Value:  # fmt: skip
    heads = node.attributes["num_heads"]
    _need(set(node.attributes) == {"num_heads", "kv_num_heads"}, "options that are not known")
    _need(node.attributes["kv_num_heads"] == heads and key is None and value is None, "queries and keys apart")
    _as(Given, positions), _as(Sizes, total)
    are_halved = isinstance(source, Halved)
    if are_halved:
        _need(source.are_floats, "numbers of 16 bits")
        source = source.source
    target = Buffer(_floats(source).columns // 3)
    _head_size(target.columns, heads)
    translation.steps.append(AttendPast(target, source, _as(Given, keys), _as(Given, values), heads, are_halved))
    return target, Appended(keys), Appended(values)


def _attention(
    translation: _Translation, node: Node, queries: Value, keys: Value, values: Value, mask: Value = None,
    past_keys: Value = None, past_values: Value = None, lengths: Value = None,
) -> Value:  # fmt: skip
    options, heads = node.attributes, node.attributes["q_num_heads"]
    _need(mask is None and past_keys is None and past_values is None, "a mask or a past")
    _need(options["kv_num_heads"] == heads and "scale" not in options, "heads or a scale of another kind")
    _need(not options.get("is_causal") and not options.get("softcap") and len(node.outputs) == 1, "other options")
    _need(not _as(Lengths, lengths).as_mask, "a mask")
    target = Buffer(_floats(queries).columns)
    _head_size(target.columns, heads)
    translation.steps.append(AttendSegment(target, queries, _floats(keys), _floats(values), heads))
    return target


TOKEN_INPUTS, PLACE_INPUTS = ("source_ids", "token_ids"), ("column", "position")
"""What embeddings and positions are picked by; `column` stands for the position of a source token."""
LEAST_MASKED = -1e4
"""What is added to products of padding is at most this: its exponential is 0 then."""
HEADS_FIRST = (0, 2, 1, 3)
_OPERATORS: Mapping[str, Callable[..., Value]] = {
    "Add": _add,
    "Attention": _attention,
    "Cast": _cast,
    "Concat": _concat,
    "Gather": _gather,
    "Gemm": _gemm,
    "com.microsoft.GroupQueryAttention": _group_query_attention,
    "LayerNormalization": _layer_normalization,
    "MatMul": _matmul,
    "com.microsoft.MatMulIntegerToFloat": _product,
    "Mul": _multiply,
    "QuantizeLinear": _quantize_linear,
    "ReduceMax": _reduce_max,
    "ReduceSum": _reduce_sum,
    "Relu": _relu,
    "Reshape": _reshape,
    "Shape": _shape,
    "Slice": _slice,
    "Softmax": _softmax,
    "Squeeze": _unchanged,
    "Transpose": _transpose,
    "Unsqueeze": _unchanged,
    "Where": _where,
}
