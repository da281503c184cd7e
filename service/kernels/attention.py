"""Instructions that attend: a decoder's rows to their past and to the source, an encoder's tokens to their segment."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import addresses_at, clear_floats, copy_floats, floats_at
from service.kernels.bends import pair_energies
from service.kernels.entries import (
    LEAST_SHARED,
    attend,
    attend_shared,
    heads_at_once,
    num_shared,
    rows_together,
    soften,
)
from service.kernels.heads import halving
from service.kernels.vectors import LANES

_halve = halving()
_pair_energies, _quantised_pair_energies = (pair_energies(are_quantised=each) for each in (False, True))


@compiled()
def attend_past(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, positions: np.ndarray, origins: np.ndarray, room: int,
    weights: np.ndarray, offsets: np.ndarray, are_halved: bool,
) -> None:  # fmt: skip
    """Self-attention of a decoder: `source` has query, key and value of each row [rows, 3 columns].

    Key and value are entry number `position` of the past from now on: `second` and `third` [R, room, columns], float32
    or rounded to 16 bits, where entry t of a row lies with row `origins[row, t]` of its segment. `size` is the number
    of heads, `scale` the factor of the products.
    """
    n, heads = instruction.columns, instruction.size
    size, given, shrunk = n // heads, 4 * n, 2 if are_halved else 1
    entry = given // shrunk
    of_row, scale, i = entry * room, instruction.scale, 0
    while i < len(rows):
        segment = rows[i] // rows_per_segment
        num_rows = rows_together(rows, i, rows_per_segment)
        begin = segment * rows_per_segment * of_row
        keys, values = instruction.second + begin, instruction.third + begin
        query, target = instruction.source + 3 * i * given, instruction.target + i * given
        count = positions[rows[i]] + 1
        for j in range(num_rows):
            own = rows[i + j] % rows_per_segment
            origins[rows[i + j], count - 1] = own
            for t in range(count):
                offsets[j, t] = origins[rows[i + j], t] * of_row + t * entry
            new = query + 3 * j * given + given
            _append(new, keys + offsets[j, count - 1], n, are_halved)
            _append(new + given, values + offsets[j, count - 1], n, are_halved)
        num_alike = num_shared(offsets, num_rows, count)
        head = 0
        while head < heads:
            num_heads, part = 1 if num_alike else heads_at_once(size, heads, head), 4 * head * size
            if num_alike:
                attend_shared(
                    size, are_halved, query + part, 3 * given, keys + part // shrunk, values + part // shrunk, offsets,
                    num_alike, count, scale, weights, target + part, given,
                )  # fmt: skip
            else:
                for j in range(num_rows):
                    attend(
                        size, num_heads, are_halved, query + 3 * j * given + part, keys + part // shrunk,
                        values + part // shrunk, offsets[j], count, scale, weights, target + j * given + part,
                    )  # fmt: skip
            head += num_heads
        i += num_rows


@compiled()
def _append(source: int, target: int, count: int, are_halved: bool) -> None:
    """Write `count` floats at the address `source` to that of an entry, as its array has them."""
    if are_halved:
        _halve((source, target, count // LANES))
    else:
        copy_floats(source, target, count)


@compiled()
def attend_source(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, lengths: np.ndarray, width: int, slices: int,
    shown_at: int, weights: np.ndarray, offsets: np.ndarray,
) -> None:  # fmt: skip
    """Attention to the source: queries `source` [rows, columns].

    `second` and `third` say where each segment's keys and values lie, addresses [B]; there they are [length, columns].
    The weights are written `shown_at` bytes behind `fourth`, which is [R, slices, S]: those of this layer's first head;
    what is beyond a segment's length is 0.
    """
    n, heads = instruction.columns, instruction.size
    size = n // heads
    keys, values = addresses_at(instruction.second, len(lengths)), addresses_at(instruction.third, len(lengths))
    for s in range(width):
        offsets[:, s] = 4 * n * s
    i = 0
    while i < len(rows):
        segment = rows[i] // rows_per_segment
        length, head = lengths[segment], 0
        num_rows = rows_together(rows, i, rows_per_segment) if length >= LEAST_SHARED else 1
        while head < heads:
            num_heads = 1 if num_rows > 1 else heads_at_once(size, heads, head)
            part = 4 * head * size
            here = 4 * i * n + part
            query, target = instruction.source + here, instruction.target + here
            if num_rows > 1:
                attend_shared(
                    size, False, query, 4 * n, keys[segment] + part, values[segment] + part, offsets, length, length,
                    instruction.scale, weights, target, 4 * n,
                )  # fmt: skip
            else:
                attend(
                    size, num_heads, False, query, keys[segment] + part, values[segment] + part, offsets[0], length,
                    instruction.scale, weights, target,
                )  # fmt: skip
            for own in range(max(num_rows, num_heads)):
                slice_ = rows[i + own] * slices + head if num_rows > 1 else rows[i] * slices + head + own
                _show(instruction, weights[own], slice_, length, width, shown_at)
            head += num_heads
        i += num_rows


@compiled()
def _show(instruction: Any, weights: np.ndarray, slice_: int, length: int, width: int, shown_at: int) -> None:
    """Write the weights of `length` source tokens where attention slice `slice_`, counted over all rows, is shown."""
    shown = floats_at(instruction.fourth + shown_at + 4 * slice_ * width, width)
    for s in range(length):
        shown[s] = weights[s]
    for s in range(length, width):
        shown[s] = np.float32(0.0)


@compiled()
def attend_pairs(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, lengths: np.ndarray, width: int, slices: int,
    shown_at: int, weights: np.ndarray, are_quantised: bool,
) -> None:  # fmt: skip
    """Additive attention to the source: queries `source` [rows, size].

    `second` and `third` say where each segment's keys [length, size] and values [length, columns] lie, addresses [B];
    `fifth` are weights [size], `sixth` numbers, see `pair_energies`. The weights are shown as in `attend_source`.
    """
    n, size = instruction.columns, instruction.size
    keys, values = addresses_at(instruction.second, len(lengths)), addresses_at(instruction.third, len(lengths))
    for i in range(len(rows)):
        r = rows[i]
        segment = r // rows_per_segment
        length = lengths[segment]
        pairs = (
            instruction.source + 4 * size * i, keys[segment], length, size // LANES, instruction.fifth,
            instruction.sixth, weights.ctypes.data,
        )  # fmt: skip
        if are_quantised:
            _quantised_pair_energies(pairs)
        else:
            _pair_energies(pairs)
        soften(1, weights, length, np.float32(1.0))
        _show(instruction, weights[0], r * slices, length, width, shown_at)
        target, value = floats_at(instruction.target + 4 * n * i, n), floats_at(values[segment], length * n)
        clear_floats(instruction.target + 4 * n * i, n)
        for s in range(length):
            weight, entry = weights[0, s], value[s * n : s * n + n]
            for d in range(n):
                target[d] += weight * entry[d]


@compiled()
def attend_segment(instruction: Any, lengths: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> None:
    """Self-attention of an encoder: queries `source`, keys `second` and values `third`, all [rows, columns].

    The rows of a segment follow one another, `lengths` [B] of them. All of them look at the same entries, head after
    head: those of one are near while they do.
    """
    n, heads = instruction.columns, instruction.size
    size = n // heads
    for t in range(lengths.max()):
        offsets[0, t] = 4 * n * t
    first = 0
    for count in lengths:
        for r in range(first, first + count):
            head = 0
            while head < heads:
                num = heads_at_once(size, heads, head)
                memory, here = 4 * (first * n + head * size), 4 * (r * n + head * size)
                attend(
                    size, num, False, instruction.source + here, instruction.second + memory,
                    instruction.third + memory, offsets[0], count, instruction.scale, weights,
                    instruction.target + here,
                )  # fmt: skip
                head += num
        first += count
