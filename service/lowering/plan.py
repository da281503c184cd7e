"""A plan: the steps that kernels do for a graph, in order, with named operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from service.lowering.values import AttentionWeights, ColumnSlice, Tensor, Value, tensor_of

if TYPE_CHECKING:
    from service.kernels.instruction import Kernel
    from service.kernels.interpreter import View


@dataclass(frozen=True, slots=True)
class StateArray:
    """Operand: the address of a state array, or of the addresses [B] of what the encoder wrote, by its input's name."""

    name: str


@dataclass(frozen=True, slots=True)
class InitialState:
    """Operand: the address of the addresses [B] of what a carried state array begins with."""

    name: str


@dataclass(frozen=True, slots=True)
class MapOf:
    """Operand: the address where the attention weights of a layer are written."""

    weights: AttentionWeights


@dataclass(frozen=True, slots=True)
class Scratch:
    """Operand: the address of memory that the step alone uses."""

    row_bytes: int


Operand = Tensor | ColumnSlice | StateArray | InitialState | MapOf | Scratch | int | float


class Step:
    """One step of a plan. An operator's file has its steps: `service/operators/`."""

    __slots__ = ()
    target: Tensor | None
    """The tensor that the step computes; None when it writes state only."""

    @property
    def kernel(self) -> Kernel:
        """The instruction that does the step."""
        raise NotImplementedError

    def operands(self) -> Mapping[str, Operand]:
        """Operands of the instruction by name, but for constants; all rows but `target` are read."""
        raise NotImplementedError

    def constants(self) -> Mapping[str, np.ndarray]:
        """Constant operands by name, laid out as the kernel reads them."""
        return {}

    def reference(self, view: View) -> np.ndarray | None:
        """What the step gives, [rows, columns] as its target has it, in numpy; state is written by the way."""
        raise NotImplementedError

    def written(self, view: View) -> Mapping[str, np.ndarray]:
        """What the step writes besides its target in a run of these rows, where it lies, [rows, columns] by name."""
        return {}

    def absorb(self, reader: Step) -> Step | None:
        """One step that does this one and `reader`, the only reader of its target; None where there is none."""
        return None

    def skipping_zeros(self) -> Step | None:
        """The same step for a source that is never negative and mostly 0; None where there is none."""
        return None

    def is_never_negative(self) -> bool:
        """Whether the target's numbers are all 0 or more."""
        return False

    def writes_state(self) -> bool:
        """Whether the step writes something besides its target."""
        return self.target is None

    def half_precision_states(self) -> Sequence[str]:
        """State arrays, by their inputs' names, whose numbers have 16 bits."""
        return ()

    def writes_over(self) -> Sequence[Tensor]:
        """Sources that the target may lie on: each number is read only just before the same number is written."""
        return ()

    def sources(self) -> list[Tensor]:
        """Tensors that the step reads, one that it reads twice two times."""
        return [
            tensor_of(operand)
            for name, operand in self.operands().items()
            if name != "target" and isinstance(operand, Tensor | ColumnSlice)
        ]


@dataclass(frozen=True, slots=True)
class Plan:
    """A lowered graph."""

    steps: tuple[Step, ...]
    outputs: Mapping[str, Value]
    """What the graph's outputs are: rows, heads of rows, attention maps, or state that is written in place."""
