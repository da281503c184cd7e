"""What choosing needs of a row of logits, all of which must be read for it: maxima, and the sum of exponentials."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.llvm import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    Value,
    address_of_turn,
    begin_loop,
    constant,
    end_loop,
    largest_lane,
    llvm_code,
    llvm_function,
    load,
    load_one,
    pointer,
    splat,
    sum_of_lanes,
)
from service.kernels.target import LANES

BLOCK = 4 * LANES
"""Entries that have a maximum of their own."""
_NUM_VECTORS = 4


def block_maxima() -> Callable[..., None]:
    """A function for compiled code: the largest entry of every block.

    It takes addresses and sizes: of the row, float32; of blocks, at least 1; of the result, float32 [blocks].
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, target: Value) -> None:
        of_two = llvm_function(builder, f"llvm.maxnum.v{LANES}f32", FLOATS, FLOATS, FLOATS)
        loop, _ = begin_loop(builder, count, [])
        block = address_of_turn(builder, row, loop, BLOCK * FLOAT_BYTES)
        one, two, three, four = (load(builder, FLOATS, block, j) for j in range(_NUM_VECTORS))
        pairs = [builder.call(of_two, pair, fastmath=("nnan",)) for pair in ([one, two], [three, four])]
        found = largest_lane(builder, builder.call(of_two, pairs, fastmath=("nnan",)))
        builder.store(found, pointer(builder, FLOAT, address_of_turn(builder, target, loop, FLOAT_BYTES)), align=4)
        end_loop(builder, loop, [], [])

    return llvm_code(3, write)


def exponential_sum() -> Callable[..., None]:
    """A function for compiled code: the sum of exp(x - largest) over whole blocks.

    It takes addresses and sizes: of the row, float32; of blocks, at least 1; of `largest`, float32; of the result.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, largest: Value, target: Value) -> None:
        offset = splat(builder, FLOATS, load_one(builder, FLOAT, largest))
        loop, sums = begin_loop(builder, count, [constant(0.0)] * _NUM_VECTORS)
        block = address_of_turn(builder, row, loop, BLOCK * FLOAT_BYTES)
        added = [
            builder.fadd(total, exponential(builder, builder.fsub(load(builder, FLOATS, block, j), offset)))
            for j, total in enumerate(sums)
        ]
        end_loop(builder, loop, sums, added)
        one, two, three, four = added
        total = sum_of_lanes(builder, builder.fadd(builder.fadd(one, two), builder.fadd(three, four)))
        builder.store(total, pointer(builder, FLOAT, target), align=4)

    return llvm_code(4, write)
