"""Runs programs: what a graph computes for all its rows, one compiled call for all instructions.

A row is a hypothesis in the decoder and a source token in the encoder. Instructions name memory by its address, so that
nothing is looked up, allocated or handed over between them, and the interpreter lock is free all the while. A row's
numbers come from that row and its segment alone, in the same order whatever its company.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import addresses_at, bytes_at, floats_at, int8s_at
from service.kernels.attending import (
    LEAST_SHARED,
    attend,
    attend_shared,
    clear,
    heads_at_once,
    num_shared,
    rows_together,
    soften,
)
from service.kernels.bends import pair_energies
from service.kernels.elementwise import (
    add,
    bend,
    join,
    join_quantised,
    larger,
    multiply,
    quantise,
    quantised,
    subtract,
)  # fmt: skip
from service.kernels.heads import halving
from service.kernels.products import float_product, product, sparse_float_product, sparse_product
from service.kernels.vectors import LANES

EMBED, NORMALISE, QUANTISE, PRODUCT, ADD, ATTEND_PAST, ATTEND_SOURCE, ATTEND_SEGMENT = range(8)
EMBED_FLOATS, NORMALISE_FLOATS, FLOAT_PRODUCT = range(8, 11)
SPARSE_PRODUCT, SPARSE_FLOAT_PRODUCT, ATTEND_HALVED_PAST = range(11, 14)
LOAD, CARRY, SUBTRACT, MULTIPLY, LARGER, TANH, SIGMOID, JOIN, JOIN_QUANTISED = range(14, 23)
ATTEND_PAIRS, ATTEND_QUANTISED_PAIRS = range(23, 25)
"""What an instruction does; see the functions of these names."""
KINDS = (
    *("Embed", "Normalise", "Quantise", "Product", "Add", "AttendPast", "AttendSource", "AttendSegment"),
    *("EmbedFloats", "NormaliseFloats", "FloatProduct", "SparseProduct", "SparseFloatProduct", "AttendHalvedPast"),
    *("Load", "Carry", "Subtract", "Multiply", "Larger", "Tanh", "Sigmoid", "Join", "JoinQuantised"),
    *("AttendPairs", "AttendQuantisedPairs"),
)
"""Their names."""

INSTRUCTION = np.dtype(
    [(name, np.int64) for name in ("kind", "target", "source", "second", "third", "fourth", "fifth", "sixth")]
    + [(name, np.int64) for name in ("seventh", "eighth", "stride", "columns", "size")]
    + [(name, np.float32) for name in ("scale", "zero")],
    align=True,
)
"""Addresses of memory and of constants, sizes and numbers; each function says what it takes them for."""

_halve = halving()
_pair_energies, _quantised_pair_energies = (pair_energies(are_quantised=each) for each in (False, True))
CARRIED_ENTRIES = 2
"""Of each row of a carried state array: what one step writes and what the next one reads."""


@compiled()
def _embed(instruction: Any, rows: np.ndarray, token_ids: np.ndarray, positions: np.ndarray) -> None:
    """target [rows, columns] = row of int8 table `source` times its scale (`second`), plus that of table `third`.

    That has `fourth` rows, or a single one for all positions.
    """
    n = instruction.columns
    table = int8s_at(instruction.source, instruction.size * n)
    scales = floats_at(instruction.second, instruction.size)
    places, target = floats_at(instruction.third, instruction.fourth * n), floats_at(instruction.target, len(rows) * n)
    for i in range(len(rows)):
        token_id = token_ids[rows[i]]
        scale, token, place = scales[token_id], token_id * n, _place(instruction, positions[rows[i]])
        row, word, where = target[i * n : i * n + n], table[token : token + n], places[place : place + n]
        for j in range(n):
            row[j] = np.float32(word[j]) * scale + where[j]


@compiled()
def _place(instruction: Any, position: int) -> int:
    """Where the row for a position begins; see `_embed`."""
    return position * instruction.columns if instruction.fourth > 1 else 0


@compiled()
def _embed_floats(instruction: Any, rows: np.ndarray, token_ids: np.ndarray, positions: np.ndarray) -> None:
    """As `_embed`, of a float table `source` times `scale`."""
    n, scale = instruction.columns, instruction.scale
    table, places = (
        floats_at(instruction.source, instruction.size * n),
        floats_at(instruction.third, instruction.fourth * n),
    )
    target = floats_at(instruction.target, len(rows) * n)
    for i in range(len(rows)):
        token, place = token_ids[rows[i]] * n, _place(instruction, positions[rows[i]])
        row, word, where = target[i * n : i * n + n], table[token : token + n], places[place : place + n]
        for j in range(n):
            row[j] = word[j] * scale + where[j]


@compiled()
def _carried_at(row: int, step: int) -> int:
    """Which row of a carried state array [R, CARRIED_ENTRIES] has what a row wrote at a step: steps take turns, so that
    nobody writes over what others have yet to read."""
    return row * CARRIED_ENTRIES + step % CARRIED_ENTRIES


@compiled()
def _load(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, positions: np.ndarray, origins: np.ndarray
) -> None:
    """target [rows, columns] = what `source`, a carried state array, has of the step before.

    `origins` tells who wrote that, as for entries of the past; see `_attend_past`. A segment that begins has it where
    `second`, addresses [B], says.
    """
    n = instruction.columns
    begins = addresses_at(instruction.second, rows[-1] // rows_per_segment + 1)
    for i in range(len(rows)):
        r = rows[i]
        own, before = r % rows_per_segment, positions[r] - 1
        if before < 0:
            address = begins[r // rows_per_segment]
        else:
            address = instruction.source + 4 * n * _carried_at(r - own + origins[r, before], before)
        source, target = floats_at(address, n), floats_at(instruction.target + 4 * n * i, n)
        for d in range(n):
            target[d] = source[d]


@compiled()
def _carry(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, positions: np.ndarray, origins: np.ndarray
) -> None:
    """Write `source` [rows, columns] to `target`, a carried state array, for the next step; see `_load`."""
    n = instruction.columns
    for i in range(len(rows)):
        r = rows[i]
        origins[r, positions[r]] = r % rows_per_segment
        address = instruction.target + 4 * n * _carried_at(r, positions[r])
        source, target = floats_at(instruction.source + 4 * n * i, n), floats_at(address, n)
        for d in range(n):
            target[d] = source[d]


@compiled(may_reorder_sums=True)
def _mean_and_factor(row: np.ndarray, epsilon: np.float32) -> tuple[np.float32, np.float32]:
    """Mean of a row, and one over its standard deviation."""
    n = len(row)
    total = np.float32(0.0)
    for i in range(n):
        total += row[i]
    mean = total / np.float32(n)
    total = np.float32(0.0)
    for i in range(n):
        total += (row[i] - mean) * (row[i] - mean)
    return mean, np.float32(1.0) / np.sqrt(total / np.float32(n) + epsilon)


@compiled()
def _normalise_floats(instruction: Any, num_rows: int) -> None:
    """As `_normalise`, but not quantised."""
    n = instruction.columns
    source, target = floats_at(instruction.source, num_rows * n), floats_at(instruction.target, num_rows * n)
    gains, biases = floats_at(instruction.second, n), floats_at(instruction.third, n)
    epsilon = floats_at(instruction.fourth, 1)[0]
    for r in range(num_rows):
        row, out = source[r * n : r * n + n], target[r * n : r * n + n]
        mean, factor = _mean_and_factor(row, epsilon)
        for i in range(n):
            out[i] = (row[i] - mean) * factor * gains[i] + biases[i]


@compiled()
def _normalise(instruction: Any, num_rows: int) -> None:
    """Layer normalisation of `source` with gains (`second`) and biases (`third`), quantised to `target`.

    `fourth` is the epsilon's address. Ba et al. 2016 (arXiv:1607.06450), equation 4.
    """
    n = instruction.columns
    source, target = floats_at(instruction.source, num_rows * n), bytes_at(instruction.target, num_rows * n)
    gains, biases = floats_at(instruction.second, n), floats_at(instruction.third, n)
    per_unit, zero = np.float32(1.0) / instruction.scale, instruction.zero
    epsilon = floats_at(instruction.fourth, 1)[0]
    for r in range(num_rows):
        row, out = source[r * n : r * n + n], target[r * n : r * n + n]
        mean, factor = _mean_and_factor(row, epsilon)
        for i in range(n):
            out[i] = quantised((row[i] - mean) * factor * gains[i] + biases[i], per_unit, zero)


@compiled()
def _attend_past(
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
    clear(instruction.target, len(rows) * n)
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
        given, kept = floats_at(source, count), floats_at(target, count)
        for d in range(count):
            kept[d] = given[d]


@compiled()
def _attend_source(
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
    clear(instruction.target, len(rows) * n)
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
def _attend_pairs(
    instruction: Any, rows: np.ndarray, rows_per_segment: int, lengths: np.ndarray, width: int, slices: int,
    shown_at: int, weights: np.ndarray, are_quantised: bool,
) -> None:  # fmt: skip
    """Additive attention to the source: queries `source` [rows, size].

    `second` and `third` say where each segment's keys [length, size] and values [length, columns] lie, addresses [B];
    `fifth` are weights [size], `sixth` numbers, see `pair_energies`. The weights are shown as in `_attend_source`.
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
        for d in range(n):
            target[d] = np.float32(0.0)
        for s in range(length):
            weight, entry = weights[0, s], value[s * n : s * n + n]
            for d in range(n):
                target[d] += weight * entry[d]


@compiled()
def _attend_segment(instruction: Any, lengths: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> None:
    """Self-attention of an encoder: queries `source`, keys `second` and values `third`, all [rows, columns].

    The rows of a segment follow one another, `lengths` [B] of them. All of them look at the same entries, head after
    head: those of one are near while they do.
    """
    n, heads = instruction.columns, instruction.size
    size = n // heads
    for t in range(lengths.max()):
        offsets[0, t] = 4 * n * t
    clear(instruction.target, lengths.sum() * n)
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


@compiled()
def run(
    program: np.ndarray,
    rows: np.ndarray,
    rows_per_segment: int,
    token_ids: np.ndarray,
    positions: np.ndarray,
    lengths: np.ndarray,
    origins: np.ndarray,
    room: int,
    width: int,
    slices: int,
    shown_at: int,
    weights: np.ndarray,
    offsets: np.ndarray,
) -> None:
    """Do all instructions of `program` for some `rows` [rows] of R.

    What instructions hand to each other, and results, have one row for each of `rows`; state and attention, `token_ids`
    and `positions` [R] and `origins` [R, T] have all. `lengths` [B]: source tokens of each segment; `room`: entries
    that growing arrays have memory for; `width`, `slices`: source columns and attention slices of each row;
    `shown_at`: how many bytes behind its place attention is written; `weights` [MOST_VECTORS, entries + LANES] and
    `offsets` [GROUP, entries] are used.
    """
    num_rows = len(rows)
    for i in range(len(program)):
        instruction = program[i]
        kind = instruction.kind
        if kind == PRODUCT:
            product(instruction, num_rows)
        elif kind == NORMALISE:
            _normalise(instruction, num_rows)
        elif kind == QUANTISE:
            quantise(instruction, num_rows)
        elif kind == ADD:
            add(instruction, num_rows)
        elif kind == ATTEND_PAST:
            _attend_past(instruction, rows, rows_per_segment, positions, origins, room, weights, offsets, False)
        elif kind == ATTEND_HALVED_PAST:
            _attend_past(instruction, rows, rows_per_segment, positions, origins, room, weights, offsets, True)
        elif kind == ATTEND_SOURCE:
            _attend_source(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, offsets)
        elif kind == ATTEND_SEGMENT:
            _attend_segment(instruction, lengths, weights, offsets)
        elif kind == SPARSE_PRODUCT:
            sparse_product(instruction, num_rows)
        elif kind == FLOAT_PRODUCT:
            float_product(instruction, num_rows)
        elif kind == SPARSE_FLOAT_PRODUCT:
            sparse_float_product(instruction, num_rows)
        elif kind == NORMALISE_FLOATS:
            _normalise_floats(instruction, num_rows)
        elif kind == EMBED_FLOATS:
            _embed_floats(instruction, rows, token_ids, positions)
        elif kind == EMBED:
            _embed(instruction, rows, token_ids, positions)
        elif kind == LOAD:
            _load(instruction, rows, rows_per_segment, positions, origins)
        elif kind == CARRY:
            _carry(instruction, rows, rows_per_segment, positions, origins)
        elif kind == SUBTRACT:
            subtract(instruction, num_rows)
        elif kind == MULTIPLY:
            multiply(instruction, num_rows)
        elif kind == LARGER:
            larger(instruction, num_rows)
        elif kind == TANH:
            bend(instruction, num_rows, True)
        elif kind == SIGMOID:
            bend(instruction, num_rows, False)
        elif kind == JOIN:
            join(instruction, num_rows)
        elif kind == JOIN_QUANTISED:
            join_quantised(instruction, num_rows)
        elif kind == ATTEND_PAIRS:
            _attend_pairs(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, False)
        elif kind == ATTEND_QUANTISED_PAIRS:
            _attend_pairs(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, True)
