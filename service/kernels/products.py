"""Instructions that multiply by matrices, int8 and float32, and those that pass over what is 0.

A row's numbers come from that row alone, added up in the same order whatever its company, tile by tile or by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import addresses_at
from service.kernels.tile import (
    DEPTH,
    NARROW,
    NUMBER_BYTES,
    TILE_COLUMNS,
    TILE_ROWS,
    WIDE,
    asked_for,
    float_tile,
    nonzeros,
    product_row,
    product_tile,
)  # fmt: skip
from service.kernels.vectors import LANES

_wide_1, _wide_2, _wide_3, _wide_4, _wide_5, _wide_6 = (product_tile(i + 1, WIDE) for i in range(6))
_narrow_1, _narrow_2, _narrow_3, _narrow_4, _narrow_5, _narrow_6 = (product_tile(i + 1, NARROW) for i in range(6))
_wide_floats_1, _wide_floats_2, _wide_floats_3, _wide_floats_4, _wide_floats_5, _wide_floats_6 = (
    float_tile(i + 1, WIDE) for i in range(6)
)
_narrow_floats_1, _narrow_floats_2, _narrow_floats_3, _narrow_floats_4, _narrow_floats_5, _narrow_floats_6 = (
    float_tile(i + 1, NARROW) for i in range(6)
)
_ask_for = asked_for()
_nonzero_bytes, _nonzero_floats = nonzeros(of_bytes=True), nonzeros(of_bytes=False)
_product_row, _float_row = product_row(), float_tile(1, WIDE, of_chosen=True)

COUNT_BYTES = 8
"""Of how many activations of a row are not 0."""
SPARSE_COST = 3
"""An activation of one row alone costs about as much as so many of a tile of many rows."""


@compiled()
def _tile(num_rows: int, wide: bool, tile: tuple[int, ...]) -> None:
    """See `product_tile`."""
    if num_rows == 6:
        _wide_6(tile) if wide else _narrow_6(tile)
    elif num_rows == 5:
        _wide_5(tile) if wide else _narrow_5(tile)
    elif num_rows == 4:
        _wide_4(tile) if wide else _narrow_4(tile)
    elif num_rows == 3:
        _wide_3(tile) if wide else _narrow_3(tile)
    elif num_rows == 2:
        _wide_2(tile) if wide else _narrow_2(tile)
    else:
        _wide_1(tile) if wide else _narrow_1(tile)


@compiled()
def product(instruction: Any, num_rows: int) -> None:
    """target [rows, columns] = source [rows, size], uint8, times weights (`second`), int8.

    The sums begin with `third`; they are multiplied by `fourth`, and `fifth` is added, and `sixth`: a row for each of
    `stride` bytes, or zeros for one tile with a `stride` of 0.
    """
    n, depth, stride = instruction.columns, instruction.size, instruction.stride
    steps = depth // DEPTH
    column = 0
    while column < n:
        wide = n - column >= TILE_COLUMNS
        weights = instruction.second + column * depth
        first, factors = instruction.third + 4 * column, instruction.fourth + 4 * column
        biases, target = instruction.fifth + 4 * column, instruction.target + 4 * column
        for row in range(0, num_rows, TILE_ROWS):
            source = instruction.source + row * depth
            addend = instruction.sixth + (stride * row + 4 * column if stride else 0)
            out = target + 4 * row * n
            tile = source, depth, weights, steps, first, factors, biases, addend, stride, out, 4 * n
            _tile(min(num_rows - row, TILE_ROWS), wide, tile)
        column += TILE_COLUMNS if wide else LANES


@compiled()
def _float_tile(num_rows: int, wide: bool, tile: Any) -> None:
    """See `float_tile`."""
    if num_rows == 6:
        _wide_floats_6(tile) if wide else _narrow_floats_6(tile)
    elif num_rows == 5:
        _wide_floats_5(tile) if wide else _narrow_floats_5(tile)
    elif num_rows == 4:
        _wide_floats_4(tile) if wide else _narrow_floats_4(tile)
    elif num_rows == 3:
        _wide_floats_3(tile) if wide else _narrow_floats_3(tile)
    elif num_rows == 2:
        _wide_floats_2(tile) if wide else _narrow_floats_2(tile)
    else:
        _wide_floats_1(tile) if wide else _narrow_floats_1(tile)


@compiled()
def float_product(instruction: Any, num_rows: int) -> None:
    """target [rows, columns] = source [rows, size] times weights (`second`), float32, plus `fifth`.

    What is below `zero` becomes `zero`; `sixth` is added then, see `product`.
    """
    n, depth, stride = instruction.columns, instruction.size, instruction.stride
    least = np.int64(np.float32(instruction.zero).view(np.int32))
    column = 0
    while column < n:
        wide = n - column >= TILE_COLUMNS
        weights, biases = instruction.second + 4 * column * depth, instruction.fifth + 4 * column
        for row in range(0, num_rows, TILE_ROWS):
            source, target = instruction.source + 4 * row * depth, instruction.target + 4 * (row * n + column)
            addend = instruction.sixth + (stride * row + 4 * column if stride else 0)
            tile = source, 4 * depth, weights, depth, biases, least, addend, stride, target, 4 * n
            _float_tile(min(num_rows - row, TILE_ROWS), wide, tile)
        column += TILE_COLUMNS if wide else LANES


@compiled()
def found_bytes(size: int) -> int:
    """What finding the activations that are not 0 takes for a row of `size`: see `_find`."""
    return COUNT_BYTES + (NUMBER_BYTES + 1) * (size + LANES)


@compiled()
def _find(instruction: Any, num_rows: int, of_bytes: bool) -> int:
    """Find the activations of each row that are not 0; how many they are in all.

    For each row it writes to `seventh` how many they are, int64, then their numbers, int32, and, `of_bytes`, what they
    are, uint8; there is room for `size` and one vector of both.
    """
    size, total = instruction.size, 0
    for row in range(num_rows):
        found = instruction.seventh + row * found_bytes(size)
        numbers, vectors = found + COUNT_BYTES, size // LANES
        if of_bytes:
            values = numbers + NUMBER_BYTES * (size + LANES)
            _nonzero_bytes((instruction.source + row * size, vectors, numbers, values, found))
        else:
            _nonzero_floats((instruction.source + 4 * row * size, vectors, numbers, found))
        total += addresses_at(found, 1)[0]
    return total


@compiled()
def sparse_product(instruction: Any, num_rows: int) -> None:
    """As `product`, of a source whose zero is 0: where much of it is 0, that is passed over. See `_find`.

    `columns` is a multiple of TILE_COLUMNS; `eighth` are the weights once more, `woven`.
    """
    n, depth, stride = instruction.columns, instruction.size, instruction.stride
    total = _find(instruction, num_rows, True)
    if SPARSE_COST * total > depth * num_rows:
        product(instruction, num_rows)
        return
    for column in range(0, n, TILE_COLUMNS):
        weights = instruction.eighth + column * depth
        if total >= depth:  # most of them will be read
            _ask_for((weights, depth))
        first, factors = instruction.third + 4 * column, instruction.fourth + 4 * column
        biases = instruction.fifth + 4 * column
        for row in range(num_rows):
            found = instruction.seventh + row * found_bytes(depth)
            numbers, steps = found + COUNT_BYTES, max(1, -(-addresses_at(found, 1)[0] // DEPTH))
            values, target = numbers + NUMBER_BYTES * (depth + LANES), instruction.target + 4 * (row * n + column)
            addend = instruction.sixth + (stride * row + 4 * column if stride else 0)
            _product_row((values, numbers, steps, weights, first, factors, biases, addend, target))


@compiled()
def sparse_float_product(instruction: Any, num_rows: int) -> None:
    """As `float_product`: where much is 0, that is passed over. `columns` is a multiple of TILE_COLUMNS."""
    n, depth, stride = instruction.columns, instruction.size, instruction.stride
    total = _find(instruction, num_rows, False)
    if SPARSE_COST * total > depth * num_rows:
        float_product(instruction, num_rows)
        return
    least = np.int64(np.float32(instruction.zero).view(np.int32))
    for column in range(0, n, TILE_COLUMNS):
        weights, biases = instruction.second + 4 * column * depth, instruction.fifth + 4 * column
        if total >= depth:
            _ask_for((weights, 4 * depth))
        for row in range(num_rows):
            found = instruction.seventh + row * found_bytes(depth)
            numbers, steps = found + COUNT_BYTES, max(1, addresses_at(found, 1)[0])
            source, target = instruction.source + 4 * row * depth, instruction.target + 4 * (row * n + column)
            addend = instruction.sixth + (stride * row + 4 * column if stride else 0)
            tile = source, 4 * depth, weights, steps, biases, least, addend, stride, target, 4 * n, numbers
            _float_row(tile)
