"""The two loops of attention heads over the entries that they attend to, D floats each, D a multiple of 16.

Heads side by side go over the entries together, so that keys and values are read from end to end: they come from memory
that no cache holds when there are many, which is fast at nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.vectors import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I32,
    I64,
    LANES,
    VECTOR_BYTES,
    Loop,
    Value,
    apart,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
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


def dot_products(num_vectors: int, num_heads: int) -> Callable[..., None]:
    """A function for compiled code: query . key of every entry and of some heads, D = 16 `num_vectors`.

    It takes addresses and sizes: of the queries, float32 [heads, D]; of the keys, float32 [heads, D] each; of how many
    bytes behind that the keys of each entry lie, int64 [entries]; entries, at least 1; of the results, float32
    [entries] for each head; how many bytes lie from one head's to the next's.
    """

    def write(
        builder: ir.IRBuilder, queries: Value, keys: Value, offsets: Value, count: Value, target: Value, distance: Value
    ) -> None:
        fma, total = multiply_add(builder), known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        parts = [load(builder, FLOATS, queries, j) for j in range(num_heads * num_vectors)]
        targets = apart(builder, target, distance, num_heads)
        loop, _ = begin_loop(builder, count, [])
        key = _entry(builder, keys, offsets, loop)
        for head, result in enumerate(targets):
            own = range(head * num_vectors, (head + 1) * num_vectors)
            products = builder.fmul(parts[own[0]], load(builder, FLOATS, key, own[0]))
            for j in own[1:]:
                products = builder.call(fma, [parts[j], load(builder, FLOATS, key, j), products])
            product = builder.call(total, [FLOAT(0.0), products], fastmath=("reassoc",))
            builder.store(product, _number(builder, result, loop), align=4)
        end_loop(builder, loop, [], [])

    return written(6, write)


def weighted_sum(num_vectors: int, num_heads: int) -> Callable[..., None]:
    """A function for compiled code: the sum of weight times value over all entries, for some heads, D = 16
    `num_vectors`.

    It takes addresses and sizes: of the weights, float32 [entries] for each head; how many bytes lie from one head's to
    the next's; of the values, float32 [heads, D] each; of how many bytes behind that the values of each entry lie,
    int64 [entries]; entries, at least 1; of the result, float32 [heads, D].
    """

    def write(
        builder: ir.IRBuilder,
        weights: Value,
        distance: Value,
        values: Value,
        offsets: Value,
        count: Value,
        target: Value,
    ) -> None:
        fma, all_vectors = multiply_add(builder), num_heads * num_vectors
        shares = apart(builder, weights, distance, num_heads)
        loop, sums = begin_loop(builder, count, [of_one(0.0)] * all_vectors)
        value = _entry(builder, values, offsets, loop)
        added = []
        for head, share in enumerate(shares):
            weight = everywhere(builder, FLOATS, builder.load(_number(builder, share, loop), align=4))
            for j in range(head * num_vectors, (head + 1) * num_vectors):
                added.append(builder.call(fma, [weight, load(builder, FLOATS, value, j), sums[j]]))
        end_loop(builder, loop, sums, added)
        for j in range(all_vectors):
            store(builder, added[j], target, j)

    return written(6, write)


def softmax(num_heads: int) -> Callable[..., None]:
    """A function for compiled code: softmax(scale * weights), in place, of some heads.

    It takes addresses and sizes: of the weights, float32 [entries] for each head; how many bytes lie from one head's to
    the next's; entries, at least 1; the bits of the scale, float32, above 0. There must be memory for 16 more weights
    of each head, which are written too. While one head waits for a result another goes on.
    """

    def write(builder: ir.IRBuilder, weights: Value, distance: Value, count: Value, scale_bits: Value) -> None:
        maximum = known(builder, "llvm.maxnum.v16f32", FLOATS, FLOATS, FLOATS)
        largest = known(builder, "llvm.vector.reduce.fmax.v16f32", FLOAT, FLOATS)
        total = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        scale = everywhere(builder, FLOATS, builder.bitcast(builder.trunc(scale_bits, I32), FLOAT))
        vectors = builder.lshr(builder.add(count, I64(LANES - 1)), I64(4))
        rows = apart(builder, weights, distance, num_heads)
        for row in rows:
            store(builder, of_one(_NO_WEIGHT), builder.add(row, builder.mul(count, I64(FLOAT_BYTES))), 0)

        loop, tops = begin_loop(builder, vectors, [of_one(_NO_WEIGHT)] * num_heads)
        found = [
            builder.call(maximum, [top, load(builder, FLOATS, _vector(builder, row, loop), 0)])
            for row, top in zip(rows, tops, strict=True)
        ]
        end_loop(builder, loop, tops, found)
        highest = [everywhere(builder, FLOATS, builder.call(largest, [top], fastmath=("nnan",))) for top in found]

        loop, sums = begin_loop(builder, vectors, [of_one(0.0)] * num_heads)
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

    return written(4, write)


def _entry(builder: ir.IRBuilder, base: Value, offsets: Value, loop: Loop) -> Value:
    """The address of the entry of this turn."""
    address = builder.add(offsets, builder.mul(loop.number, I64(OFFSET_BYTES)))
    return builder.add(base, builder.load(builder.inttoptr(address, I64.as_pointer()), align=8))


def _number(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """A pointer to the float of this turn."""
    return builder.inttoptr(builder.add(base, builder.mul(loop.number, I64(FLOAT_BYTES))), FLOAT.as_pointer())


def _vector(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """The address of the vector of this turn."""
    return builder.add(base, builder.mul(loop.number, I64(VECTOR_BYTES)))
