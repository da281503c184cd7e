"""The innermost loops of products, int8 and float32, written for the processor.

`vpdpbusd` (AVX-512 VNNI) multiplies 64 unsigned by 64 signed bytes and adds the products, by fours, to 16 sums of 32
bits, exactly. A tile of rows times columns keeps all its sums in registers while it passes over K, and becomes floats
only at the end, so that inputs are read once for each tile and the result is written once.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.vectors import (
    BYTES,
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I32,
    I64,
    SUMS,
    VECTOR_BYTES,
    Value,
    apart,
    begin_loop,
    end_loop,
    everywhere,
    fetch,
    known,
    load,
    multiply_add,
    store,
    written,
)  # fmt: skip

DEPTH = 4
"""Products that the instruction adds to one sum."""
TILE_ROWS = 6
WIDE, NARROW = 4, 1
"""Vectors of columns of a tile. The largest one has 24 sums, 4 registers of weights and one of activations, of 32."""


def product_tile(num_rows: int, num_vectors: int) -> Callable[..., None]:
    """A function for compiled code: a tile of `num_rows` by 16 `num_vectors` of an int8 product.

    It takes addresses and sizes: of the activations, uint8, and the bytes from one row of them to the next; of the
    weights, int8 [K / 4, columns, 4]; K / 4, at least 1; of what the sums begin with, int32 [columns]; of the factors
    and of what is added, float32 [columns]; of what is added besides, float32, and the bytes from one row of it to the
    next; of the result, float32, and the bytes from one row of it to the next.
    """

    def write(
        builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, first: Value, factors: Value,
        biases: Value, addend: Value, addend_stride: Value, target: Value, target_stride: Value,
    ) -> None:  # fmt: skip
        columns = [load(builder, SUMS, first, j) for j in range(num_vectors)]
        sums = _sums(builder, apart(builder, source, stride, num_rows), weights, steps, columns)
        fma = multiply_add(builder)
        factor = [load(builder, FLOATS, factors, j) for j in range(num_vectors)]
        bias = [load(builder, FLOATS, biases, j) for j in range(num_vectors)]
        floats = [
            [builder.call(fma, [builder.sitofp(row[j], FLOATS), factor[j], bias[j]]) for j in range(num_vectors)]
            for row in sums
        ]
        addends = apart(builder, addend, addend_stride, num_rows)
        _write_floats(builder, floats, addends, apart(builder, target, target_stride, num_rows))

    return written(11, write)


def float_tile(num_rows: int, num_vectors: int) -> Callable[..., None]:
    """A function for compiled code: a tile of `num_rows` by 16 `num_vectors` of a float32 product.

    It takes addresses and sizes: of the activations, and the bytes from one row of them to the next; of the weights
    [K, columns]; K, at least 1; of the biases [columns], with which the sums begin; the bits of the least sum that is
    kept as it is; of what is added then, and the bytes from one row of it to the next; of the result, and the bytes
    from one row of it to the next.
    """

    def write(
        builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, biases: Value, least: Value,
        addend: Value, addend_stride: Value, target: Value, target_stride: Value,
    ) -> None:  # fmt: skip
        columns = [load(builder, FLOATS, biases, j) for j in range(num_vectors)]
        sums = _float_sums(builder, apart(builder, source, stride, num_rows), weights, steps, columns)
        floor = everywhere(builder, FLOATS, builder.bitcast(builder.trunc(least, I32), FLOAT))
        floats = [
            [builder.select(builder.fcmp_unordered(">", total, floor), total, floor) for total in row] for row in sums
        ]
        addends = apart(builder, addend, addend_stride, num_rows)
        _write_floats(builder, floats, addends, apart(builder, target, target_stride, num_rows))

    return written(10, write)


def _sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    dot = known(builder, "llvm.x86.avx512.vpdpbusd.512", SUMS, SUMS, BYTES, BYTES)
    width = len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(VECTOR_BYTES * width)))
    following = builder.add(here, builder.mul(steps, I64(VECTOR_BYTES * width)))
    for j in range(width):
        fetch(builder, following, j)
    column_bytes = [load(builder, BYTES, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        address = builder.add(row, builder.mul(loop.number, I64(DEPTH)))
        four = builder.load(builder.inttoptr(address, I32.as_pointer()), align=1)
        row_bytes = builder.bitcast(everywhere(builder, SUMS, four), BYTES)
        added += [builder.call(dot, [running[i * width + j], row_bytes, column_bytes[j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _float_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    fma, width = multiply_add(builder), len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(VECTOR_BYTES * width)))
    following = builder.add(here, builder.mul(steps, I64(VECTOR_BYTES * width)))
    for j in range(width):
        fetch(builder, following, j)
    columns = [load(builder, FLOATS, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        address = builder.add(row, builder.mul(loop.number, I64(FLOAT_BYTES)))
        one = everywhere(builder, FLOATS, builder.load(builder.inttoptr(address, FLOAT.as_pointer()), align=4))
        added += [builder.call(fma, [one, columns[j], running[i * width + j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _write_floats(builder: ir.IRBuilder, sums: list[list[Value]], addends: list[Value], rows: list[Value]) -> None:
    """Sums plus addends, to memory."""
    for row, addend, address in zip(sums, addends, rows, strict=True):
        for j, total in enumerate(row):
            store(builder, builder.fadd(total, load(builder, FLOATS, addend, j)), address, j)
