"""Operators that only compute or change shapes: nothing is done for them."""

from __future__ import annotations

import itertools

import numpy as np
from onnx import TensorProto

from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, float_tensor, require, scalar
from service.lowering.rules import lowers
from service.lowering.values import (
    AttentionMaps,
    AttentionWeights,
    GraphInput,
    HalfPrecision,
    PaddingMask,
    Shape,
    SourceLengths,
    Tensor,
    Value,
)

LEAST_MASKED = -1e4
"""What is added to scores of padding is at most this: its exponential is 0 then."""


def shape_of(value: Value) -> tuple[int | None, ...]:
    """The sizes of a shape, or of a constant."""
    return value.sizes if isinstance(value, Shape) else tuple(expect(np.ndarray, value).tolist())


@lowers("Shape")
def _shape(_: Lowering, node: Node, value: Value) -> Value:
    return Shape((None,) * (node.attributes["end"] - node.attributes.get("start", 0)))


@lowers("Concat", Shape | np.ndarray)
def _concat(_: Lowering, node: Node, *parts: Value) -> Value:
    return Shape(tuple(itertools.chain.from_iterable(shape_of(part) for part in parts)))


@lowers("Add", Shape, np.ndarray)
def _add(_: Lowering, node: Node, shape: Shape, more: np.ndarray) -> Value:
    return Shape((None,) * len(shape.sizes))


@lowers("ReduceMax", GraphInput)
def _reduce_max(_: Lowering, node: Node, value: GraphInput, axes: Value = None) -> Value:
    """The longest of positions: entries of a KV cache."""
    return Shape((None,))


@lowers("ReduceSum", GraphInput, np.ndarray)
def _reduce_sum(_: Lowering, node: Node, mask: GraphInput, axes: np.ndarray) -> Value:
    require(scalar(axes) == 1, "axis 1", f"axis {scalar(axes):g}")
    return SourceLengths()


@lowers("Where", GraphInput, np.ndarray, np.ndarray)
def _where(_: Lowering, node: Node, mask: GraphInput, real: np.ndarray, padding: np.ndarray) -> Value:
    found = scalar(real), scalar(padding)
    require(found[0] == 0 and found[1] <= LEAST_MASKED, f"0 and at most {LEAST_MASKED:g} for padding", found)
    return PaddingMask()


@lowers("Unsqueeze", PaddingMask | SourceLengths | Tensor)
@lowers("Squeeze", PaddingMask | SourceLengths | Tensor)
def _same(_: Lowering, node: Node, value: Value, axes: Value) -> Value:
    return value


@lowers("Transpose", np.ndarray)
def _transpose(_: Lowering, node: Node, constant: np.ndarray) -> Value:
    return constant.transpose(tuple(node.attributes["perm"]))


@lowers("Reshape", AttentionMaps | AttentionWeights)
def _reshape_maps(_: Lowering, node: Node, maps: Value, shape: Value) -> Value:
    return maps


@lowers("Cast", Tensor)
def _round(_: Lowering, node: Node, rows: Tensor) -> Value:
    to = node.attributes["to"]
    require(to == TensorProto.FLOAT16, "a cast to float16", _type_name(to))
    return HalfPrecision(float_tensor(rows), are_floats=False)


@lowers("Cast", HalfPrecision)
def _widen(_: Lowering, node: Node, half: HalfPrecision) -> Value:
    to = node.attributes["to"]
    require(to == TensorProto.FLOAT and not half.are_floats, "a cast of float16 to float32", _type_name(to))
    return HalfPrecision(half.rows, are_floats=True)


def _type_name(number: int) -> str:
    return f"one to {TensorProto.DataType.Name(number).lower()}"
