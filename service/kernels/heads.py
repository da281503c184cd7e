"""Attention heads, written for the processor: loops over the entries that they attend to, D numbers each.

Heads side by side go over the entries together, so that keys and values are read from end to end: they come from memory
that no cache holds when there are many, which is fast at nothing else. How fast is up to how many entries the processor
looks at ahead, so that a turn is as few operations as can be. Heads whose D is not one of HEAD_SIZES go one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from service.compiled import compiled
from service.kernels.head_code import (
    mask_of_turn,
    num_vectors,
    write_scores,
    write_scores_of_any_size,
    write_softmax,
    write_sums,
    write_sums_of_any_size,
)
from service.kernels.llvm import (
    FLOATS,
    HALF_BYTES,
    HALVES,
    I32,
    I64,
    VECTOR_BYTES,
    Value,
    Write,
    address_of_turn,
    addresses_apart,
    begin_loop,
    end_loop,
    llvm_code,
    llvm_function,
    llvm_variants,
    load_masked,
    pointer,
)
from service.kernels.target import LANES, TARGET

HEAD_SIZES = (16, 32, 64)
"""D of the heads that go over their entries together."""
_ANY_SIZE = len(HEAD_SIZES)
MOST_VECTORS = TARGET.entry_vectors
"""Vectors of an entry, heads side by side, that are looked at together: registers hold as many sums."""
SHARING_ROWS = 4
"""Rows that look at the same entries together."""
_KINDS = (FLOATS, HALVES)


@compiled()
def head_variant(size: int) -> int:
    """Which of HEAD_SIZES, or the number behind them."""
    if size == HEAD_SIZES[0]:
        return 0
    if size == HEAD_SIZES[1]:
        return 1
    return 2 if size == HEAD_SIZES[2] else _ANY_SIZE


@compiled()
def attention_variant(size: int, is_half: bool, together: bool) -> int:
    """The number of `attention`'s code for heads of `size`: of keys and values of 16 bits, of heads together."""
    return (head_variant(size) + (_ANY_SIZE + 1 if is_half else 0)) * 2 + together


def _vectors_of(variant: int) -> int:
    return HEAD_SIZES[variant] // LANES


def attention() -> Callable[..., None]:
    """A function for compiled code: weights = softmax(scale * query . keys), and the sum of weight times value, of some
    heads of a row side by side. Vaswani et al. 2017 (arXiv:1706.03762), equation 1.

    Scores, softmax and weighted sums (see below) in one call. It takes `attention_variant`, then addresses and sizes:
    of the queries, float32 [heads, D]; of keys and values; of where they lie, int64 [entries]; entries; of the weights
    and how many bytes lie from one head's to the next's; the bits of the scale; of the result, float32 [heads, D]; D.
    """

    def known(num_vectors: int, num_heads: int, kind: Any) -> Write:
        def write(
            builder: ir.IRBuilder, query: Value, keys: Value, values: Value, offsets: Value, count: Value,
            weights: Value, distance: Value, scale_bits: Value, target: Value, _size: Value,
        ) -> None:  # fmt: skip
            size = I64(num_vectors * VECTOR_BYTES)
            queries, targets = (addresses_apart(builder, first, size, num_heads) for first in (query, target))
            rows = addresses_apart(builder, weights, distance, num_heads)
            write_scores(builder, kind, queries, keys, offsets, count, rows, num_vectors, are_shared=False)
            write_softmax(builder, rows, count, scale_bits)
            write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, False, goes_on=False)

        return write

    def of_any_size(kind: Any) -> Write:
        def write(
            builder: ir.IRBuilder, query: Value, keys: Value, values: Value, offsets: Value, count: Value,
            weights: Value, _distance: Value, scale_bits: Value, target: Value, size: Value,
        ) -> None:  # fmt: skip
            write_scores_of_any_size(builder, kind, query, keys, offsets, count, weights, size)
            write_softmax(builder, [weights], count, scale_bits)
            write_sums_of_any_size(builder, kind, weights, values, offsets, count, target, size)

        return write

    variants = []
    for kind in _KINDS:
        for variant in range(len(HEAD_SIZES)):
            vectors = _vectors_of(variant)
            variants += [known(vectors, 1, kind), known(vectors, MOST_VECTORS // vectors, kind)]
        variants += [of_any_size(kind)] * 2
    return llvm_variants(10, variants)


@compiled()
def entries_variant(size: int, is_half: bool, is_shared: bool) -> int:
    """The number of `scores`' and `sums`' code for heads of one of HEAD_SIZES: of entries of 16 bits, shared."""
    return (head_variant(size) + (_ANY_SIZE if is_half else 0)) * 2 + is_shared


def _entry_variants(code: Callable[[int, int, Any, bool], Write]) -> list[Write]:
    """See `entries_variant`: the same head of SHARING_ROWS rows that look at the same entries, or of one row."""
    return [
        code(_vectors_of(variant), SHARING_ROWS if is_shared else 1, kind, is_shared)
        for kind in _KINDS
        for variant in range(len(HEAD_SIZES))
        for is_shared in (False, True)
    ]


def scores() -> Callable[..., None]:
    """A function for compiled code: query . key of every entry, of the same head of one row or of SHARING_ROWS.

    It takes `entries_variant`, then addresses and sizes: of the first query, float32 [D], rounded to the entries' type
    first, and how many bytes lie from one to the next; of the keys; of how many bytes behind that address those of an
    entry lie, int64 [entries]; entries, at least 1; of the result, float32 [entries] for each row, and how many bytes
    lie from one's to the next's. There must be memory for one vector more of each.
    """

    def code(num_vectors: int, num_rows: int, kind: Any, is_shared: bool) -> Write:
        def write(
            builder: ir.IRBuilder, query: Value, query_distance: Value, keys: Value, offsets: Value, count: Value,
            weights: Value, distance: Value,
        ) -> None:  # fmt: skip
            queries = addresses_apart(builder, query, query_distance, num_rows)
            rows = addresses_apart(builder, weights, distance, num_rows)
            write_scores(builder, kind, queries, keys, offsets, count, rows, num_vectors, is_shared)

        return write

    return llvm_variants(7, _entry_variants(code))


def sums() -> Callable[..., None]:
    """A function for compiled code: to each result the sum of weight times value over all entries is added.

    It takes `entries_variant`, then addresses and sizes: of the first row's weights, float32 [entries], and how many
    bytes lie from one's to the next's; of the values, and of where they lie, as `scores`; entries, at least 1; of the
    first result, float32 [D], and how many bytes lie from one to the next.
    """

    def code(num_vectors: int, num_rows: int, kind: Any, is_shared: bool) -> Write:
        def write(
            builder: ir.IRBuilder, weights: Value, distance: Value, values: Value, offsets: Value, count: Value,
            target: Value, target_distance: Value,
        ) -> None:  # fmt: skip
            rows = addresses_apart(builder, weights, distance, num_rows)
            targets = addresses_apart(builder, target, target_distance, num_rows)
            write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, is_shared, goes_on=True)

        return write

    return llvm_variants(7, _entry_variants(code))


def softmax() -> Callable[..., None]:
    """A function for compiled code: softmax(scale * scores) of SHARING_ROWS rows, variant 1, or of one, variant 0, in
    place. Vaswani et al. 2017 (arXiv:1706.03762), equation 1.

    It takes the variant; the address of the first row's scores, float32, each with memory for one vector more; how
    many bytes lie from one's to the next's; how many they are, at least 1; the bits of the scale, float32, above 0.
    """

    def code(num_rows: int) -> Write:
        def write(builder: ir.IRBuilder, first: Value, distance: Value, count: Value, scale_bits: Value) -> None:
            write_softmax(builder, addresses_apart(builder, first, distance, num_rows), count, scale_bits)

        return write

    return llvm_variants(4, [code(1), code(SHARING_ROWS)])


def halving() -> Callable[..., None]:
    """A function for compiled code: float32 rounded to 16 bits each, to nearest, half to even.

    It takes the addresses of the floats and of the result, and how many floats there are, at least 1; up to a whole
    vector of the result is written.
    """

    def write(builder: ir.IRBuilder, source: Value, target: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, num_vectors(builder, count), [])
        mask = mask_of_turn(builder, loop, count)
        floats = load_masked(builder, FLOATS, address_of_turn(builder, source, loop), mask)
        halves = builder.fptrunc(floats, HALVES)
        name = f"llvm.masked.store.v{LANES}f16.p0"
        put = llvm_function(builder, name, ir.VoidType(), HALVES, HALVES.as_pointer(), I32, mask.type)
        place = pointer(builder, HALVES, address_of_turn(builder, target, loop, LANES * HALF_BYTES))
        builder.call(put, [halves, place, I32(1), mask])
        end_loop(builder, loop, [], [])

    return llvm_code(3, write)
