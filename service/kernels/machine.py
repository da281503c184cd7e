"""Runs programs: what a graph computes for all its rows, one compiled call for all instructions.

A row is a hypothesis in the decoder and a source token in the encoder. Instructions name memory by its address, so that
nothing is looked up, allocated or handed over between them, and the interpreter lock is free all the while. A row's
numbers come from that row and its segment alone, in the same order whatever its company.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import addresses_at, bytes_at, copy_floats, floats_at, int8s_at
from service.kernels.attention import attend_pairs, attend_past, attend_segment, attend_source
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
from service.kernels.products import float_product, product, sparse_float_product, sparse_product

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

    `origins` tells who wrote that, as for entries of the past; see `attend_past`. A segment that begins has it where
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
        copy_floats(address, instruction.target + 4 * n * i, n)


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
        copy_floats(instruction.source + 4 * n * i, address, n)


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
            attend_past(instruction, rows, rows_per_segment, positions, origins, room, weights, offsets, False)
        elif kind == ATTEND_HALVED_PAST:
            attend_past(instruction, rows, rows_per_segment, positions, origins, room, weights, offsets, True)
        elif kind == ATTEND_SOURCE:
            attend_source(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, offsets)
        elif kind == ATTEND_SEGMENT:
            attend_segment(instruction, lengths, weights, offsets)
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
            attend_pairs(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, False)
        elif kind == ATTEND_QUANTISED_PAIRS:
            attend_pairs(instruction, rows, rows_per_segment, lengths, width, slices, shown_at, weights, True)
