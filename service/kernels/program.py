"""A plan made ready: constants laid out as kernels read them, memory planned, instructions written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from service.kernels.instruction import SLOTS
from service.lowering.fusion import outputs_of
from service.lowering.memory import plan_memory
from service.lowering.plan import InitialState, MapOf, Operand, Plan, Scratch, StateArray, Step
from service.lowering.values import AttentionWeights, ColumnSlice, Tensor, tensor_of
from service.memory import CACHE_LINE_BYTES, whole_lines, zeros

CONSTANTS_BYTES = 1 << 23
"""Constants are kept in pieces of memory of at least this size."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a program finds and leaves memory that is not its own: addresses."""

    states: Mapping[str, int] = field(default_factory=dict)
    """State arrays by the names of the graph's inputs."""
    initial_states: Mapping[str, int] = field(default_factory=dict)
    """Addresses [B] of what carried ones begin with, by the same names."""
    outputs: Mapping[Tensor, int] = field(default_factory=dict)
    """Results that others read; 0 for those that `Instructions.write_to` places."""
    maps: Mapping[AttentionWeights, int] = field(default_factory=dict)
    """Attention weights of the first row."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """A program for up to `num_rows` rows, its memory bound."""

    array: np.ndarray
    """int64 [instructions, SLOTS]: what `machine.run` takes."""
    num_rows: int
    steps: Sequence[Step]
    """The step that each instruction does."""
    uses: Mapping[Tensor, Sequence[tuple[int, int, int]]]
    """Instructions and their slots that name an output, and how many bytes behind it the operand begins."""
    memory: np.ndarray
    """Tensors that instructions hand to each other lie here."""
    constants: Sequence[np.ndarray]
    """And here what never changes."""

    def write_to(self, output: Tensor, address: int) -> None:
        """Let an output begin at `address`."""
        for number, slot, shift in self.uses[output]:
            self.array[number, slot] = address + shift


class Program:
    """The steps of a plan, ready to be written down as instructions."""

    def __init__(self, plan: Plan, *, is_compiled: bool = True) -> None:
        """Instructions know their compiled functions unless the program is for the interpreter, not `is_compiled`."""
        self._is_compiled = is_compiled
        self.plan, self._outputs = plan, outputs_of(plan)
        self.memory_plan = plan_memory(plan.steps, self._outputs)
        self.half_precision = frozenset(name for step in plan.steps for name in step.half_precision_states())
        """The growing state arrays, by the names of the graph's inputs, that have numbers of 16 bits."""
        self._kept: list[np.ndarray] = []
        self._free = np.zeros(0, np.uint8)
        self._memory = np.zeros(0, np.uint8)
        self._fixed = np.zeros((len(plan.steps), SLOTS), np.int64)
        self._elsewhere: list[tuple[int, int, Operand]] = []
        named: list[tuple[int, int, Tensor, int]] = []
        self._scratch_bytes = 0
        for i, step in enumerate(plan.steps):
            for slot, operand in self._write_fixed(i, step):
                if isinstance(operand, Tensor | ColumnSlice):
                    named.append((i, slot, tensor_of(operand), _shift(operand)))
                else:
                    self._elsewhere.append((i, slot, operand))
        self._uses = {
            output: [(i, slot, shift) for i, slot, rows, shift in named if rows is output] for output in self._outputs
        }
        """See `Instructions.uses`."""
        offsets = self.memory_plan.offsets
        own = [(i, slot, offsets[rows], shift) for i, slot, rows, shift in named if rows in offsets]
        self._own = np.array(own, np.int64).reshape(-1, 4).T
        """Instructions, slots, offsets of rows in the program's memory for one row, and shifts of operands behind."""

    def instructions(self, num_rows: int, places: Places) -> Instructions:
        """Instructions for at most `num_rows` rows.

        All instructions of a program hand rows to each other in the same memory, so only one may run at a time.
        """
        row_bytes = self.memory_plan.row_bytes
        num_bytes = (row_bytes + self._scratch_bytes) * num_rows
        if len(self._memory) < num_bytes:
            self._memory = _aligned(num_bytes)
        begin, array = self._memory.ctypes.data, self._fixed.copy()
        numbers, slots, offsets, shifts = self._own
        array[numbers, slots] = begin + offsets * num_rows + shifts
        for number, slot, operand in self._elsewhere:
            match operand:
                case StateArray(name):
                    array[number, slot] = places.states[name]
                case InitialState(name):
                    array[number, slot] = places.initial_states[name]
                case MapOf(weights):
                    array[number, slot] = places.maps[weights]
                case Scratch():
                    array[number, slot] = begin + row_bytes * num_rows
        found = Instructions(array, num_rows, self.plan.steps, self._uses, self._memory, self._kept)
        for output, address in places.outputs.items():
            found.write_to(output, address)
        return found

    def _write_fixed(self, number: int, step: Step) -> list[tuple[int, Operand]]:
        """Write the part of an instruction that never changes; the other operands, with their slots."""
        kernel, operands, constants = step.kernel, step.operands(), step.constants()
        given = {*operands, *constants}
        others = given ^ set(kernel.operands)
        assert not others, f"{kernel.name}: operands {sorted(others)} do not agree"
        row = self._fixed[number]
        row[0] = kernel.address if self._is_compiled else 0
        record = row.view(kernel.layout)
        for name, array in constants.items():
            record[name] = self._keep(array)
        places: list[tuple[int, Operand]] = []
        for name, operand in operands.items():
            if isinstance(operand, int | float | np.number):
                record[name] = operand
            else:
                places.append((kernel.slot(name), operand))
            if isinstance(operand, Scratch):
                self._scratch_bytes = max(self._scratch_bytes, operand.row_bytes)
        return places

    def _keep(self, array: np.ndarray) -> int:
        """The address of a copy that stays."""
        size = whole_lines(array.nbytes)
        if len(self._free) < size:
            self._free = zeros(max(size, CONSTANTS_BYTES))
            self._kept.append(self._free)
        memory, self._free = self._free[: array.nbytes], self._free[size:]
        memory.view(array.dtype)[:] = array.reshape(-1)
        return memory.ctypes.data


def _shift(operand: Tensor | ColumnSlice) -> int:
    """How many bytes behind its rows an operand begins."""
    return operand.first * np.dtype(operand.of.dtype).itemsize if isinstance(operand, ColumnSlice) else 0


def _aligned(num_bytes: int) -> np.ndarray:
    """Memory that begins with a cache line, and one line more, which kernels may read."""
    memory = zeros(num_bytes + 2 * CACHE_LINE_BYTES)
    start = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[start : start + num_bytes + CACHE_LINE_BYTES]
