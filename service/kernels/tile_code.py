"""LLVM code of the tiles of products: sums in registers, and how they become floats."""

from __future__ import annotations

from llvmlite import ir

from service.kernels.llvm import (
    BYTES,
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I32,
    I64,
    INT32S,
    VECTOR_BYTES,
    Value,
    address_of_turn,
    begin_loop,
    end_loop,
    float_of_bits,
    lanes_below,
    llvm_function,
    load,
    load_masked,
    load_one,
    multiply_add,
    prefetch,
    splat,
    store,
    store_masked,
)
from service.kernels.target import TARGET

DEPTH = TARGET.dot_depth
INDEX_BYTES = 4
"""Of the index of an activation."""


def dot_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    dot, width = dot_product(builder), len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(VECTOR_BYTES * width)))
    _prefetch_next(builder, here, steps, width)
    column_bytes = [load(builder, BYTES, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        row_bytes = four_bytes(builder, builder.add(row, builder.mul(loop.number, I64(DEPTH))))
        added += [builder.call(dot, [running[i * width + j], row_bytes, column_bytes[j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def float_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, biases: Value, width: int,
    indices: Value | None = None,
) -> list[list[Value]]:  # fmt: skip
    """The sums of each row, biases and all products, or those `steps` that have `indices`."""
    fma, first = multiply_add(builder), [load(builder, FLOATS, biases, j) for j in range(width)]
    loop, running = begin_loop(builder, steps, first * len(rows))
    index = loop.number
    if indices is not None:
        index = load_index(builder, address_of_turn(builder, indices, loop, INDEX_BYTES))
    here = builder.add(weights, builder.mul(index, I64(VECTOR_BYTES * width)))
    if indices is None:
        _prefetch_next(builder, here, steps, width)
    columns = [load(builder, FLOATS, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        address = builder.add(row, builder.mul(index, I64(FLOAT_BYTES)))
        one = splat(builder, FLOATS, load_one(builder, FLOAT, address))
        added += [builder.call(fma, [one, columns[j], running[i * width + j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _prefetch_next(builder: ir.IRBuilder, here: Value, steps: Value, width: int) -> None:
    """Ask for the weights of the next tile."""
    following = builder.add(here, builder.mul(steps, I64(VECTOR_BYTES * width)))
    for j in range(width):
        prefetch(builder, following, j)


def at_least(builder: ir.IRBuilder, sums: list[list[Value]], least: Value) -> list[list[Value]]:
    """Sums, and the least one for those below it."""
    floor = splat(builder, FLOATS, float_of_bits(builder, least))
    return [[builder.select(builder.fcmp_unordered(">", one, floor), one, floor) for one in row] for row in sums]


def dot_product(builder: ir.IRBuilder) -> Value:
    """The instruction of which all of this is made."""
    return llvm_function(builder, TARGET.dot_product, INT32S, INT32S, BYTES, BYTES)


def four_bytes(builder: ir.IRBuilder, address: Value) -> Value:
    """Four activations, for every column."""
    four = builder.load(builder.inttoptr(address, I32.as_pointer()), align=1)
    return builder.bitcast(splat(builder, INT32S, four), BYTES)


def load_index(builder: ir.IRBuilder, address: Value) -> Value:
    """One that `nonzeros` found."""
    return builder.zext(builder.load(builder.inttoptr(address, I32.as_pointer()), align=1), I64)


def scaled(builder: ir.IRBuilder, sums: list[list[Value]], factors: Value, biases: Value) -> list[list[Value]]:
    """Sums of integers as floats: times the factors, plus the biases."""
    fma, columns = multiply_add(builder), range(len(sums[0]))
    factor, bias = ([load(builder, FLOATS, address, j) for j in columns] for address in (factors, biases))
    return [[builder.call(fma, [builder.sitofp(row[j], FLOATS), factor[j], bias[j]]) for j in columns] for row in sums]


def write_floats(
    builder: ir.IRBuilder, sums: list[list[Value]], addends: list[Value], rows: list[Value], columns: Value = None
) -> None:
    """Sums plus addends, to memory; of single vectors only the first `columns` numbers, if any are told."""
    mask = None if columns is None else lanes_below(builder, columns)
    for row, addend, address in zip(sums, addends, rows, strict=True):
        for j, total in enumerate(row):
            if mask is None:
                store(builder, builder.fadd(total, load(builder, FLOATS, addend, j)), address, j)
            else:
                more = load_masked(builder, FLOATS, addend, mask)
                store_masked(builder, builder.fadd(total, more), address, mask)
