"""Products with constant matrices and look-ups in tables: what quantising and optimising rewrite."""

from __future__ import annotations

from dataclasses import dataclass

import onnx
from onnx import NodeProto, helper


@dataclass(frozen=True)
class ProductNode:
    """A product of an activation with a constant matrix, with the bias that follows it."""

    node: NodeProto
    activation: str
    weight: str
    transposed: bool
    """Whether the constant is stored [N, K] rather than [K, N]."""
    bias: str | None
    factor: str | None
    """The constant number that the sum is multiplied by."""
    output: str
    absorbed: tuple[NodeProto, ...]
    """The Add and Mul nodes that bias and factor come from."""


@dataclass(frozen=True)
class EmbeddingNode:
    """A look-up in a table [V, H]."""

    node: NodeProto
    factor: str | None
    """The constant number that what is looked up is multiplied by."""
    output: str
    absorbed: tuple[NodeProto, ...]
    """The Mul node that the factor comes from."""


def initialisers(model: onnx.ModelProto) -> dict[str, onnx.TensorProto]:
    """The graph's constants by name."""
    return {t.name: t for t in model.graph.initializer}


def names_taken(node: NodeProto) -> list[str]:
    """The tensors that a node takes, those of its loop's body included."""
    bodies = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
    return [*node.input, *(name for body in bodies for inner in body.node for name in names_taken(inner))]


def consumers(model: onnx.ModelProto) -> dict[str, list[NodeProto]]:
    """The nodes that take each tensor."""
    found: dict[str, list[NodeProto]] = {}
    for node in model.graph.node:
        for name in dict.fromkeys(names_taken(node)):
            found.setdefault(name, []).append(node)
    return found


def find_products(model: onnx.ModelProto) -> list[ProductNode]:
    """Every MatMul or Gemm of the graph whose second operand is a constant matrix of float32."""
    following = _Following(model)
    return [
        following.product(node)
        for node in model.graph.node
        if node.op_type in ("MatMul", "Gemm") and following.is_constant(node.input[1], 2)
    ]


def find_embeddings(model: onnx.ModelProto, min_rows: int) -> list[EmbeddingNode]:
    """Every look-up in a constant table of at least `min_rows` rows."""
    following, constants = _Following(model), initialisers(model)
    return [
        following.embedding(node)
        for node in model.graph.node
        if node.op_type == "Gather"
        and following.is_constant(node.input[0], 2)
        and constants[node.input[0]].dims[0] >= min_rows
    ]


class _Following:
    """The only consumer of a tensor, where it could be fused with the product that makes the tensor."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._constants, self._consumers = initialisers(model), consumers(model)
        self._outputs = {value.name for value in model.graph.output}

    def is_constant(self, name: str, rank: int) -> bool:
        return name in self._constants and len(self._constants[name].dims) == rank

    def operation(self, name: str, kind: str, rank: int) -> tuple[NodeProto, str] | None:
        """The node of that kind, and the constant of that rank which it takes beside tensor `name`."""
        taking = self._consumers.get(name, [])
        if len(taking) != 1 or taking[0].op_type != kind or name in self._outputs:
            return None
        constant = next((n for n in taking[0].input if self.is_constant(n, rank)), None)
        return None if constant is None else (taking[0], constant)

    def product(self, node: NodeProto) -> ProductNode:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        bias = node.input[2] if len(node.input) > 2 and node.input[2] else None
        output, absorbed, factor = node.output[0], [], None
        if bias is None and (add := self.operation(output, "Add", 1)):
            bias, output = add[1], add[0].output[0]
            absorbed.append(add[0])
        if times := self.operation(output, "Mul", 0):
            factor, output = times[1], times[0].output[0]
            absorbed.append(times[0])
        transposed = bool(attributes.get("transB"))
        return ProductNode(node, node.input[0], node.input[1], transposed, bias, factor, output, tuple(absorbed))

    def embedding(self, node: NodeProto) -> EmbeddingNode:
        times = self.operation(node.output[0], "Mul", 0)
        if times is None:
            return EmbeddingNode(node, None, node.output[0], ())
        return EmbeddingNode(node, times[1], times[0].output[0], (times[0],))
