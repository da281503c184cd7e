"""Operators of two operands, number by number: Add, Sub, Mul, Div, Max."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import floats_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_constant, float_operand, require
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import ColumnSlice, GraphInput, Tensor, Value, tensor_of
from service.operators.tensors import as_tensor

OPERANDS = layout("target source second source_stride second_stride columns operation")
CONSTANT_OPERANDS = layout("target source constant source_stride columns operation is_first")
ADD, SUBTRACT, MULTIPLY, DIVIDE, LARGER = range(5)
OPERATIONS: Mapping[str, tuple[int, Callable[[np.ndarray, np.ndarray], np.ndarray]]] = {
    "Add": (ADD, np.add),
    "Sub": (SUBTRACT, np.subtract),
    "Mul": (MULTIPLY, np.multiply),
    "Div": (DIVIDE, np.divide),
    "Max": (LARGER, np.maximum),
}
"""By ONNX operator: the number of the operation, and its reference."""
BinaryOperand = Tensor | ColumnSlice | GraphInput
"""Operands; of graph inputs only state that is carried."""


@compiled()
def _combine(operation: int, left: np.ndarray, right: np.ndarray, target: np.ndarray) -> None:
    """target = left and right; the larger one of NaN and a number is NaN."""
    n = len(target)
    if operation == ADD:
        for i in range(n):
            target[i] = left[i] + right[i]
    elif operation == SUBTRACT:
        for i in range(n):
            target[i] = left[i] - right[i]
    elif operation == MULTIPLY:
        for i in range(n):
            target[i] = left[i] * right[i]
    elif operation == DIVIDE:
        for i in range(n):
            target[i] = left[i] / right[i]
    else:
        for i in range(n):
            is_right = left[i] < right[i] or right[i] != right[i]
            target[i] = right[i] if is_right else left[i]


@kernel("Binary", OPERANDS)
def binary(at: int, batch_at: int) -> None:
    """target [rows, columns] = `source` and `second`, whose rows are so many bytes apart."""
    o = record_at(at, OPERANDS)
    n = o.columns
    for row in range(row_batch_at(batch_at).num_rows):
        source = floats_at(o.source + row * o.source_stride, n)
        second = floats_at(o.second + row * o.second_stride, n)
        _combine(o.operation, source, second, floats_at(o.target + 4 * row * n, n))


@kernel("BinaryConstant", CONSTANT_OPERANDS)
def binary_constant(at: int, batch_at: int) -> None:
    """target [rows, columns] = `source` and `constant` [columns], which `is_first` of the two or not."""
    o = record_at(at, CONSTANT_OPERANDS)
    n = o.columns
    constant = floats_at(o.constant, n)
    for row in range(row_batch_at(batch_at).num_rows):
        source, target = floats_at(o.source + row * o.source_stride, n), floats_at(o.target + 4 * row * n, n)
        if o.is_first:
            _combine(o.operation, constant, source, target)
        else:
            _combine(o.operation, source, constant, target)


@dataclass(frozen=True, slots=True)
class Binary(Step):
    """target = source and second, number by number; `operation` is ONNX's name."""

    target: Tensor
    operation: str
    source: Tensor | ColumnSlice
    second: Tensor | ColumnSlice

    @property
    def kernel(self) -> Kernel:
        return binary

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "second": self.second, "columns": self.target.columns,
            "source_stride": tensor_of(self.source).row_bytes, "second_stride": tensor_of(self.second).row_bytes,
            "operation": OPERATIONS[self.operation][0],
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        return OPERATIONS[self.operation][1](view.rows("source"), view.rows("second"))

    def writes_over(self) -> Sequence[Tensor]:
        return whole_tensors(self.source, self.second)


@dataclass(frozen=True, slots=True)
class BinaryConstant(Step):
    """target = source and a constant for each column, or, if it `is_first`, that and source."""

    target: Tensor
    operation: str
    source: Tensor | ColumnSlice
    constant: np.ndarray
    """float32 [columns]."""
    is_first: bool = False

    @property
    def kernel(self) -> Kernel:
        return binary_constant

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "source_stride": tensor_of(self.source).row_bytes,
            "columns": self.target.columns, "operation": OPERATIONS[self.operation][0], "is_first": int(self.is_first),
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        return {"constant": self.constant}

    def reference(self, view: View) -> np.ndarray:
        operands = [view.rows("source"), self.constant]
        return OPERATIONS[self.operation][1](*(reversed(operands) if self.is_first else operands))

    def writes_over(self) -> Sequence[Tensor]:
        return whole_tensors(self.source)


def whole_tensors(*operands: Tensor | ColumnSlice) -> list[Tensor]:
    """Operands that are whole rows, and of which no other is a part."""
    parts = {operand.of for operand in operands if isinstance(operand, ColumnSlice)}
    return [operand for operand in operands if isinstance(operand, Tensor) and operand not in parts]


def _operand(lowering: Lowering, value: Value) -> Tensor | ColumnSlice:
    return float_operand(value if isinstance(value, ColumnSlice) else as_tensor(lowering, value))


def _lower(lowering: Lowering, node: Node, left: Value, right: Value, *others: Value) -> Value:
    require(not others, "two operands", 2 + len(others))
    source, second = (_operand(lowering, value) for value in (left, right))
    require(source.columns == second.columns, "operands of equal columns", f"{source.columns} and {second.columns}")
    return lowering.add(Binary(Tensor(source.columns), node.operator, source, second))


def _lower_constant(
    lowering: Lowering, node: Node, value: Value, constant: np.ndarray, is_first: bool = False
) -> Value:
    source = _operand(lowering, value)
    numbers, columns = float_constant(constant), source.columns
    is_row = numbers.size == 1 or numbers.shape[-1:] == (columns,) == (numbers.size,)
    require(is_row, f"a constant of {columns} columns, or of one number", f"one of shape {numbers.shape}")
    row = np.ascontiguousarray(np.broadcast_to(numbers.reshape(-1), (columns,)))
    return lowering.add(BinaryConstant(Tensor(columns), node.operator, source, row, is_first))


for _operator in OPERATIONS:
    lowers(_operator, BinaryOperand, BinaryOperand)(_lower)
    lowers(_operator, BinaryOperand, np.ndarray)(_lower_constant)
    lowers(_operator, np.ndarray, BinaryOperand)(
        lambda lowering, node, constant, value: _lower_constant(lowering, node, value, constant, is_first=True)
    )


@lowers("Mul", np.ndarray, np.ndarray)
def _multiply_constants(_: Lowering, node: Node, left: np.ndarray, right: np.ndarray) -> Value:
    return left * right
