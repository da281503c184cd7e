"""LLVM code of attention heads: scores, softmax and weighted sums over entries, a vector at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.llvm import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    HALF_BYTES,
    HALVES,
    I32,
    I64,
    INT32S,
    VECTOR_BYTES,
    Loop,
    Value,
    address_of_turn,
    begin_loop,
    constant,
    end_loop,
    float_of_bits,
    lanes_below,
    largest_lane,
    llvm_function,
    load,
    load_floats,
    load_masked,
    load_one,
    multiply_add,
    pointer,
    splat,
    store,
    store_masked,
    sum_of_lanes,
)
from service.kernels.target import LANES

OFFSET_BYTES = 8
_NO_WEIGHT = -1e30
"""Instead of a product, where there is no entry."""


def write_scores(
    builder: ir.IRBuilder, kind: Any, queries: Sequence[Value], keys: Value, offsets: Value, count: Value,
    rows: Sequence[Value], num_vectors: int, are_shared: bool,
) -> None:  # fmt: skip
    """Query . key of every entry and of all heads, to their `rows` of weights.

    A turn takes as many entries as together have a vector of products, or one entry of a single head; the last turn
    takes the last entry again and again where there are no more.
    """
    fma, num_heads = multiply_add(builder), len(rows)
    num_entries = LANES // num_heads if num_heads > 1 else 1
    parts = [[load(builder, FLOATS, query, j) for j in range(num_vectors)] for query in queries]
    if kind is HALVES:
        parts = [[builder.fpext(builder.fptrunc(part, HALVES), FLOATS) for part in of_head] for of_head in parts]
    last = builder.sub(count, I64(1))
    turns = builder.udiv(builder.add(last, I64(num_entries)), I64(num_entries))
    loop, _ = begin_loop(builder, turns, [])
    first = builder.mul(loop.number, I64(num_entries))
    of_entries, width = [], LANES
    for i in range(num_entries):
        number = builder.add(first, I64(i))
        there_is = builder.icmp_signed("<=", number, last)
        key = _entry(builder, keys, offsets, builder.select(there_is, number, last))
        of_heads = []
        for of_head, own in zip(parts, _vectors(builder, kind, key, num_heads, num_vectors, are_shared), strict=True):
            found = builder.fmul(of_head[0], own[0])
            for j in range(1, num_vectors):
                found = builder.call(fma, [of_head[j], own[j], found])
            of_heads.append(found)
        of_entry, width = _folded(builder, of_heads, LANES)
        of_entries.append(of_entry)
    totals, width = _folded(builder, of_entries, width)
    while width > 1:
        totals, width = _fold(builder, totals, totals, width), width // 2
    for head, row in enumerate(rows):
        own_lanes = [head * num_entries + i for i in range(num_entries)]
        of_row = builder.shuffle_vector(totals, totals, ir.Constant(ir.VectorType(I32, num_entries), own_lanes))
        place = pointer(builder, of_row.type, builder.add(row, builder.mul(first, I64(FLOAT_BYTES))))
        builder.store(of_row, place, align=4)
    end_loop(builder, loop, [], [])


def write_scores_of_any_size(
    builder: ir.IRBuilder, kind: Any, query: Value, keys: Value, offsets: Value, count: Value, weights: Value,
    size: Value,
) -> None:  # fmt: skip
    """Query . key of every entry, of one head."""
    fma = multiply_add(builder)
    entries, _ = begin_loop(builder, count, [])
    key = _entry(builder, keys, offsets, entries.number)
    vectors, (total,) = begin_loop(builder, num_vectors(builder, size), [constant(0.0)])
    mask = mask_of_turn(builder, vectors, size)
    own = load_masked(builder, FLOATS, address_of_turn(builder, query, vectors), mask)
    if kind is HALVES:
        own = builder.fpext(builder.fptrunc(own, HALVES), FLOATS)
    theirs = load_masked(builder, kind, address_of_turn(builder, key, vectors, _kind_bytes(kind)), mask)
    added = builder.call(fma, [own, theirs, total])
    end_loop(builder, vectors, [total], [added])
    place = address_of_turn(builder, weights, entries, FLOAT_BYTES)
    builder.store(sum_of_lanes(builder, added), pointer(builder, FLOAT, place), align=4)
    end_loop(builder, entries, [], [])


def write_sums_of_any_size(
    builder: ir.IRBuilder, kind: Any, weights: Value, values: Value, offsets: Value, count: Value, target: Value,
    size: Value,
) -> None:  # fmt: skip
    """The sum of weight times value over all entries, of one head."""
    fma = multiply_add(builder)
    vectors, _ = begin_loop(builder, num_vectors(builder, size), [])
    mask = mask_of_turn(builder, vectors, size)
    entries, (total,) = begin_loop(builder, count, [constant(0.0)])
    value = address_of_turn(builder, _entry(builder, values, offsets, entries.number), vectors, _kind_bytes(kind))
    weight = splat(builder, FLOATS, load_one(builder, FLOAT, address_of_turn(builder, weights, entries, FLOAT_BYTES)))
    added = builder.call(fma, [weight, load_masked(builder, kind, value, mask), total])
    end_loop(builder, entries, [total], [added])
    store_masked(builder, added, address_of_turn(builder, target, vectors), mask)
    end_loop(builder, vectors, [], [])


def write_softmax(builder: ir.IRBuilder, rows: Sequence[Value], count: Value, scale_bits: Value) -> None:
    """softmax(scale * scores), in place. While one head waits for a result another goes on."""
    maximum = llvm_function(builder, f"llvm.maxnum.v{LANES}f32", FLOATS, FLOATS, FLOATS)
    scale, vectors = splat(builder, FLOATS, float_of_bits(builder, scale_bits)), num_vectors(builder, count)
    for row in rows:
        store(builder, constant(_NO_WEIGHT), builder.add(row, builder.mul(count, I64(FLOAT_BYTES))), 0)

    loop, tops = begin_loop(builder, vectors, [constant(_NO_WEIGHT)] * len(rows))
    found = [
        builder.call(maximum, [top, load(builder, FLOATS, address_of_turn(builder, row, loop), 0)])
        for row, top in zip(rows, tops, strict=True)
    ]
    end_loop(builder, loop, tops, found)
    highest = [splat(builder, FLOATS, largest_lane(builder, top)) for top in found]

    loop, totals = begin_loop(builder, vectors, [constant(0.0)] * len(rows))
    added = []
    for row, top, so_far in zip(rows, highest, totals, strict=True):
        here = address_of_turn(builder, row, loop)
        power = exponential(builder, builder.fmul(builder.fsub(load(builder, FLOATS, here, 0), top), scale))
        store(builder, power, here, 0)
        added.append(builder.fadd(so_far, power))
    end_loop(builder, loop, totals, added)
    factors = [splat(builder, FLOATS, builder.fdiv(FLOAT(1.0), sum_of_lanes(builder, powers))) for powers in added]

    loop, _ = begin_loop(builder, vectors, [])
    for row, factor in zip(rows, factors, strict=True):
        here = address_of_turn(builder, row, loop)
        store(builder, builder.fmul(load(builder, FLOATS, here, 0), factor), here, 0)
    end_loop(builder, loop, [], [])


def write_sums(
    builder: ir.IRBuilder, kind: Any, rows: Sequence[Value], values: Value, offsets: Value, count: Value,
    targets: Sequence[Value], num_vectors: int, are_shared: bool, goes_on: bool,
) -> None:  # fmt: skip
    """The sum of weight times value over all entries, for all heads; it `goes_on` from what their `targets` have."""
    fma, places = multiply_add(builder), [(target, j) for target in targets for j in range(num_vectors)]
    begin = [load(builder, FLOATS, target, j) if goes_on else constant(0.0) for target, j in places]
    loop, totals = begin_loop(builder, count, begin)
    value = _entry(builder, values, offsets, loop.number)
    added: list[Value] = []
    for row, own in zip(rows, _vectors(builder, kind, value, len(rows), num_vectors, are_shared), strict=True):
        weight = splat(builder, FLOATS, load_one(builder, FLOAT, address_of_turn(builder, row, loop, FLOAT_BYTES)))
        for vector in own:
            added.append(builder.call(fma, [weight, vector, totals[len(added)]]))
    end_loop(builder, loop, totals, added)
    for (target, j), total in zip(places, added, strict=True):
        store(builder, total, target, j)


def num_vectors(builder: ir.IRBuilder, count: Value) -> Value:
    """Vectors that hold `count` numbers."""
    return builder.udiv(builder.add(count, I64(LANES - 1)), I64(LANES))


def mask_of_turn(builder: ir.IRBuilder, loop: Loop, count: Value) -> Value:
    """Which lanes of this turn's vector are among the first `count` numbers."""
    return lanes_below(builder, builder.sub(count, builder.mul(loop.number, I64(LANES))))


def _kind_bytes(kind: Any) -> int:
    return VECTOR_BYTES if kind is FLOATS else LANES * HALF_BYTES


def _vectors(
    builder: ir.IRBuilder, kind: Any, entry: Value, num_heads: int, num_vectors: int, are_shared: bool
) -> list[list[Value]]:
    """The vectors of an entry that each head looks at: its own ones, or all heads the same."""
    if are_shared:
        return [[load_floats(builder, kind, entry, j) for j in range(num_vectors)]] * num_heads
    every = [load_floats(builder, kind, entry, j) for j in range(num_heads * num_vectors)]
    return [every[head * num_vectors : (head + 1) * num_vectors] for head in range(num_heads)]


def _folded(builder: ir.IRBuilder, vectors: Sequence[Value], width: int) -> tuple[Value, int]:
    """Sums over the lanes of vectors side by side in one, as far as their number goes: half a block is added to the
    other half, one vector's in the first half of the new block and another's in the second.

    Vectors consist of blocks of `width` lanes, to be summed each; also how wide those of the result are.
    """
    while len(vectors) > 1:
        half = len(vectors) // 2
        vectors = [_fold(builder, a, b, width) for a, b in zip(vectors[:half], vectors[half:], strict=True)]
        width //= 2
    return vectors[0], width


def _fold(builder: ir.IRBuilder, a: Value, b: Value, width: int) -> Value:
    """The halves of the blocks of two vectors, added: those of `a` come first in the blocks of the result."""
    half = width // 2
    stays = [n if n % width < half else LANES + n for n in range(LANES)]
    comes = [n + half if n % width < half else LANES + n - half for n in range(LANES)]
    parts = (builder.shuffle_vector(a, b, ir.Constant(INT32S, lanes)) for lanes in (stays, comes))
    return builder.fadd(*parts)


def _entry(builder: ir.IRBuilder, base: Value, offsets: Value, number: Value) -> Value:
    """The address of entry `number`."""
    address = builder.add(offsets, builder.mul(number, I64(OFFSET_BYTES)))
    return builder.add(base, builder.load(pointer(builder, I64, address), align=8))
