"""Kernels against their numpy references, instruction by instruction, and plans as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from service.kernels.interpreter import View
from service.kernels.machine import run
from service.kernels.program import Instructions, Program
from service.kernels.row_batch import RowBatch
from service.lowering.plan import Step
from service.lowering.values import ColumnSlice, Tensor, tensor_of

TOLERANCE = 1e-4
"""Of floats: the largest difference that is allowed, times one more than the largest number."""
LEVELS_TOLERANCE, LEVELS_SHARE = 1, 0.02
"""Of uint8: a number may be one off where it is nearly a tie, in this share of all."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An instruction whose kernel writes other numbers than its reference."""

    number: int
    """Of the instruction, from 0."""
    step: Step
    largest: float
    """The largest difference of two numbers."""
    row: int
    column: int
    """Where it is."""
    found: float
    expected: float
    of: str = ""
    """What they are of, where that is not the step's target."""

    def __str__(self) -> str:
        where = f"{f'{self.of}, ' if self.of else ''}row {self.row}, column {self.column}"
        return (
            f"instruction {self.number}, {self.step.kernel.name}: {where}: kernel {self.found:.6g}, "
            f"reference {self.expected:.6g}"
        )


@dataclass
class Check:
    """Runs instructions one by one, as `machine.run_compiled` does, and compares all that each writes with what its
    reference writes."""

    num_instructions: int = 0
    """Compared so far."""
    differences: list[Mismatch] = field(default_factory=list)
    """Of the first run that had some."""

    def __call__(self, instructions: Instructions, batch: RowBatch) -> None:
        found = []
        for number, step in enumerate(instructions.steps):
            view = View(step, instructions.array[number], batch)
            expected = step.reference(view)
            others = {name: place.copy() for name, place in step.written(view).items()}
            for place in step.written(view).values():
                place[...] = np.nan  # or what a kernel leaves out would be right
            run(instructions.array[number : number + 1], batch.record)
            self.num_instructions += 1
            pairs = [] if expected is None else [("", view.rows("target"), expected)]
            pairs += [(name, place, others[name]) for name, place in step.written(view).items()]
            found += [apart for pair in pairs if (apart := _difference(number, step, *pair))]
        self.differences = self.differences or found


def _difference(number: int, step: Step, of: str, given: np.ndarray, expected: np.ndarray) -> Mismatch | None:
    found, wanted = given.astype(np.float64), expected.astype(np.float64)
    apart = np.where(np.isnan(found) & np.isnan(wanted), 0.0, np.abs(found - wanted))
    apart = np.where(np.isnan(apart), np.inf, apart)
    if expected.dtype == np.uint8:
        is_same = apart.max() <= LEVELS_TOLERANCE and (apart > 0).mean() <= LEVELS_SHARE
    else:
        is_same = bool(apart.max() <= TOLERANCE * (1.0 + np.abs(wanted).max()))
    if is_same:
        return None
    row, column = np.unravel_index(int(apart.argmax()), apart.shape)
    return Mismatch(
        number, step, float(apart.max()), int(row), int(column), float(found[row, column]),
        float(wanted[row, column]), of,
    )  # fmt: skip


def show(program: Program) -> Iterator[tuple[str, ...]]:
    """Of each step its number, instruction, operands with their shapes, the place of its target and bytes a row.

    Places are bytes from the beginning of the program's memory, for one row; rows that others place are `output`.
    """
    names: dict[Tensor, str] = {}
    for number, step in enumerate(program.plan.steps):
        reads = [
            f"{name}={_shown(operand, names)}"
            for name, operand in step.operands().items()
            if name != "target" and isinstance(operand, Tensor | ColumnSlice)
        ]
        constants = [
            f"{name}={'x'.join(map(str, getattr(step, name).shape))}"
            for name in step.constants()
            if isinstance(getattr(step, name, None), np.ndarray)
        ]
        target, place, row_bytes = "", "", ""
        if step.target is not None:
            names[step.target] = f"r{number}"
            target = f"{_shown(step.target, names)} {np.dtype(step.target.dtype).name}"
            offset = program.memory_plan.offsets.get(step.target)
            place, row_bytes = "output" if offset is None else str(offset), str(step.target.row_bytes)
        yield str(number), step.kernel.name, target, " ".join([*reads, *constants]), place, row_bytes


def _shown(operand: Tensor | ColumnSlice, names: dict[Tensor, str]) -> str:
    name = names.get(tensor_of(operand), "?")
    if isinstance(operand, ColumnSlice):
        return f"{name}[{operand.first}:{operand.first + operand.columns}]"
    return f"{name}[{operand.columns}]"
