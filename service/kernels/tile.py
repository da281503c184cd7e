"""The innermost loops of products, int8 and float32, written for the processor.

`vpdpbusd` (AVX-512 VNNI) multiplies 64 unsigned by 64 signed bytes and adds the products, by fours, to 16 sums of 32
bits, exactly. A tile of rows times columns keeps all its sums in registers while it passes over K, and becomes floats
only at the end, so that inputs are read once for each tile and the result is written once.

What a rectifier (max(0, x)) gives is mostly 0: in the published Transformer 97 to 99% of it in the encoder, 86% in the
decoder (Li et al. 2022, "The Lazy Neuron Phenomenon", arXiv:2210.06313). `nonzeros` finds the others, and
tiles of one row add up those alone: the rest would add 0, so that sums are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from llvmlite import ir

from service.kernels.vectors import (
    BYTES,
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I8,
    I16,
    I32,
    I64,
    LANES,
    MASK,
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
TILE_COLUMNS = WIDE * LANES
NUMBER_BYTES = 4
"""Of the number of an activation."""
FEW_BYTES, PAIRS = ir.VectorType(I8, LANES), ir.VectorType(I16, VECTOR_BYTES // 2)


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
        floats = _scaled(builder, sums, factors, biases)
        addends = apart(builder, addend, addend_stride, num_rows)
        _write_floats(builder, floats, addends, apart(builder, target, target_stride, num_rows))

    return written(11, write)


def product_row() -> Callable[..., None]:
    """A function for compiled code: TILE_COLUMNS columns of one row of an int8 product, of what is not 0 in it.

    It takes addresses and a size: of what is not 0, uint8, up to the next multiple of DEPTH filled with zeros; of its
    numbers, int32; how many times DEPTH those are, at least 1; of the weights, int8 [K, 64] `woven`; of what the sums
    begin with, the factors, what is added, what is added besides, and the result, as in `product_tile`.
    """

    def write(
        builder: ir.IRBuilder, source: Value, numbers: Value, steps: Value, weights: Value, first: Value,
        factors: Value, biases: Value, addend: Value, target: Value,
    ) -> None:  # fmt: skip
        dot = _dot(builder)
        loop, running = begin_loop(builder, steps, [load(builder, SUMS, first, j) for j in range(WIDE)])
        some = builder.add(numbers, builder.mul(loop.number, I64(DEPTH * NUMBER_BYTES)))
        rows = [
            load(builder, BYTES, builder.add(weights, builder.mul(_number(builder, at), I64(TILE_COLUMNS))), 0)
            for at in apart(builder, some, I64(NUMBER_BYTES), DEPTH)
        ]
        four = _four_bytes(builder, builder.add(source, builder.mul(loop.number, I64(DEPTH))))
        columns = _interleaved(builder, rows)
        added = [builder.call(dot, [running[j], four, columns[j]]) for j in range(WIDE)]
        end_loop(builder, loop, running, added)
        _write_floats(builder, _scaled(builder, [added], factors, biases), [addend], [target])

    return written(9, write)


def float_tile(num_rows: int, num_vectors: int, *, of_chosen: bool = False) -> Callable[..., None]:
    """A function for compiled code: a tile of `num_rows` by 16 `num_vectors` of a float32 product.

    It takes addresses and sizes: of the activations, and the bytes from one row of them to the next; of the weights
    [K, columns]; K, at least 1; of the biases [columns], with which the sums begin; the bits of the least sum that is
    kept as it is; of what is added then, and the bytes from one row of it to the next; of the result, and the bytes
    from one row of it to the next. `of_chosen`: then of the numbers, int32, of what the sums are of, as many as it was
    told instead of K.
    """

    def write(
        builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, biases: Value, least: Value,
        addend: Value, addend_stride: Value, target: Value, target_stride: Value, *chosen: Value,
    ) -> None:  # fmt: skip
        columns = [load(builder, FLOATS, biases, j) for j in range(num_vectors)]
        sums = _float_sums(builder, apart(builder, source, stride, num_rows), weights, steps, columns, *chosen)
        floor = everywhere(builder, FLOATS, builder.bitcast(builder.trunc(least, I32), FLOAT))
        floats = [
            [builder.select(builder.fcmp_unordered(">", total, floor), total, floor) for total in row] for row in sums
        ]
        addends = apart(builder, addend, addend_stride, num_rows)
        _write_floats(builder, floats, addends, apart(builder, target, target_stride, num_rows))

    return written(11 if of_chosen else 10, write)


def nonzeros(of_bytes: bool) -> Callable[..., None]:
    """A function for compiled code: what is not 0 in a row of floats, or of uint8 (`of_bytes`).

    It takes addresses and sizes: of the row, and how many times 16 it has, at least 1; of the numbers of those that
    are not 0, int32, and for bytes of themselves, uint8; of how many they are, int64. There must be room for 16 more
    than the row has; 16 zeros are written behind the last one found.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, numbers: Value, *others: Value) -> None:
        *values, number_found = others
        compress = known(builder, "llvm.x86.avx512.mask.compress.v16i32", SUMS, SUMS, SUMS, MASK)
        ones = known(builder, "llvm.ctpop.i16", I16, I16)
        zero = ir.Constant(SUMS, [0] * LANES)
        loop, (lanes, end) = begin_loop(builder, count, [ir.Constant(SUMS, list(range(LANES))), I64(0)])
        here = builder.add(row, builder.mul(loop.number, I64(LANES * (1 if of_bytes else FLOAT_BYTES))))
        if of_bytes:
            few = builder.load(builder.inttoptr(here, FEW_BYTES.as_pointer()), align=1)
            entries = builder.zext(few, SUMS)
        else:
            entries = load(builder, SUMS, here, 0)
        is_there = builder.icmp_unsigned("!=", entries, zero)
        at = builder.add(numbers, builder.mul(end, I64(NUMBER_BYTES)))
        store(builder, builder.call(compress, [lanes, zero, is_there]), at, 0)
        for address in values:
            found = builder.trunc(builder.call(compress, [entries, zero, is_there]), FEW_BYTES)
            builder.store(found, builder.inttoptr(builder.add(address, end), FEW_BYTES.as_pointer()), align=1)
        more = builder.zext(builder.call(ones, [builder.bitcast(is_there, I16)]), I64)
        following = builder.add(lanes, ir.Constant(SUMS, [LANES] * LANES))
        total = builder.add(end, more)
        end_loop(builder, loop, [lanes, end], [following, total])
        builder.store(total, builder.inttoptr(number_found, I64.as_pointer()))

    return written(5 if of_bytes else 4, write)


def asked_for() -> Callable[..., None]:
    """A function for compiled code: vectors that will be read in no order, asked for from the first to the last.

    It takes an address, and how many vectors lie there, at least 1. They come to the second-level cache.
    """

    def write(builder: ir.IRBuilder, address: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, count, [])
        fetch(builder, builder.add(address, builder.mul(loop.number, I64(VECTOR_BYTES))), 0)
        end_loop(builder, loop, [], [])

    return written(2, write)


def woven(weights: np.ndarray) -> np.ndarray:
    """Weights [K, columns] as `product_row` reads them: for each tile of 64 columns [K, 64].

    Four rows are interleaved by instructions that work in quarters of a vector; so columns 0 to 3 of each of the four
    vectors of sums are in the first quarter.
    """
    depth, columns = weights.shape
    quarters = weights.reshape(depth, columns // TILE_COLUMNS, WIDE, 4, 4)
    return np.ascontiguousarray(quarters.transpose(1, 0, 3, 2, 4))


def _sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    dot, width = _dot(builder), len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(VECTOR_BYTES * width)))
    following = builder.add(here, builder.mul(steps, I64(VECTOR_BYTES * width)))
    for j in range(width):
        fetch(builder, following, j)
    column_bytes = [load(builder, BYTES, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        row_bytes = _four_bytes(builder, builder.add(row, builder.mul(loop.number, I64(DEPTH))))
        added += [builder.call(dot, [running[i * width + j], row_bytes, column_bytes[j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _float_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value],
    chosen: Value | None = None,
) -> list[list[Value]]:  # fmt: skip
    """The sums of each row, `first` and all products, or those `steps` that are `chosen`."""
    fma, width = multiply_add(builder), len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    number = loop.number
    if chosen is not None:
        number = _number(builder, builder.add(chosen, builder.mul(loop.number, I64(NUMBER_BYTES))))
    here = builder.add(weights, builder.mul(number, I64(VECTOR_BYTES * width)))
    if chosen is None:
        following = builder.add(here, builder.mul(steps, I64(VECTOR_BYTES * width)))
        for j in range(width):
            fetch(builder, following, j)
    columns = [load(builder, FLOATS, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        address = builder.add(row, builder.mul(number, I64(FLOAT_BYTES)))
        one = everywhere(builder, FLOATS, builder.load(builder.inttoptr(address, FLOAT.as_pointer()), align=4))
        added += [builder.call(fma, [one, columns[j], running[i * width + j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _dot(builder: ir.IRBuilder) -> Value:
    """The instruction of which all of this is made."""
    return known(builder, "llvm.x86.avx512.vpdpbusd.512", SUMS, SUMS, BYTES, BYTES)


def _four_bytes(builder: ir.IRBuilder, address: Value) -> Value:
    """Four activations, for every column."""
    four = builder.load(builder.inttoptr(address, I32.as_pointer()), align=1)
    return builder.bitcast(everywhere(builder, SUMS, four), BYTES)


def _number(builder: ir.IRBuilder, address: Value) -> Value:
    """One that `nonzeros` found."""
    return builder.zext(builder.load(builder.inttoptr(address, I32.as_pointer()), align=1), I64)


def _interleaved(builder: ir.IRBuilder, rows: list[Value]) -> list[Value]:
    """Four `woven` rows of 64 bytes as four vectors of 16 columns, the bytes of all rows for each."""
    one, two, three, four = rows
    left = [builder.bitcast(half, PAIRS) for half in _zipped(builder, one, two, VECTOR_BYTES)]
    right = [builder.bitcast(half, PAIRS) for half in _zipped(builder, three, four, VECTOR_BYTES)]
    quads = [quad for pair in zip(left, right, strict=True) for quad in _zipped(builder, *pair, VECTOR_BYTES // 2)]
    return [builder.bitcast(quad, BYTES) for quad in quads]


def _zipped(builder: ir.IRBuilder, left: Value, right: Value, count: int) -> list[Value]:
    """Two vectors of `count`, number by number in turn: the first halves of all quarters, and the second halves."""
    quarter = count // 4
    halves = []
    for half in (0, quarter // 2):
        order = [
            start + half + i + count * side
            for start in range(0, count, quarter) for i in range(quarter // 2) for side in (0, 1)
        ]  # fmt: skip
        halves.append(builder.shuffle_vector(left, right, ir.Constant(ir.VectorType(I32, count), order)))
    return halves


def _scaled(builder: ir.IRBuilder, sums: list[list[Value]], factors: Value, biases: Value) -> list[list[Value]]:
    """Sums of integers as floats: times the factors, plus the biases."""
    fma, columns = multiply_add(builder), range(len(sums[0]))
    factor, bias = ([load(builder, FLOATS, address, j) for j in columns] for address in (factors, biases))
    return [[builder.call(fma, [builder.sitofp(row[j], FLOATS), factor[j], bias[j]]) for j in columns] for row in sums]


def _write_floats(builder: ir.IRBuilder, sums: list[list[Value]], addends: list[Value], rows: list[Value]) -> None:
    """Sums plus addends, to memory."""
    for row, addend, address in zip(sums, addends, rows, strict=True):
        for j, total in enumerate(row):
            store(builder, builder.fadd(total, load(builder, FLOATS, addend, j)), address, j)
