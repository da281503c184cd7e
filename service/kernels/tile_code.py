"""LLVM code of the tiles of products: sums in registers, and how they become floats."""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir

from service.kernels.llvm import (
    BYTES,
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I1,
    I16,
    I32,
    I64,
    INT32S,
    VECTOR_BYTES,
    WEIGHT_BYTES,
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
_PAIRS = ir.VectorType(I16, WEIGHT_BYTES // 2)
INDEX_BYTES = 4
"""Of the index of an activation."""


def dot_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    width = len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(WEIGHT_BYTES * width)))
    _prefetch_next(builder, here, steps, WEIGHT_BYTES * width)
    columns = [load(builder, BYTES, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        activations = activations_at(builder, builder.add(row, builder.mul(loop.number, I64(DEPTH))), True)
        added += [add_products(builder, running[i * width + j], activations, columns[j]) for j in range(width)]
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
        _prefetch_next(builder, here, steps, VECTOR_BYTES * width)
    columns = [load(builder, FLOATS, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        address = builder.add(row, builder.mul(index, I64(FLOAT_BYTES)))
        one = splat(builder, FLOATS, load_one(builder, FLOAT, address))
        added += [builder.call(fma, [one, columns[j], running[i * width + j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _prefetch_next(builder: ir.IRBuilder, here: Value, steps: Value, step_bytes: int) -> None:
    """Ask for the weights of the next tile."""
    prefetch(builder, builder.add(here, builder.mul(steps, I64(step_bytes))), step_bytes)


def at_least(builder: ir.IRBuilder, sums: list[list[Value]], least: Value) -> list[list[Value]]:
    """Sums, and the least one for those below it."""
    floor = splat(builder, FLOATS, float_of_bits(builder, least))
    return [[builder.select(builder.fcmp_unordered(">", one, floor), one, floor) for one in row] for row in sums]


class Activations(NamedTuple):
    """DEPTH activations of a row, uint8, the same for every column."""

    parts: tuple[Value, ...]
    """What weights are multiplied by, one after the other."""
    signs: Value | None = None
    """What the weights take the signs of."""


def activations_at(builder: ir.IRBuilder, address: Value, is_shifted: bool) -> Activations:
    """The DEPTH activations at an address, less `Target.level_shift` if `is_shifted`.

    Without an instruction for the whole dot product, sums of two products must fit 16 bits. Those of levels less 128
    do, at most 2 x 128 x 127, as sizes times weights with the levels' signs. Levels as they are go one by two.
    """
    few = builder.load(builder.inttoptr(address, I32.as_pointer()), align=1)
    every = builder.bitcast(splat(builder, INT32S, few), BYTES)
    if TARGET.dot_parts is None:
        return Activations((every,))
    if not is_shifted:
        masks = (ir.Constant(BYTES, [-1 * (i % 2 == odd) for i in range(WEIGHT_BYTES)]) for odd in (0, 1))
        return Activations(tuple(builder.and_(every, mask) for mask in masks))
    signs = builder.xor(every, ir.Constant(BYTES, [-TARGET.level_shift] * WEIGHT_BYTES))
    absolute = llvm_function(builder, f"llvm.abs.v{WEIGHT_BYTES}i8", BYTES, BYTES, I1)
    return Activations((builder.call(absolute, [signs, I1(0)]),), signs)


def add_products(builder: ir.IRBuilder, sums: Value, activations: Activations, weights: Value) -> Value:
    """Sums plus the dot products of DEPTH activations with the weights of each column, exactly."""
    if TARGET.dot_parts is None:
        assert TARGET.dot_product is not None
        dot = llvm_function(builder, TARGET.dot_product, INT32S, INT32S, BYTES, BYTES)
        return builder.call(dot, [sums, *activations.parts, weights])
    sign, multiply, add_pairs = TARGET.dot_parts
    if activations.signs is not None:
        weights = builder.call(llvm_function(builder, sign, BYTES, BYTES, BYTES), [weights, activations.signs])
    ones = ir.Constant(_PAIRS, [1] * (WEIGHT_BYTES // 2))
    for part in activations.parts:
        pairs = builder.call(llvm_function(builder, multiply, _PAIRS, BYTES, BYTES), [part, weights])
        products = builder.call(llvm_function(builder, add_pairs, INT32S, _PAIRS, _PAIRS), [pairs, ones])
        sums = builder.add(sums, products)
    return sums


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
