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

from llvmlite import ir

from service.compiled import compiled
from service.kernels.llvm import (
    BYTES,
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I8,
    I16,
    I32,
    I64,
    INT32S,
    MASK,
    VECTOR_BYTES,
    Value,
    Write,
    address_of_turn,
    addresses_apart,
    begin_loop,
    end_loop,
    float_of_bits,
    lanes_below,
    llvm_code,
    llvm_function,
    llvm_variants,
    load,
    load_masked,
    load_one,
    multiply_add,
    prefetch,
    splat,
    store,
    store_masked,
)
from service.kernels.target import LANES, TARGET

DEPTH = TARGET.dot_depth
WIDE = TARGET.tile_vectors
INDEX_BYTES = 4
"""Of the index of an activation."""
_ROWS = TARGET.tile_rows
FEW_BYTES, PAIRS = ir.VectorType(I8, LANES), ir.VectorType(I16, VECTOR_BYTES // 2)


def product_tiles() -> Callable[..., None]:
    """A function for compiled code: a tile of an int8 product; see `tile_variant`.

    It takes addresses and sizes: of the activations, uint8, and the bytes from one row of them to the next; of the
    weights, int8 [K / 4, columns, 4]; K / 4, at least 1; of the initial sums, int32 [columns]; of the factors and of
    the biases, float32 [columns]; of the addend, float32, and the bytes from one row of it to the next; of the result,
    float32, and the bytes from one row of it to the next; the columns that the result has, of a narrow tile.
    """

    def variant(num_rows: int, num_vectors: int) -> Write:
        def write(
            builder: ir.IRBuilder, source: Value, stride: Value, weights: Value, steps: Value, first: Value,
            factors: Value, biases: Value, addend: Value, addend_stride: Value, target: Value, target_stride: Value,
            columns: Value,
        ) -> None:  # fmt: skip
            begin = [load(builder, INT32S, first, j) for j in range(num_vectors)]
            sums = _dot_sums(builder, addresses_apart(builder, source, stride, num_rows), weights, steps, begin)
            floats = _scaled(builder, sums, factors, biases)
            addends = addresses_apart(builder, addend, addend_stride, num_rows)
            targets = addresses_apart(builder, target, target_stride, num_rows)
            _write_floats(builder, floats, addends, targets, None if num_vectors > 1 else columns)

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
            sums = _float_sums(builder, rows, weights, steps, biases, num_vectors)
            addends = addresses_apart(builder, addend, addend_stride, num_rows)
            targets = addresses_apart(builder, target, target_stride, num_rows)
            floats = _at_least(builder, sums, least)
            _write_floats(builder, floats, addends, targets, None if num_vectors > 1 else columns)

        return write

    return llvm_variants(11, [variant(rows, vectors) for vectors in (WIDE, 1) for rows in range(1, _ROWS + 1)])


@compiled()
def tile_variant(num_rows: int, is_wide: bool) -> int:
    """The number of the tile of 1 to TARGET.tile_rows rows, of TARGET.tile_columns columns or, narrow, of one vector;
    the result of a narrow one may have fewer columns."""
    return num_rows - 1 if is_wide else _ROWS + num_rows - 1


def product_row() -> Callable[..., None]:
    """A function for compiled code: TARGET.tile_columns columns of one row of an int8 product, of what is not 0 in it.

    It takes addresses and a size: of what is not 0, uint8, up to the next multiple of DEPTH filled with zeros; of its
    numbers, int32; how many times DEPTH those are, at least 1; of the weights, int8 [K, 64] `woven`; of what the sums
    begin with, the factors, what is added, what is added besides, and the result, as in `product_tile`.
    """

    def write(
        builder: ir.IRBuilder, source: Value, numbers: Value, steps: Value, weights: Value, first: Value,
        factors: Value, biases: Value, addend: Value, target: Value,
    ) -> None:  # fmt: skip
        dot = _dot(builder)
        loop, running = begin_loop(builder, steps, [load(builder, INT32S, first, j) for j in range(WIDE)])
        some = builder.add(numbers, builder.mul(loop.number, I64(DEPTH * INDEX_BYTES)))
        rows = [
            load(builder, BYTES, builder.add(weights, builder.mul(_index(builder, at), I64(TARGET.tile_columns))), 0)
            for at in addresses_apart(builder, some, I64(INDEX_BYTES), DEPTH)
        ]
        four = _four_bytes(builder, builder.add(source, builder.mul(loop.number, I64(DEPTH))))
        columns = _interleaved(builder, rows)
        added = [builder.call(dot, [running[j], four, columns[j]]) for j in range(WIDE)]
        end_loop(builder, loop, running, added)
        _write_floats(builder, _scaled(builder, [added], factors, biases), [addend], [target])

    return llvm_code(9, write)


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
        sums = _float_sums(builder, [source], weights, steps, biases, WIDE, indices)
        _write_floats(builder, _at_least(builder, sums, least), [addend], [target])

    return llvm_code(8, write)


def nonzeros(of_bytes: bool) -> Callable[..., None]:
    """A function for compiled code: what is not 0 in a row of floats, or of uint8 (`of_bytes`).

    It takes addresses and sizes: of the row, and how many times 16 it has, at least 1; of the numbers of those that
    are not 0, int32, and for bytes of themselves, uint8; of how many they are, int64. There must be room for 16 more
    than the row has; 16 zeros are written behind the last one found.
    """

    def write(builder: ir.IRBuilder, row: Value, count: Value, numbers: Value, *others: Value) -> None:
        *values, number_found = others
        compress = llvm_function(builder, TARGET.compress, INT32S, INT32S, INT32S, MASK)
        ones = llvm_function(builder, "llvm.ctpop.i16", I16, I16)
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
        store(builder, builder.call(compress, [lanes, zero, is_there]), at, 0)
        for address in values:
            found = builder.trunc(builder.call(compress, [entries, zero, is_there]), FEW_BYTES)
            builder.store(found, builder.inttoptr(builder.add(address, end), FEW_BYTES.as_pointer()), align=1)
        more = builder.zext(builder.call(ones, [builder.bitcast(is_there, I16)]), I64)
        following = builder.add(lanes, ir.Constant(INT32S, [LANES] * LANES))
        total = builder.add(end, more)
        end_loop(builder, loop, [lanes, end], [following, total])
        builder.store(total, builder.inttoptr(number_found, I64.as_pointer()))

    return llvm_code(5 if of_bytes else 4, write)


def prefetched() -> Callable[..., None]:
    """A function for compiled code: vectors that will be read in no order, asked for from the first to the last.

    It takes an address, and how many vectors lie there, at least 1. They come to the second-level cache.
    """

    def write(builder: ir.IRBuilder, address: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, count, [])
        prefetch(builder, builder.add(address, builder.mul(loop.number, I64(VECTOR_BYTES))), 0)
        end_loop(builder, loop, [], [])

    return llvm_code(2, write)


def _dot_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, first: list[Value]
) -> list[list[Value]]:
    """The sums of each row, `first` and all products."""
    dot, width = _dot(builder), len(first)
    loop, running = begin_loop(builder, steps, first * len(rows))
    here = builder.add(weights, builder.mul(loop.number, I64(VECTOR_BYTES * width)))
    _prefetch_next(builder, here, steps, width)
    column_bytes = [load(builder, BYTES, here, j) for j in range(width)]
    added = []
    for i, row in enumerate(rows):
        row_bytes = _four_bytes(builder, builder.add(row, builder.mul(loop.number, I64(DEPTH))))
        added += [builder.call(dot, [running[i * width + j], row_bytes, column_bytes[j]]) for j in range(width)]
    end_loop(builder, loop, running, added)
    return [added[i * width : i * width + width] for i in range(len(rows))]


def _float_sums(
    builder: ir.IRBuilder, rows: list[Value], weights: Value, steps: Value, biases: Value, width: int,
    indices: Value | None = None,
) -> list[list[Value]]:  # fmt: skip
    """The sums of each row, biases and all products, or those `steps` that have `indices`."""
    fma, first = multiply_add(builder), [load(builder, FLOATS, biases, j) for j in range(width)]
    loop, running = begin_loop(builder, steps, first * len(rows))
    index = loop.number
    if indices is not None:
        index = _index(builder, address_of_turn(builder, indices, loop, INDEX_BYTES))
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


def _at_least(builder: ir.IRBuilder, sums: list[list[Value]], least: Value) -> list[list[Value]]:
    """Sums, and the least one for those below it."""
    floor = splat(builder, FLOATS, float_of_bits(builder, least))
    return [[builder.select(builder.fcmp_unordered(">", one, floor), one, floor) for one in row] for row in sums]


def _dot(builder: ir.IRBuilder) -> Value:
    """The instruction of which all of this is made."""
    return llvm_function(builder, TARGET.dot_product, INT32S, INT32S, BYTES, BYTES)


def _four_bytes(builder: ir.IRBuilder, address: Value) -> Value:
    """Four activations, for every column."""
    four = builder.load(builder.inttoptr(address, I32.as_pointer()), align=1)
    return builder.bitcast(splat(builder, INT32S, four), BYTES)


def _index(builder: ir.IRBuilder, address: Value) -> Value:
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


def _write_floats(
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
