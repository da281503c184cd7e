"""LLVM code of additive attention: weights . tanh(query + key).

Bahdanau et al. 2015 (arXiv:1409.0473), appendix A.1.2.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.functions import tanh
from service.kernels.llvm import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I64,
    Value,
    Write,
    address_of_turn,
    begin_loop,
    constant,
    end_loop,
    lanes_below,
    llvm_function,
    llvm_variants,
    load_masked,
    load_one,
    multiply_add,
    pointer,
    splat,
    sum_of_lanes,
)
from service.kernels.target import LANES


def pair_energies() -> Callable[..., None]:
    """A function for compiled code: weights . tanh(query + key) of every key.

    It takes 1 if tanh is made an integer as ONNX `QuantizeLinear` does, else 0; then addresses and sizes: of the query,
    float32; of the keys, float32, one behind the other; how many keys, at least 1; numbers that query, key and weights
    have; of the weights, float32; of three numbers, float32: one over the scale, the zero, and what the sum of
    integers, exact up to 2^24, is multiplied by; of the result, float32 [keys].
    """

    def code(is_quantised: bool) -> Write:
        def write(
            builder: ir.IRBuilder, query: Value, keys: Value, count: Value, size: Value,
            weights: Value, numbers: Value, target: Value,
        ) -> None:  # fmt: skip
            fma = multiply_add(builder)
            per_unit, zero, factor = (
                load_one(builder, FLOAT, builder.add(numbers, I64(FLOAT_BYTES * i))) for i in range(3)
            )
            entries, _ = begin_loop(builder, count, [])
            key = builder.add(keys, builder.mul(entries.number, builder.mul(size, I64(FLOAT_BYTES))))
            num_vectors = builder.udiv(builder.add(size, I64(LANES - 1)), I64(LANES))
            columns, sums = begin_loop(builder, num_vectors, [constant(0.0)])
            mask = lanes_below(builder, builder.sub(size, builder.mul(columns.number, I64(LANES))))
            own, theirs, weight = (
                load_masked(builder, FLOATS, address_of_turn(builder, base, columns), mask)
                for base in (query, key, weights)
            )
            found = tanh(builder, builder.fadd(own, theirs))
            if is_quantised:
                found = _levels(builder, found, splat(builder, FLOATS, per_unit), splat(builder, FLOATS, zero))
            added = builder.call(fma, [found, weight, sums[0]])
            end_loop(builder, columns, sums, [added])
            energy = sum_of_lanes(builder, added)
            if is_quantised:
                energy = builder.fmul(energy, factor)
            place = address_of_turn(builder, target, entries, FLOAT_BYTES)
            builder.store(energy, pointer(builder, FLOAT, place), align=4)
            end_loop(builder, entries, [], [])

        return write

    return llvm_variants(7, [code(False), code(True)])


def _levels(builder: ir.IRBuilder, x: Value, per_unit: Value, zero: Value) -> Value:
    """Of each number its uint8 less the zero: rounded half to even, and kept within 0 and 255."""
    round_, least, most = (
        llvm_function(builder, f"llvm.{name}.v{LANES}f32", FLOATS, *[FLOATS] * count)
        for name, count in (("rint", 1), ("maxnum", 2), ("minnum", 2))
    )
    level = builder.fadd(builder.call(round_, [builder.fmul(x, per_unit)]), zero)
    kept = builder.call(most, [builder.call(least, [level, constant(0.0)]), constant(255.0)])
    return builder.fsub(kept, zero)
