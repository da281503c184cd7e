"""Rewrites of exported graphs that change nothing but their speed; ONNX Runtime does the rest when it loads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import onnx
from onnx import NodeProto, helper, numpy_helper

from model_store.export.products import ProductNode, consumers, find_products, initialisers, names_taken


def part_name(name: str, number: int, count: int) -> str:
    """The name of part `number`, from 1, of a constant that is stored in `count` parts along its columns."""
    return f"{name}.part{number}of{count}"


def split_products(model: onnx.ModelProto, whole: Collection[str] = ()) -> onnx.ModelProto:
    """One product for each part where a product's columns are split at once, as those of Q, K and V are.

    Large activations are then written where they are read; the split copied them. The matrix and the bias are stored
    in parts, as `part_name` calls them. The matrices named in `whole` stay in one piece, as another graph has them.
    """
    followers, products = consumers(model), {}
    for product in find_products(model):
        split = None if product.weight in whole else _split_of(product, followers, model)
        if split is not None:
            products[id(product.node)] = (product, split)
    dropped = {id(node) for product, split in products.values() for node in (*product.absorbed, split)}
    constants = {name: numpy_helper.to_array(t) for name, t in initialisers(model).items()}
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        if id(node) in products:
            nodes += _parts(*products[id(node)], constants)
        elif id(node) not in dropped:
            nodes.append(node)
    used = {name for node in nodes for name in names_taken(node)}
    kept = [numpy_helper.from_array(value, name) for name, value in constants.items() if name in used]
    split_model = onnx.ModelProto()
    split_model.CopyFrom(model)
    del split_model.graph.node[:], split_model.graph.initializer[:]
    split_model.graph.node.extend(nodes)
    split_model.graph.initializer.extend(kept)
    return split_model


def _split_of(product: ProductNode, followers: dict[str, list[NodeProto]], model: onnx.ModelProto) -> NodeProto | None:
    """The Split into equal parts of the columns that alone takes the product's output; None if there is none."""
    taking = followers.get(product.output, [])
    if len(taking) != 1 or taking[0].op_type != "Split" or product.node.op_type != "MatMul" or product.factor:
        return None
    if product.output in {value.name for value in model.graph.output}:
        return None
    attributes = {a.name: helper.get_attribute_value(a) for a in taking[0].attribute}
    rank = _rank(model, product.output)
    columns = initialisers(model)[product.weight].dims[1]
    even = "num_outputs" in attributes and columns % attributes["num_outputs"] == 0
    return taking[0] if even and rank and attributes.get("axis", 0) in (-1, rank - 1) else None


def _rank(model: onnx.ModelProto, name: str) -> int | None:
    for value in onnx.shape_inference.infer_shapes(model).graph.value_info:
        if value.name == name and value.type.tensor_type.HasField("shape"):
            return len(value.type.tensor_type.shape.dim)
    return None


def _parts(product: ProductNode, split: NodeProto, constants: dict[str, np.ndarray]) -> Iterator[NodeProto]:
    count = len(split.output)

    def parts(name: str) -> list[str]:
        names = [part_name(name, number, count) for number in range(1, count + 1)]
        for part, value in zip(names, np.split(constants[name], count, axis=-1), strict=True):
            constants[part] = np.ascontiguousarray(value)
        return names

    biases = parts(product.bias) if product.bias else [None] * count
    for output, weight, bias in zip(split.output, parts(product.weight), biases, strict=True):
        plain = f"{output}_product" if bias else output
        yield helper.make_node("MatMul", [product.activation, weight], [plain])
        if bias:
            yield helper.make_node("Add", [plain, bias], [output])
