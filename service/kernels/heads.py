"""Attention heads, written for the processor: loops over the entries that they attend to, D numbers each.

Heads side by side go over the entries together, so that keys and values are read from end to end: they come from memory
that no cache holds when there are many, which is fast at nothing else. How fast is up to how many entries the processor
looks at ahead, so that a turn is as few operations as can be. Heads whose D is not one of HEAD_SIZES go one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from service.compiled import compiled
from service.kernels.exponential import exponential
from service.kernels.llvm import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    HALF_BYTES,
    HALVES,
    I32,
    I64,
    INT32S,
    VECTOR_BYTES,
    Loop,
    Value,
    Write,
    address_of_turn,
    addresses_apart,
    begin_loop,
    constant,
    end_loop,
    float_of_bits,
    lanes_below,
    largest_lane,
    llvm_code,
    llvm_function,
    llvm_variants,
    load,
    load_floats,
    load_masked,
    load_one,
    multiply_add,
    pointer,
    splat,
    store,
    store_masked,
    sum_of_lanes,
)
from service.kernels.target import LANES

OFFSET_BYTES = 8
_NO_WEIGHT = -1e30
"""Instead of a product, where there is no entry."""
HEAD_SIZES = (LANES, 2 * LANES, 4 * LANES)
"""D of the heads that go over their entries together."""
_ANY_SIZE = len(HEAD_SIZES)
MOST_VECTORS = 16
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
            _write_scores(builder, kind, queries, keys, offsets, count, rows, num_vectors, are_shared=False)
            _write_softmax(builder, rows, count, scale_bits)
            _write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, False, goes_on=False)

        return write

    def of_any_size(kind: Any) -> Write:
        def write(
            builder: ir.IRBuilder, query: Value, keys: Value, values: Value, offsets: Value, count: Value,
            weights: Value, _distance: Value, scale_bits: Value, target: Value, size: Value,
        ) -> None:  # fmt: skip
            _write_scores_of_any_size(builder, kind, query, keys, offsets, count, weights, size)
            _write_softmax(builder, [weights], count, scale_bits)
            _write_sums_of_any_size(builder, kind, weights, values, offsets, count, target, size)

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
            _write_scores(builder, kind, queries, keys, offsets, count, rows, num_vectors, is_shared)

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
            _write_sums(builder, kind, rows, values, offsets, count, targets, num_vectors, is_shared, goes_on=True)

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
            _write_softmax(builder, addresses_apart(builder, first, distance, num_rows), count, scale_bits)

        return write

    return llvm_variants(4, [code(1), code(SHARING_ROWS)])


def halving() -> Callable[..., None]:
    """A function for compiled code: float32 rounded to 16 bits each, to nearest, half to even.

    It takes the addresses of the floats and of the result, and how many floats there are, at least 1; up to a whole
    vector of the result is written.
    """

    def write(builder: ir.IRBuilder, source: Value, target: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, _num_vectors(builder, count), [])
        mask = _mask_of_turn(builder, loop, count)
        floats = load_masked(builder, FLOATS, address_of_turn(builder, source, loop), mask)
        halves = builder.fptrunc(floats, HALVES)
        name = f"llvm.masked.store.v{LANES}f16.p0"
        put = llvm_function(builder, name, ir.VoidType(), HALVES, HALVES.as_pointer(), I32, mask.type)
        place = pointer(builder, HALVES, address_of_turn(builder, target, loop, LANES * HALF_BYTES))
        builder.call(put, [halves, place, I32(1), mask])
        end_loop(builder, loop, [], [])

    return llvm_code(3, write)


def _write_scores(
    builder: ir.IRBuilder, kind: Any, queries: Sequence[Value], keys: Value, offsets: Value, count: Value,
    rows: Sequence[Value], num_vectors: int, are_shared: bool,
) -> None:  # fmt: skip
    """Query . key of every entry and of all heads, to their `rows` of weights.

    A turn takes as many entries as together have a vector of products, or one entry of a single head; the last turn
    takes the last entry again and again where there are no more.
    """
    fma, num_heads = multiply_add(builder), len(rows)
    num_entries = LANES // num_heads if num_heads > 1 else 1
    parts = [[load(builder, FLOATS, query, j) for j in range(num_vectors)] for query in queries]
    if kind is HALVES:
        parts = [[builder.fpext(builder.fptrunc(part, HALVES), FLOATS) for part in of_head] for of_head in parts]
    last = builder.sub(count, I64(1))
    turns = builder.udiv(builder.add(last, I64(num_entries)), I64(num_entries))
    loop, _ = begin_loop(builder, turns, [])
    first = builder.mul(loop.number, I64(num_entries))
    of_entries, width = [], LANES
    for i in range(num_entries):
        number = builder.add(first, I64(i))
        there_is = builder.icmp_signed("<=", number, last)
        key = _entry(builder, keys, offsets, builder.select(there_is, number, last))
        of_heads = []
        for of_head, own in zip(parts, _vectors(builder, kind, key, num_heads, num_vectors, are_shared), strict=True):
            found = builder.fmul(of_head[0], own[0])
            for j in range(1, num_vectors):
                found = builder.call(fma, [of_head[j], own[j], found])
            of_heads.append(found)
        of_entry, width = _folded(builder, of_heads, LANES)
        of_entries.append(of_entry)
    totals, width = _folded(builder, of_entries, width)
    while width > 1:
        totals, width = _fold(builder, totals, totals, width), width // 2
    for head, row in enumerate(rows):
        own_lanes = [head * num_entries + i for i in range(num_entries)]
        of_row = builder.shuffle_vector(totals, totals, ir.Constant(ir.VectorType(I32, num_entries), own_lanes))
        place = pointer(builder, of_row.type, builder.add(row, builder.mul(first, I64(FLOAT_BYTES))))
        builder.store(of_row, place, align=4)
    end_loop(builder, loop, [], [])


def _write_scores_of_any_size(
    builder: ir.IRBuilder, kind: Any, query: Value, keys: Value, offsets: Value, count: Value, weights: Value,
    size: Value,
) -> None:  # fmt: skip
    """Query . key of every entry, of one head."""
    fma = multiply_add(builder)
    entries, _ = begin_loop(builder, count, [])
    key = _entry(builder, keys, offsets, entries.number)
    vectors, (total,) = begin_loop(builder, _num_vectors(builder, size), [constant(0.0)])
    mask = _mask_of_turn(builder, vectors, size)
    own = load_masked(builder, FLOATS, address_of_turn(builder, query, vectors), mask)
    if kind is HALVES:
        own = builder.fpext(builder.fptrunc(own, HALVES), FLOATS)
    theirs = load_masked(builder, kind, address_of_turn(builder, key, vectors, _kind_bytes(kind)), mask)
    added = builder.call(fma, [own, theirs, total])
    end_loop(builder, vectors, [total], [added])
    place = address_of_turn(builder, weights, entries, FLOAT_BYTES)
    builder.store(sum_of_lanes(builder, added), pointer(builder, FLOAT, place), align=4)
    end_loop(builder, entries, [], [])


def _write_sums_of_any_size(
    builder: ir.IRBuilder, kind: Any, weights: Value, values: Value, offsets: Value, count: Value, target: Value,
    size: Value,
) -> None:  # fmt: skip
    """The sum of weight times value over all entries, of one head."""
    fma = multiply_add(builder)
    vectors, _ = begin_loop(builder, _num_vectors(builder, size), [])
    mask = _mask_of_turn(builder, vectors, size)
    entries, (total,) = begin_loop(builder, count, [constant(0.0)])
    value = address_of_turn(builder, _entry(builder, values, offsets, entries.number), vectors, _kind_bytes(kind))
    weight = splat(builder, FLOATS, load_one(builder, FLOAT, address_of_turn(builder, weights, entries, FLOAT_BYTES)))
    added = builder.call(fma, [weight, load_masked(builder, kind, value, mask), total])
    end_loop(builder, entries, [total], [added])
    store_masked(builder, added, address_of_turn(builder, target, vectors), mask)
    end_loop(builder, vectors, [], [])


def _write_softmax(builder: ir.IRBuilder, rows: Sequence[Value], count: Value, scale_bits: Value) -> None:
    """softmax(scale * scores), in place. While one head waits for a result another goes on."""
    maximum = llvm_function(builder, f"llvm.maxnum.v{LANES}f32", FLOATS, FLOATS, FLOATS)
    scale, vectors = splat(builder, FLOATS, float_of_bits(builder, scale_bits)), _num_vectors(builder, count)
    for row in rows:
        store(builder, constant(_NO_WEIGHT), builder.add(row, builder.mul(count, I64(FLOAT_BYTES))), 0)

    loop, tops = begin_loop(builder, vectors, [constant(_NO_WEIGHT)] * len(rows))
    found = [
        builder.call(maximum, [top, load(builder, FLOATS, address_of_turn(builder, row, loop), 0)])
        for row, top in zip(rows, tops, strict=True)
    ]
    end_loop(builder, loop, tops, found)
    highest = [splat(builder, FLOATS, largest_lane(builder, top)) for top in found]

    loop, totals = begin_loop(builder, vectors, [constant(0.0)] * len(rows))
    added = []
    for row, top, so_far in zip(rows, highest, totals, strict=True):
        here = address_of_turn(builder, row, loop)
        power = exponential(builder, builder.fmul(builder.fsub(load(builder, FLOATS, here, 0), top), scale))
        store(builder, power, here, 0)
        added.append(builder.fadd(so_far, power))
    end_loop(builder, loop, totals, added)
    factors = [splat(builder, FLOATS, builder.fdiv(FLOAT(1.0), sum_of_lanes(builder, powers))) for powers in added]

    loop, _ = begin_loop(builder, vectors, [])
    for row, factor in zip(rows, factors, strict=True):
        here = address_of_turn(builder, row, loop)
        store(builder, builder.fmul(load(builder, FLOATS, here, 0), factor), here, 0)
    end_loop(builder, loop, [], [])


def _write_sums(
    builder: ir.IRBuilder, kind: Any, rows: Sequence[Value], values: Value, offsets: Value, count: Value,
    targets: Sequence[Value], num_vectors: int, are_shared: bool, goes_on: bool,
) -> None:  # fmt: skip
    """The sum of weight times value over all entries, for all heads; it `goes_on` from what their `targets` have."""
    fma, places = multiply_add(builder), [(target, j) for target in targets for j in range(num_vectors)]
    begin = [load(builder, FLOATS, target, j) if goes_on else constant(0.0) for target, j in places]
    loop, totals = begin_loop(builder, count, begin)
    value = _entry(builder, values, offsets, loop.number)
    added: list[Value] = []
    for row, own in zip(rows, _vectors(builder, kind, value, len(rows), num_vectors, are_shared), strict=True):
        weight = splat(builder, FLOATS, load_one(builder, FLOAT, address_of_turn(builder, row, loop, FLOAT_BYTES)))
        for vector in own:
            added.append(builder.call(fma, [weight, vector, totals[len(added)]]))
    end_loop(builder, loop, totals, added)
    for (target, j), total in zip(places, added, strict=True):
        store(builder, total, target, j)


def _num_vectors(builder: ir.IRBuilder, count: Value) -> Value:
    """Vectors that hold `count` numbers."""
    return builder.udiv(builder.add(count, I64(LANES - 1)), I64(LANES))


def _mask_of_turn(builder: ir.IRBuilder, loop: Loop, count: Value) -> Value:
    """Which lanes of this turn's vector are among the first `count` numbers."""
    return lanes_below(builder, builder.sub(count, builder.mul(loop.number, I64(LANES))))


def _kind_bytes(kind: Any) -> int:
    return VECTOR_BYTES if kind is FLOATS else LANES * HALF_BYTES


def _vectors(
    builder: ir.IRBuilder, kind: Any, entry: Value, num_heads: int, num_vectors: int, are_shared: bool
) -> list[list[Value]]:
    """The vectors of an entry that each head looks at: its own ones, or all heads the same."""
    if are_shared:
        return [[load_floats(builder, kind, entry, j) for j in range(num_vectors)]] * num_heads
    every = [load_floats(builder, kind, entry, j) for j in range(num_heads * num_vectors)]
    return [every[head * num_vectors : (head + 1) * num_vectors] for head in range(num_heads)]


def _folded(builder: ir.IRBuilder, vectors: Sequence[Value], width: int) -> tuple[Value, int]:
    """Sums over the lanes of vectors side by side in one, as far as their number goes: half a block is added to the
    other half, one vector's in the first half of the new block and another's in the second.

    Vectors consist of blocks of `width` lanes, to be summed each; also how wide those of the result are.
    """
    while len(vectors) > 1:
        half = len(vectors) // 2
        vectors = [_fold(builder, a, b, width) for a, b in zip(vectors[:half], vectors[half:], strict=True)]
        width //= 2
    return vectors[0], width


def _fold(builder: ir.IRBuilder, a: Value, b: Value, width: int) -> Value:
    """The halves of the blocks of two vectors, added: those of `a` come first in the blocks of the result."""
    half = width // 2
    stays = [n if n % width < half else LANES + n for n in range(LANES)]
    comes = [n + half if n % width < half else LANES + n - half for n in range(LANES)]
    parts = (builder.shuffle_vector(a, b, ir.Constant(INT32S, lanes)) for lanes in (stays, comes))
    return builder.fadd(*parts)


def _entry(builder: ir.IRBuilder, base: Value, offsets: Value, number: Value) -> Value:
    """The address of entry `number`."""
    address = builder.add(offsets, builder.mul(number, I64(OFFSET_BYTES)))
    return builder.add(base, builder.load(pointer(builder, I64, address), align=8))
