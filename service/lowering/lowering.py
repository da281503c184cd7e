"""A graph while it is lowered, and what rules check their operands with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from service.lowering.graph import Node
from service.lowering.plan import Step
from service.lowering.values import ColumnSlice, Tensor, Value

T = TypeVar("T")


@dataclass
class Lowering:
    """The values that are known so far, and the steps that compute those that are rows."""

    values: dict[str, Value]
    inputs: Mapping[str, Value]
    steps: list[Step] = field(default_factory=list)
    computed: dict[Value, Tensor] = field(default_factory=dict)
    """Tensors that steps have made of values which wait (see `values`)."""

    def operands(self, node: Node) -> list[Value]:
        """The values of the node's inputs; None for those left out."""
        return [self.values[name] if name else None for name in node.inputs]

    def add(self, step: Step) -> Tensor:
        """The target of a new step, which has one."""
        self.steps.append(step)
        assert step.target is not None
        return step.target


def require(condition: bool, expected: str, found: object) -> None:
    """Refuse the operator unless `condition` holds."""
    if not condition:
        raise ValueError(f"expected {expected}, found {found}")


def expect(kind: type[T], value: Value) -> T:
    """`value`, which is refused unless it is one of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, found {type(value).__name__}")
    return value


def float_tensor(value: Value) -> Tensor:
    """A tensor of floats."""
    rows = expect(Tensor, value)
    require(rows.dtype is np.float32, "rows of float32", f"rows of {np.dtype(rows.dtype).name}")
    return rows


def float_operand(value: Tensor | ColumnSlice) -> Tensor | ColumnSlice:
    """A tensor of floats, or columns of one."""
    return value if isinstance(value, ColumnSlice) else float_tensor(value)


def float_constant(array: Value) -> np.ndarray:
    """A constant of float32."""
    constant: np.ndarray = expect(np.ndarray, array)
    require(constant.dtype == np.float32, "a constant of float32", f"one of {constant.dtype}")
    return constant


def of_columns(array: Value, columns: int) -> np.ndarray:
    """A constant with a float for each column."""
    constant = float_constant(array)
    require(constant.shape == (columns,), f"a constant of shape ({columns},)", constant.shape)
    return constant


def scalar(array: Value) -> float:
    """The only number in a constant."""
    require(expect(np.ndarray, array).size == 1, "a constant of one number", f"one of shape {array.shape}")
    return float(array.reshape(-1)[0])


def is_axis_of_columns(axis: int) -> bool:
    """Whether `axis` is the last one of rows [rows, columns]."""
    return axis in (-1, 1)
