"""The two loops of an attention head over the entries that it attends to, D floats each, D a multiple of 16."""

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


def dot_products(num_vectors: int) -> Callable[..., None]:
    """A function for compiled code: query . key of every entry, D = 16 `num_vectors`.

    It takes addresses and sizes: of the query, float32 [D]; of the keys, float32 [D] each; of how many bytes behind
    that each key lies, int64 [entries]; entries, at least 1; of the result, float32 [entries].
    """

    def write(builder: ir.IRBuilder, query: Value, keys: Value, offsets: Value, count: Value, target: Value) -> None:
        fma, total = multiply_add(builder), known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        parts = [load(builder, FLOATS, query, j) for j in range(num_vectors)]
        loop, _ = begin_loop(builder, count, [])
        key = _entry(builder, keys, offsets, loop)
        products = builder.fmul(parts[0], load(builder, FLOATS, key, 0))
        for j in range(1, num_vectors):
            products = builder.call(fma, [parts[j], load(builder, FLOATS, key, j), products])
        result = builder.call(total, [FLOAT(0.0), products], fastmath=("reassoc",))
        address = builder.add(target, builder.mul(loop.number, I64(FLOAT_BYTES)))
        builder.store(result, builder.inttoptr(address, FLOAT.as_pointer()), align=4)
        end_loop(builder, loop, [], [])

    return written(5, write)


def weighted_sum(num_vectors: int) -> Callable[..., None]:
    """A function for compiled code: the sum of weight times value over all entries, D = 16 `num_vectors`.

    It takes addresses and sizes: of the weights, float32 [entries]; of the values, float32 [D] each; of how many bytes
    behind that each value lies, int64 [entries]; entries, at least 1; of the result, float32 [D].
    """

    def write(
        builder: ir.IRBuilder, weights: Value, values: Value, offsets: Value, count: Value, target: Value
    ) -> None:
        fma = multiply_add(builder)
        loop, sums = begin_loop(builder, count, [ir.Constant(FLOATS, [0.0] * 16)] * num_vectors)
        address = builder.add(weights, builder.mul(loop.number, I64(FLOAT_BYTES)))
        weight = everywhere(builder, FLOATS, builder.load(builder.inttoptr(address, FLOAT.as_pointer()), align=4))
        value = _entry(builder, values, offsets, loop)
        added = [builder.call(fma, [weight, load(builder, FLOATS, value, j), sums[j]]) for j in range(num_vectors)]
        end_loop(builder, loop, sums, added)
        for j in range(num_vectors):
            store(builder, added[j], target, j)

    return written(5, write)


def softmax() -> Callable[..., None]:
    """A function for compiled code: softmax(scale * weights), in place.

    It takes addresses and sizes: of the weights, float32 [entries]; entries, at least 1; the bits of the scale,
    float32, above 0. There must be memory for 16 more weights, which are written too.
    """

    def write(builder: ir.IRBuilder, weights: Value, count: Value, scale_bits: Value) -> None:
        maximum = known(builder, "llvm.maxnum.v16f32", FLOATS, FLOATS, FLOATS)
        largest = known(builder, "llvm.vector.reduce.fmax.v16f32", FLOAT, FLOATS)
        total = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        scale = everywhere(builder, FLOATS, builder.bitcast(builder.trunc(scale_bits, I32), FLOAT))
        store(builder, of_one(_NO_WEIGHT), builder.add(weights, builder.mul(count, I64(FLOAT_BYTES))), 0)
        vectors = builder.lshr(builder.add(count, I64(LANES - 1)), I64(4))

        loop, tops = begin_loop(builder, vectors, [of_one(_NO_WEIGHT)])
        found = builder.call(maximum, [tops[0], load(builder, FLOATS, _vector(builder, weights, loop), 0)])
        end_loop(builder, loop, tops, [found])
        top = everywhere(builder, FLOATS, builder.call(largest, [found], fastmath=("nnan",)))

        loop, sums = begin_loop(builder, vectors, [of_one(0.0)])
        here = _vector(builder, weights, loop)
        power = exponential(
            builder, builder.fmul(builder.fsub(load(builder, FLOATS, here, 0), top), scale), has_scale=True
        )
        store(builder, power, here, 0)
        added = builder.fadd(sums[0], power)
        end_loop(builder, loop, sums, [added])
        share = builder.fdiv(FLOAT(1.0), builder.call(total, [FLOAT(0.0), added], fastmath=("reassoc",)))
        shares = everywhere(builder, FLOATS, share)

        loop, _ = begin_loop(builder, vectors, [])
        here = _vector(builder, weights, loop)
        store(builder, builder.fmul(load(builder, FLOATS, here, 0), shares), here, 0)
        end_loop(builder, loop, [], [])

    return written(3, write)


def _entry(builder: ir.IRBuilder, base: Value, offsets: Value, loop: Loop) -> Value:
    """The address of the entry of this turn."""
    address = builder.add(offsets, builder.mul(loop.number, I64(OFFSET_BYTES)))
    return builder.add(base, builder.load(builder.inttoptr(address, I64.as_pointer()), align=8))


def _vector(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """The address of the vector of this turn."""
    return builder.add(base, builder.mul(loop.number, I64(VECTOR_BYTES)))
