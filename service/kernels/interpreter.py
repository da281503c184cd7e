"""Runs programs in numpy: the oracle of kernels, step by step, and what runs where no target fits the processor.

It reads and writes the same memory as `machine.run`, instruction by instruction; numbers are computed by each step's
`reference`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from service.kernels.program import Instructions
from service.kernels.row_batch import RowBatch
from service.lowering.plan import Step
from service.lowering.values import ColumnSlice, Tensor


@dataclass(frozen=True, slots=True)
class View:
    """The operands of one instruction as arrays."""

    step: Step
    instruction: np.ndarray
    batch: RowBatch

    @property
    def num_rows(self) -> int:
        """Rows of this run."""
        return len(self.batch.rows)

    def address(self, name: str) -> int:
        """The address that an operand is."""
        return int(self.instruction[self.step.kernel.slot(name)])

    def rows(self, name: str) -> np.ndarray:
        """The rows of an operand [rows, columns], where they lie."""
        operand = self.step.operands()[name]
        assert isinstance(operand, Tensor | ColumnSlice)
        whole = operand.of if isinstance(operand, ColumnSlice) else operand
        itemsize = np.dtype(whole.dtype).itemsize
        memory = array_at(self.address(name), (self._span(whole, operand.columns),), whole.dtype)
        strides = (whole.row_bytes, itemsize)
        array: np.ndarray = np.lib.stride_tricks.as_strided(memory, (self.num_rows, operand.columns), strides)
        return array

    def _span(self, whole: Tensor, columns: int) -> int:
        return max(0, self.num_rows - 1) * whole.columns + columns


def array_at(address: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """The array that lies at an address."""
    dtype = np.dtype(dtype)
    num_bytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not num_bytes:
        return np.zeros(shape, dtype)
    memory = (ctypes.c_char * num_bytes).from_address(address)
    array: np.ndarray = np.frombuffer(memory, dtype).reshape(shape)
    return array


def interpret(instructions: Instructions, batch: RowBatch) -> None:
    """Do all instructions, as `machine.run` does."""
    for step, instruction in zip(instructions.steps, instructions.array, strict=True):
        interpret_step(View(step, instruction, batch))


def interpret_step(view: View) -> None:
    """Do one instruction."""
    result = view.step.reference(view)
    if result is not None:
        view.rows("target")[:] = result


def quantised(floats: np.ndarray, rows: Tensor) -> np.ndarray:
    """`floats` as `rows` has them: ONNX `QuantizeLinear`, half to even, when they are uint8."""
    if rows.dtype is np.float32:
        return floats.astype(np.float32)
    levels = np.rint(floats * np.float32(1.0 / np.float32(rows.scale))) + rows.zero
    limited: np.ndarray = np.clip(levels, 0, 255).astype(np.uint8)
    return limited
