"""What choosing needs of a row of logits, all of which must be read for it: maxima, and the sum of exponentials."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.vectors import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I64,
    Value,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
    written,
)  # fmt: skip

BLOCK = 64
"""Entries that have a maximum of their own."""
_NUM_VECTORS = BLOCK // 16


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


def exponential_sum(has_scale: bool) -> Callable[..., None]:
    """A function for compiled code: the sum of exp(x - largest) over whole blocks.

    `has_scale` says whether the processor has an instruction for x 2^n.

    It takes addresses and sizes: of the row, float32; of blocks, at least 1; of `largest`, float32; of the result.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, largest: Value, target: Value) -> None:
        pointer = builder.inttoptr(largest, FLOAT.as_pointer())
        offset = everywhere(builder, FLOATS, builder.load(pointer, align=4))
        zero = ir.Constant(FLOATS, [0.0] * 16)
        loop, sums = begin_loop(builder, count, [zero] * _NUM_VECTORS)
        block = builder.add(row, builder.mul(loop.number, I64(BLOCK * FLOAT_BYTES)))
        added = [
            builder.fadd(total, exponential(builder, builder.fsub(load(builder, FLOATS, block, j), offset), has_scale))
            for j, total in enumerate(sums)
        ]
        end_loop(builder, loop, sums, added)
        one, two, three, four = added
        reduce = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        both = builder.fadd(builder.fadd(one, two), builder.fadd(three, four))
        total = builder.call(reduce, [FLOAT(0.0), both], fastmath=("reassoc",))
        builder.store(total, builder.inttoptr(target, FLOAT.as_pointer()), align=4)

    return written(4, write)
