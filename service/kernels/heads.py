"""Attention heads, written for the processor: loops over the entries that they attend to, D numbers each.

Heads side by side go over the entries together, so that keys and values are read from end to end: they come from memory
that no cache holds when there are many, which is fast at nothing else. How fast is up to how many entries the processor
looks at ahead, so that a turn is as few operations as can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.vectors import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    HALF_BYTES,
    HALVES,
    I32,
    I64,
    LANES,
    SUMS,
    VECTOR_BYTES,
    Loop,
    Value,
    apart,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
    load_floats,
    multiply_add,
    of_one,
    store,
    written,
)  # fmt: skip

OFFSET_BYTES = 8
_NO_WEIGHT = -1e30
"""Instead of a product, where there is no entry."""
HEAD_SIZES = (16, 32, 64)
"""D of the heads that there are loops for."""
MOST_VECTORS = 16
"""Vectors of an entry, heads side by side, that are looked at together: registers hold as many sums."""


def attention(num_vectors: int, num_heads: int, kind: Any = FLOATS) -> Callable[..., None]:
    """A function for compiled code: weights = softmax(scale * query . keys), and the sum of weight times value, of some
    heads of a row side by side. Vaswani et al. 2017 (arXiv:1706.03762), equation 1.

    What `products`, `shares` and `sums` do, in one call. It takes addresses and sizes: of the queries, float32 [heads,
    D]; of keys and values, `kind`; of where they lie, int64 [entries]; entries; of the weights and how many bytes lie
    from one head's to the next's; the bits of the scale; of the result, float32 [heads, D].
    """

    def write(
        builder: ir.IRBuilder, query: Value, keys: Value, values: Value, offsets: Value, count: Value, weights: Value,
        distance: Value, scale_bits: Value, target: Value,
    ) -> None:  # fmt: skip
        size = I64(num_vectors * VECTOR_BYTES)
        queries, targets = (apart(builder, first, size, num_heads) for first in (query, target))
        rows = apart(builder, weights, distance, num_heads)
        _write_products(builder, kind, queries, keys, offsets, count, rows, num_vectors, are_shared=False)
        _write_shares(builder, rows, count, scale_bits)
        _write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, are_shared=False, goes_on=False)

    return written(9, write)


def products(num_vectors: int, num_rows: int, kind: Any = FLOATS, *, are_shared: bool = False) -> Callable[..., None]:
    """A function for compiled code: query . key of every entry, of some heads, D = 16 `num_vectors`.

    The heads are those of a row side by side, or, `are_shared`, the same one of as many rows, which look at the same
    keys.

    It takes addresses and sizes: of the first query, float32 [D], rounded to `kind` first, and how many bytes lie from
    one to the next; of the keys, `kind`; of how many bytes behind that address those of an entry lie, int64 [entries];
    entries, at least 1; of the result, float32 [entries] for each head, and how many bytes lie from one's to the
    next's. There must be memory for 16 more of each.
    """

    def write(
        builder: ir.IRBuilder, query: Value, query_distance: Value, keys: Value, offsets: Value, count: Value,
        weights: Value, distance: Value,
    ) -> None:  # fmt: skip
        queries = apart(builder, query, query_distance, num_rows)
        rows = apart(builder, weights, distance, num_rows)
        _write_products(builder, kind, queries, keys, offsets, count, rows, num_vectors, are_shared)

    return written(7, write)


def sums(num_vectors: int, num_rows: int, kind: Any = FLOATS, *, are_shared: bool = False) -> Callable[..., None]:
    """A function for compiled code: to each result the sum of weight times value over all entries is added.

    Heads are as in `products`.

    It takes addresses and sizes: of the first head's weights, float32 [entries], and how many bytes lie from one's to
    the next's; of the values, and of where they lie, as in `products`; entries, at least 1; of the first result,
    float32 [D], and how many bytes lie from one to the next.
    """

    def write(
        builder: ir.IRBuilder, weights: Value, distance: Value, values: Value, offsets: Value, count: Value,
        target: Value, target_distance: Value,
    ) -> None:  # fmt: skip
        rows = apart(builder, weights, distance, num_rows)
        targets = apart(builder, target, target_distance, num_rows)
        _write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, are_shared, goes_on=True)

    return written(7, write)


def shares(num_rows: int) -> Callable[..., None]:
    """A function for compiled code: softmax(scale * products) of some heads, in place. Vaswani et al. 2017
    (arXiv:1706.03762), equation 1.

    It takes the address of the first head's products, float32, each with memory for 16 more; how many bytes lie from
    one's to the next's; how many they are, at least 1; the bits of the scale, float32, above 0.
    """

    def write(builder: ir.IRBuilder, first: Value, distance: Value, count: Value, scale_bits: Value) -> None:
        _write_shares(builder, apart(builder, first, distance, num_rows), count, scale_bits)

    return written(4, write)


def _write_products(
    builder: ir.IRBuilder, kind: Any, queries: Sequence[Value], keys: Value, offsets: Value, count: Value,
    rows: Sequence[Value], num_vectors: int, are_shared: bool,
) -> None:  # fmt: skip
    """Query . key of every entry and of all heads, to their `rows` of weights.

    A turn takes as many entries as together have 16 products, a whole vector, or one entry of a single head; the last
    turn takes the last entry again and again where there are no more.
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
        place = builder.inttoptr(builder.add(row, builder.mul(first, I64(FLOAT_BYTES))), of_row.type.as_pointer())
        builder.store(of_row, place, align=4)
    end_loop(builder, loop, [], [])


def _write_shares(builder: ir.IRBuilder, rows: Sequence[Value], count: Value, scale_bits: Value) -> None:
    """softmax(scale * products), in place. While one head waits for a result another goes on."""
    maximum = known(builder, "llvm.maxnum.v16f32", FLOATS, FLOATS, FLOATS)
    largest = known(builder, "llvm.vector.reduce.fmax.v16f32", FLOAT, FLOATS)
    total = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
    scale = everywhere(builder, FLOATS, builder.bitcast(builder.trunc(scale_bits, I32), FLOAT))
    vectors = builder.lshr(builder.add(count, I64(LANES - 1)), I64(4))
    for row in rows:
        store(builder, of_one(_NO_WEIGHT), builder.add(row, builder.mul(count, I64(FLOAT_BYTES))), 0)

    loop, tops = begin_loop(builder, vectors, [of_one(_NO_WEIGHT)] * len(rows))
    found = [
        builder.call(maximum, [top, load(builder, FLOATS, _vector(builder, row, loop), 0)])
        for row, top in zip(rows, tops, strict=True)
    ]
    end_loop(builder, loop, tops, found)
    highest = [everywhere(builder, FLOATS, builder.call(largest, [top], fastmath=("nnan",))) for top in found]

    loop, sums = begin_loop(builder, vectors, [of_one(0.0)] * len(rows))
    added = []
    for row, top, so_far in zip(rows, highest, sums, strict=True):
        here = _vector(builder, row, loop)
        exponent = builder.fmul(builder.fsub(load(builder, FLOATS, here, 0), top), scale)
        power = exponential(builder, exponent, has_scale=True)
        store(builder, power, here, 0)
        added.append(builder.fadd(so_far, power))
    end_loop(builder, loop, sums, added)
    shares = [
        everywhere(
            builder,
            FLOATS,
            builder.fdiv(FLOAT(1.0), builder.call(total, [FLOAT(0.0), powers], fastmath=("reassoc",))),
        )
        for powers in added
    ]

    loop, _ = begin_loop(builder, vectors, [])
    for row, share in zip(rows, shares, strict=True):
        here = _vector(builder, row, loop)
        store(builder, builder.fmul(load(builder, FLOATS, here, 0), share), here, 0)
    end_loop(builder, loop, [], [])


def _write_sums(
    builder: ir.IRBuilder, kind: Any, rows: Sequence[Value], values: Value, offsets: Value, count: Value,
    targets: Sequence[Value], num_vectors: int, are_shared: bool, goes_on: bool,
) -> None:  # fmt: skip
    """The sum of weight times value over all entries, for all heads; it `goes_on` from what their `targets` have."""
    fma, places = multiply_add(builder), [(target, j) for target in targets for j in range(num_vectors)]
    begin = [load(builder, FLOATS, target, j) if goes_on else of_one(0.0) for target, j in places]
    loop, totals = begin_loop(builder, count, begin)
    value = _entry(builder, values, offsets, loop.number)
    added: list[Value] = []
    for row, own in zip(rows, _vectors(builder, kind, value, len(rows), num_vectors, are_shared), strict=True):
        weight = everywhere(builder, FLOATS, builder.load(_number(builder, row, loop), align=4))
        for vector in own:
            added.append(builder.call(fma, [weight, vector, totals[len(added)]]))
    end_loop(builder, loop, totals, added)
    for (target, j), total in zip(places, added, strict=True):
        store(builder, total, target, j)


def halving() -> Callable[..., None]:
    """A function for compiled code: float32 rounded to 16 bits each, to nearest, half to even.

    It takes the addresses of the floats and of the result, and how many vectors of 16 there are, at least 1.
    """

    def write(builder: ir.IRBuilder, source: Value, target: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, count, [])
        halves = builder.fptrunc(load(builder, FLOATS, _vector(builder, source, loop), 0), HALVES)
        store(builder, halves, builder.add(target, builder.mul(loop.number, I64(LANES * HALF_BYTES))), 0)
        end_loop(builder, loop, [], [])

    return written(3, write)


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
    parts = (builder.shuffle_vector(a, b, ir.Constant(SUMS, lanes)) for lanes in (stays, comes))
    return builder.fadd(*parts)


def _entry(builder: ir.IRBuilder, base: Value, offsets: Value, number: Value) -> Value:
    """The address of entry `number`."""
    address = builder.add(offsets, builder.mul(number, I64(OFFSET_BYTES)))
    return builder.add(base, builder.load(builder.inttoptr(address, I64.as_pointer()), align=8))


def _number(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """A pointer to the float of this turn."""
    return builder.inttoptr(builder.add(base, builder.mul(loop.number, I64(FLOAT_BYTES))), FLOAT.as_pointer())


def _vector(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """The address of the vector of this turn."""
    return builder.add(base, builder.mul(loop.number, I64(VECTOR_BYTES)))
