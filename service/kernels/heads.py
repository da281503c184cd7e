"""The two loops of an attention head over the entries that it attends to, D floats each, D a multiple of 16."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.vectors import (
    FLOAT,
    FLOATS,
    I8,
    I32,
    I64,
    VECTOR_BYTES,
    Value,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
    multiply_add,
    store,
    written,
)  # fmt: skip

FLOAT_BYTES = 4
HEAD_SIZES = (16, 32, 64)
"""D of the heads that there are loops for."""


def dot_products(num_vectors: int) -> Callable[..., None]:
    """A function for compiled code: query . key of every entry, D = 16 `num_vectors`.

    It takes addresses and sizes: of the query, float32 [D]; of the first key, float32 [D], and the bytes to the next;
    entries, at least 1; of the result, float32 [entries].
    """

    def write(builder: ir.IRBuilder, query: Value, keys: Value, stride: Value, count: Value, target: Value) -> None:
        fma, total = multiply_add(builder), known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        parts = [load(builder, FLOATS, query, j) for j in range(num_vectors)]
        loop, _ = begin_loop(builder, count, [])
        key = builder.add(keys, builder.mul(loop.number, stride))
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

    It takes addresses and sizes: of the weights, float32 [entries]; of the first value, float32 [D], and the bytes to
    the next; entries, at least 1; of the result, float32 [D].
    """

    def write(builder: ir.IRBuilder, weights: Value, values: Value, stride: Value, count: Value, target: Value) -> None:
        fma = multiply_add(builder)
        loop, sums = begin_loop(builder, count, [ir.Constant(FLOATS, [0.0] * 16)] * num_vectors)
        address = builder.add(weights, builder.mul(loop.number, I64(FLOAT_BYTES)))
        weight = everywhere(builder, FLOATS, builder.load(builder.inttoptr(address, FLOAT.as_pointer()), align=4))
        value = builder.add(values, builder.mul(loop.number, stride))
        added = [builder.call(fma, [weight, load(builder, FLOATS, value, j), sums[j]]) for j in range(num_vectors)]
        end_loop(builder, loop, sums, added)
        for j in range(num_vectors):
            store(builder, added[j], target, j)

    return written(5, write)


def prefetch() -> Callable[..., None]:
    """A function for compiled code: bring memory into the cache that will be read soon.

    It takes an address and how many cache lines to bring, at least 1.
    """

    def write(builder: ir.IRBuilder, address: Value, count: Value) -> None:
        fetch = known(builder, "llvm.prefetch.p0", ir.VoidType(), I8.as_pointer(), I32, I32, I32)
        loop, _ = begin_loop(builder, count, [])
        line = builder.add(address, builder.mul(loop.number, I64(VECTOR_BYTES)))
        builder.call(fetch, [builder.inttoptr(line, I8.as_pointer()), I32(0), I32(3), I32(1)])
        end_loop(builder, loop, [], [])

    return written(2, write)
