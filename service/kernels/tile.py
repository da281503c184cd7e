"""The innermost loops of products, int8 and float32, written for the processor.

The dot product (`vpdpbusd` of AVX-512 VNNI; four instructions of AVX2) multiplies unsigned by signed bytes and adds the
products, by fours, to sums of 32 bits, exactly. A tile of rows times columns keeps all its sums in registers
while it passes over K, and becomes floats only at the end, so that inputs are read once for each tile and the result is
written once.

What a rectifier (max(0, x)) gives is mostly 0: in the published Transformer 97 to 99% of it in the encoder, 86% in the
decoder (Li et al. 2022, "The Lazy Neuron Phenomenon", arXiv:2210.06313). `nonzeros` finds the others, and
tiles of one row add up those alone: the rest would add 0, so that sums are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.compiled import compiled
from service.kernels.llvm import (
    BYTES,
    FLOAT_BYTES,
    I8,
    I32,
    I64,
    INT32S,
    LINE_BYTES,
    WEIGHT_BYTES,
    Value,
    Write,
    addresses_apart,
    begin_loop,
    end_loop,
    llvm_code,
    llvm_function,
    llvm_variants,
    load,
    prefetch,
    store,
)
from service.kernels.moving import mover
from service.kernels.target import LANES, PART_BYTES, TARGET
from service.kernels.tile_code import (
    DEPTH,
    INDEX_BYTES,
    activations_at,
    add_products,
    at_least,
    dot_sums,
    float_sums,
    load_index,
    scaled,
    write_floats,
)

WIDE = TARGET.tile_vectors
_ROWS = TARGET.tile_rows
FEW_BYTES, _LANE_BITS = ir.VectorType(I8, LANES), ir.IntType(LANES)


def product_tiles() -> Callable[..., None]:
    """A function for compiled code: a tile of an int8 product; see `tile_variant`.

    It takes addresses and sizes: of the activations, uint8, and the bytes from one row of them to the next; of the
    weights, int8 [K / DEPTH, columns, DEPTH]; K / DEPTH, at least 1; of the initial sums, int32 [columns]; of the
    factors and of the biases, float32 [columns]; of the addend, float32, and the bytes from one row of it to the next;
    of the result, float32, and the bytes from one row of it to the next; the columns that the result has, of a narrow
    tile.
    """

    def variant(num_rows: int, num_vectors: int) -> Write:
        def write(
            builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, first: Value,
            factors: Value, biases: Value, addend: Value, addend_stride: Value, target: Value, target_stride: Value,
            columns: Value,
        ) -> None:  # fmt: skip
            begin = [load(builder, INT32S, first, j) for j in range(num_vectors)]
            sums = dot_sums(builder, addresses_apart(builder, source, stride, num_rows), weights, steps, begin)
            floats = scaled(builder, sums, factors, biases)
            addends = addresses_apart(builder, addend, addend_stride, num_rows)
            targets = addresses_apart(builder, target, target_stride, num_rows)
            write_floats(builder, floats, addends, targets, None if num_vectors > 1 else columns)

        return write

    return llvm_variants(12, [variant(rows, vectors) for vectors in (WIDE, 1) for rows in range(1, _ROWS + 1)])


def float_tiles() -> Callable[..., None]:
    """A function for compiled code: a tile of a float32 product; see `tile_variant`.

    It takes addresses and sizes: of the activations, and the bytes from one row of them to the next; of the weights
    [K, columns]; K, at least 1; of the biases [columns], with which the sums begin; the bits of the least sum that is
    kept as it is; of the addend, and the bytes from one row of it to the next; of the result, and the bytes from one
    row of it to the next; the columns that the result has, of a narrow tile.
    """

    def variant(num_rows: int, num_vectors: int) -> Write:
        def write(
            builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, biases: Value,
            least: Value, addend: Value, addend_stride: Value, target: Value, target_stride: Value, columns: Value,
        ) -> None:  # fmt: skip
            rows = addresses_apart(builder, source, stride, num_rows)
            sums = float_sums(builder, rows, weights, steps, biases, num_vectors)
            addends = addresses_apart(builder, addend, addend_stride, num_rows)
            targets = addresses_apart(builder, target, target_stride, num_rows)
            floats = at_least(builder, sums, least)
            write_floats(builder, floats, addends, targets, None if num_vectors > 1 else columns)

        return write

    return llvm_variants(11, [variant(rows, vectors) for vectors in (WIDE, 1) for rows in range(1, _ROWS + 1)])


@compiled()
def tile_variant(num_rows: int, is_wide: bool) -> int:
    """The number of the tile of 1 to TARGET.tile_rows rows, of TARGET.tile_columns columns or, narrow, of one vector;
    the result of a narrow one may have fewer columns."""
    return num_rows - 1 if is_wide else _ROWS + num_rows - 1


def product_row() -> Callable[..., None]:
    """A function for compiled code: a whole tile of one row of an int8 product, of the activations that are not 0.

    It takes addresses and a size: of those activations, uint8, zeros filling them up to a multiple of DEPTH; of their
    indices, int32; how many times DEPTH they are, at least 1; of the weights, int8 [K, tile columns] as
    `Target.interleaved` lays them out; of the factors, the biases, the addend, and the result, as `product_tiles`.
    """

    def write(
        builder: ir.IRBuilder, source: Value, numbers: Value, steps: Value, weights: Value, factors: Value,
        biases: Value, addend: Value, target: Value,
    ) -> None:  # fmt: skip
        loop, running = begin_loop(builder, steps, [ir.Constant(INT32S, [0] * LANES)] * WIDE)
        some = builder.add(numbers, builder.mul(loop.number, I64(DEPTH * INDEX_BYTES)))
        rows = [
            load(builder, BYTES, _row_at(builder, weights, at), 0)
            for at in addresses_apart(builder, some, I64(INDEX_BYTES), DEPTH)
        ]
        activations = activations_at(builder, builder.add(source, builder.mul(loop.number, I64(DEPTH))), False)
        columns = _interleaved(builder, rows)
        added = [add_products(builder, running[j], activations, columns[j]) for j in range(WIDE)]
        end_loop(builder, loop, running, added)
        write_floats(builder, scaled(builder, [added], factors, biases), [addend], [target])

    return llvm_code(8, write)


def _row_at(builder: ir.IRBuilder, weights: Value, index_at: Value) -> Value:
    """The address of the row of interleaved weights that an index names."""
    return builder.add(weights, builder.mul(load_index(builder, index_at), I64(TARGET.tile_columns)))


def float_row() -> Callable[..., None]:
    """A function for compiled code: a whole tile of one row of a float32 product, of the activations that are not 0.

    It takes addresses and sizes: of the activations; of the indices, int32, of those that are not 0; of the weights;
    how many indices, at least 1; of the biases; the bits of the least sum; of the addend; of the result, as
    `float_tiles`.
    """

    def write(
        builder: ir.IRBuilder, source: Value, indices: Value, weights: Value, steps: Value, biases: Value, least: Value,
        addend: Value, target: Value,
    ) -> None:  # fmt: skip
        sums = float_sums(builder, [source], weights, steps, biases, WIDE, indices)
        write_floats(builder, at_least(builder, sums, least), [addend], [target])

    return llvm_code(8, write)


def nonzeros(of_bytes: bool) -> Callable[..., None]:
    """A function for compiled code: the numbers that are not 0 in a row of floats, or of uint8 (`of_bytes`).

    It takes addresses and sizes: of the row, and how many vectors of LANES numbers it has, at least 1; of the indices
    of those that are not 0, int32, and for bytes of themselves, uint8; of how many they are, int64. There must be room
    for one vector more than the row has; indices of the row and zeros are written behind the last one found.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, numbers: Value, *others: Value) -> None:
        *values, number_found = others
        ones = llvm_function(builder, f"llvm.ctpop.i{LANES}", _LANE_BITS, _LANE_BITS)
        zero = ir.Constant(INT32S, [0] * LANES)
        loop, (lanes, end) = begin_loop(builder, count, [ir.Constant(INT32S, list(range(LANES))), I64(0)])
        here = builder.add(row, builder.mul(loop.number, I64(LANES * (1 if of_bytes else FLOAT_BYTES))))
        if of_bytes:
            few = builder.load(builder.inttoptr(here, FEW_BYTES.as_pointer()), align=1)
            entries = builder.zext(few, INT32S)
        else:
            entries = load(builder, INT32S, here, 0)
        is_there = builder.icmp_unsigned("!=", entries, zero)
        at = builder.add(numbers, builder.mul(end, I64(INDEX_BYTES)))
        to_front = mover(builder, is_there)
        store(builder, to_front(lanes), at, 0)
        for address in values:
            _store_bytes(builder, to_front(entries), builder.add(address, end))
        more = builder.zext(builder.call(ones, [builder.bitcast(is_there, _LANE_BITS)]), I64)
        following = builder.add(lanes, ir.Constant(INT32S, [LANES] * LANES))
        total = builder.add(end, more)
        end_loop(builder, loop, [lanes, end], [following, total])
        store(builder, zero, builder.add(numbers, builder.mul(total, I64(INDEX_BYTES))), 0)
        for address in values:
            _store_bytes(builder, zero, builder.add(address, total))
        builder.store(total, builder.inttoptr(number_found, I64.as_pointer()))

    return llvm_code(5 if of_bytes else 4, write)


def _store_bytes(builder: ir.IRBuilder, numbers: Value, address: Value) -> None:
    """Write a vector of int32 as bytes."""
    few = builder.trunc(numbers, FEW_BYTES)
    builder.store(few, builder.inttoptr(address, FEW_BYTES.as_pointer()), align=1)


def prefetched() -> Callable[..., None]:
    """A function for compiled code: cache lines that will be read in no order, asked for from the first to the last.

    It takes an address, and how many cache lines lie there, at least 1. They come to the second-level cache.
    """

    def write(builder: ir.IRBuilder, address: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, count, [])
        prefetch(builder, builder.add(address, builder.mul(loop.number, I64(LINE_BYTES))), LINE_BYTES)
        end_loop(builder, loop, [], [])

    return llvm_code(2, write)


def _interleaved(builder: ir.IRBuilder, rows: list[Value]) -> list[Value]:
    """DEPTH interleaved rows as DEPTH vectors of LANES columns, the bytes of all rows for each."""
    if len(rows) == 1:
        return rows
    half = len(rows) // 2
    left, right = (_interleaved(builder, some) for some in (rows[:half], rows[half:]))
    kind = ir.VectorType(ir.IntType(8 * half), WEIGHT_BYTES // half)
    mixed: list[Value] = []
    for one, other in zip(left, right, strict=True):
        mixed += _zipped(builder, builder.bitcast(one, kind), builder.bitcast(other, kind), kind.count)
    return [builder.bitcast(both, BYTES) for both in mixed]


def _zipped(builder: ir.IRBuilder, left: Value, right: Value, count: int) -> list[Value]:
    """Two vectors of `count`, number by number in turn: the first halves of all parts, and the second halves."""
    part = count * PART_BYTES // WEIGHT_BYTES
    halves = []
    for half in (0, part // 2):
        order = [
            start + half + i + count * side for start in range(0, count, part) for i in range(part // 2)
            for side in (0, 1)
        ]  # fmt: skip
        halves.append(builder.shuffle_vector(left, right, ir.Constant(ir.VectorType(I32, count), order)))
    return halves
