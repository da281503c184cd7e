"""Instructions that go from number to number of a row: sums and products, bends, buffers side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import bytes_at, floats_at
from service.kernels.bends import bending
from service.kernels.vectors import LANES

_tanh, _sigmoid = bending("Tanh"), bending("Sigmoid")


@compiled()
def quantised(x: np.float32, per_unit: np.float32, zero: np.float32) -> np.uint8:
    """ONNX `QuantizeLinear`: rounded half to even, and kept within 0 and 255."""
    level = np.rint(x * per_unit) + zero
    level = level if level > np.float32(0.0) else np.float32(0.0)
    return np.uint8(np.int32(level if level < np.float32(255.0) else np.float32(255.0)))


@compiled()
def quantise(instruction: Any, num_rows: int) -> None:
    """`source` [rows, columns] quantised to `target`."""
    count = num_rows * instruction.columns
    source, target = floats_at(instruction.source, count), bytes_at(instruction.target, count)
    per_unit, zero = np.float32(1.0) / instruction.scale, instruction.zero
    for i in range(count):
        target[i] = quantised(source[i], per_unit, zero)


@compiled()
def _operands(instruction: Any, row: int) -> Any:
    """Row `row` of `source`, `second` and `target`: `third` and `fourth` say how many bytes the sources' rows take."""
    n = instruction.columns
    return (
        floats_at(instruction.source + row * instruction.third, n),
        floats_at(instruction.second + row * instruction.fourth, n),
        floats_at(instruction.target + 4 * row * n, n),
    )


@compiled()
def add(instruction: Any, num_rows: int) -> None:
    """target = source + second; see `_operands`."""
    for row in range(num_rows):
        source, second, target = _operands(instruction, row)
        for i in range(len(target)):
            target[i] = source[i] + second[i]


@compiled()
def subtract(instruction: Any, num_rows: int) -> None:
    """target = source - second; see `_operands`."""
    for row in range(num_rows):
        source, second, target = _operands(instruction, row)
        for i in range(len(target)):
            target[i] = source[i] - second[i]


@compiled()
def multiply(instruction: Any, num_rows: int) -> None:
    """target = source times second; see `_operands`."""
    for row in range(num_rows):
        source, second, target = _operands(instruction, row)
        for i in range(len(target)):
            target[i] = source[i] * second[i]


@compiled()
def larger(instruction: Any, num_rows: int) -> None:
    """target = the larger one of source and second, of NaN and a number NaN; see `_operands`."""
    for row in range(num_rows):
        source, second, target = _operands(instruction, row)
        for i in range(len(target)):
            is_second = source[i] < second[i] or second[i] != second[i]
            target[i] = second[i] if is_second else source[i]


@compiled()
def bend(instruction: Any, num_rows: int, with_tanh: bool) -> None:
    """target = tanh or the logistic function of source, whose rows take `third` bytes each."""
    n = instruction.columns
    for row in range(num_rows):
        bent = instruction.source + row * instruction.third, instruction.target + 4 * row * n, n // LANES
        if with_tanh:
            _tanh(bent)
        else:
            _sigmoid(bent)


@compiled()
def join(instruction: Any, num_rows: int) -> None:
    """target [rows, columns] = `source`, `second` and `third` side by side, which have so many columns as `fourth`,
    `fifth` and `sixth` say."""
    n = instruction.columns
    for row in range(num_rows):
        target, first = floats_at(instruction.target + 4 * row * n, n), 0
        for address, columns in _parts(instruction):
            part = floats_at(address + 4 * row * columns, columns)
            for i in range(columns):
                target[first + i] = part[i]
            first += columns


@compiled()
def join_quantised(instruction: Any, num_rows: int) -> None:
    """As `join`, but quantised."""
    n = instruction.columns
    per_unit, zero = np.float32(1.0) / instruction.scale, instruction.zero
    for row in range(num_rows):
        target, first = bytes_at(instruction.target + row * n, n), 0
        for address, columns in _parts(instruction):
            part = floats_at(address + 4 * row * columns, columns)
            for i in range(columns):
                target[first + i] = quantised(part[i], per_unit, zero)
            first += columns


@compiled()
def _parts(instruction: Any) -> Any:
    """Addresses and columns of what `join` reads; columns of 0 where there is nothing."""
    return (
        (instruction.source, instruction.fourth),
        (instruction.second, instruction.fifth),
        (instruction.third, instruction.sixth),
    )
