"""What choosing needs of a row of logits, all of which must be read for it: maxima, and the sum of exponentials."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.vectors import (
    FLOAT,
    FLOATS,
    I64,
    SUMS,
    Value,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
    multiply_add,
    written,
)  # fmt: skip

BLOCK = 64
"""Entries that have a maximum of their own."""
FLOAT_BYTES = 4
_NUM_VECTORS = BLOCK // 16
_LEAST = -87.0
"""Smaller exponents count as this one: e to it is the smallest normal number."""
_LOG2_E, _LN2_HIGH, _LN2_LOW = 1.44269504088896341, 0.693359375, -2.12194440e-4
_POLYNOMIAL = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)


def block_maxima() -> Callable[..., None]:
    """A function for compiled code: the largest entry of every block.

    It takes addresses and sizes: of the row, float32; of blocks, at least 1; of the result, float32 [blocks].
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, target: Value) -> None:
        largest = known(builder, "llvm.vector.reduce.fmax.v16f32", FLOAT, FLOATS)
        of_two = known(builder, "llvm.maxnum.v16f32", FLOATS, FLOATS, FLOATS)
        loop, _ = begin_loop(builder, count, [])
        block = builder.add(row, builder.mul(loop.number, I64(BLOCK * FLOAT_BYTES)))
        one, two, three, four = (load(builder, FLOATS, block, j) for j in range(_NUM_VECTORS))
        pairs = [builder.call(of_two, pair, fastmath=("nnan",)) for pair in ([one, two], [three, four])]
        found = builder.call(largest, [builder.call(of_two, pairs, fastmath=("nnan",))], fastmath=("nnan",))
        address = builder.add(target, builder.mul(loop.number, I64(FLOAT_BYTES)))
        builder.store(found, builder.inttoptr(address, FLOAT.as_pointer()), align=4)
        end_loop(builder, loop, [], [])

    return written(3, write)


def exponential_sum() -> Callable[..., None]:
    """A function for compiled code: the sum of exp(x - largest) over whole blocks.

    It takes addresses and sizes: of the row, float32; of blocks, at least 1; of `largest`, float32; of the result.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, largest: Value, target: Value) -> None:
        pointer = builder.inttoptr(largest, FLOAT.as_pointer())
        offset = everywhere(builder, FLOATS, builder.load(pointer, align=4))
        zero = ir.Constant(FLOATS, [0.0] * 16)
        loop, sums = begin_loop(builder, count, [zero] * _NUM_VECTORS)
        block = builder.add(row, builder.mul(loop.number, I64(BLOCK * FLOAT_BYTES)))
        added = [
            builder.fadd(total, exponential(builder, builder.fsub(load(builder, FLOATS, block, j), offset)))
            for j, total in enumerate(sums)
        ]
        end_loop(builder, loop, sums, added)
        one, two, three, four = added
        reduce = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        both = builder.fadd(builder.fadd(one, two), builder.fadd(three, four))
        total = builder.call(reduce, [FLOAT(0.0), both], fastmath=("reassoc",))
        builder.store(total, builder.inttoptr(target, FLOAT.as_pointer()), align=4)

    return written(4, write)


def exponential(builder: ir.IRBuilder, x: Value) -> Value:
    """e^x = 2^n e^f with |f| <= ln 2 / 2, and a polynomial for e^f (Cephes, expf.c), of 16 floats."""
    fma = multiply_add(builder)
    floor = known(builder, "llvm.floor.v16f32", FLOATS, FLOATS)
    x = builder.select(builder.fcmp_unordered(">", x, _all(_LEAST)), x, _all(_LEAST))
    n = builder.call(floor, [builder.call(fma, [x, _all(_LOG2_E), _all(0.5)])])
    f = builder.call(fma, [n, _all(-_LN2_HIGH), x])
    f = builder.call(fma, [n, _all(-_LN2_LOW), f])
    p = _all(_POLYNOMIAL[0])
    for coefficient in _POLYNOMIAL[1:]:
        p = builder.call(fma, [p, f, _all(coefficient)])
    p = builder.call(fma, [builder.fmul(p, f), f, builder.fadd(f, _all(1.0))])
    exponent = builder.add(builder.fptosi(n, SUMS), ir.Constant(SUMS, [127] * 16))
    power = builder.bitcast(builder.shl(exponent, ir.Constant(SUMS, [23] * 16)), FLOATS)
    return builder.fmul(p, power)


def _all(number: float) -> Value:
    return ir.Constant(FLOATS, [number] * 16)
