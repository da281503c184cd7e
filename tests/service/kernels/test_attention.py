"""Instructions that attend, against the equation of Vaswani et al. 2017: softmax(Q K^T / sqrt(D)) V."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.lowering.values import AttentionWeights, GraphInput, Heads, Scores, Tensor
from service.operators.cross_attention import CrossAttention
from service.operators.encoder_attention import EncoderSelfAttention
from service.operators.self_attention import CachedSelfAttention
from tests.service.kernels.programs import computed, fed, fed_by_token, needs_instruction, softmax

pytestmark = needs_instruction

SEEDS = st.integers(0, 2**32)
HEADS = st.sampled_from([1, 2, 3, 4, 5, 8, 9, 16, 18])
"""As many as kernels look at together, of each size, and fewer, and more."""
HEAD_SIZES = st.sampled_from([5, 8, 16, 24, 32, 48, 64, 80])
SHARPNESS = st.sampled_from([0.1, 1.0, 30.0])
"""How far apart queries and keys are: weights from nearly equal to all on one entry."""
COUNTS = st.sampled_from([1, 2, 15, 16, 17, 31, 33, 50])


def by_heads(rows: np.ndarray, num_heads: int) -> np.ndarray:
    """Rows [count, N D] as [N, count, D], float64."""
    return rows.astype(np.float64).reshape(len(rows), num_heads, -1).swapaxes(0, 1)


def assert_close(result: np.ndarray, expected: np.ndarray, largest_score: float = 0.0) -> None:
    """`largest_score` bounds the terms of a score: float32 rounds by their size, and so weights differ."""
    tolerance = 1e-4 + float(np.finfo(np.float32).eps) * largest_score
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@settings(max_examples=30)
@given(SEEDS, HEADS, HEAD_SIZES, st.lists(COUNTS, min_size=1, max_size=4), SHARPNESS)
def test_tokens_attend_to_their_whole_segment_and_to_no_other(
    seed: int, num_heads: int, size: int, lengths: list[int], sharpness: float
) -> None:
    random, columns = np.random.default_rng(seed), num_heads * size
    queries, keys, values = (fed(random.normal(size=(sum(lengths), columns))) for _ in range(3))
    queries.positions[:] *= np.float32(sharpness)
    step = EncoderSelfAttention(Tensor(columns), queries.target, keys.target, values.target, num_heads)
    steps = [queries, keys, values, step]
    (together,) = computed(steps, [step.target], range(sum(lengths)), lengths=lengths)
    first = 0
    for length in lengths:
        rows = slice(first, first + length)
        query, key, value = (by_heads(feed.positions[rows], num_heads) for feed in (queries, keys, values))
        context = softmax(query @ key.swapaxes(1, 2) / np.sqrt(size)) @ value
        assert_close(together[rows], context.swapaxes(0, 1).reshape(length, columns))
        (alone,) = computed(steps, [step.target], range(first, first + length), lengths=[length])
        np.testing.assert_array_equal(alone, together[rows])
        first += length


@settings(max_examples=30)
@given(SEEDS, HEADS, HEAD_SIZES, st.lists(COUNTS, min_size=1, max_size=4), st.integers(1, 9), SHARPNESS)
def test_rows_attend_to_the_source_of_their_segment(
    seed: int, num_heads: int, size: int, lengths: list[int], beam_size: int, sharpness: float
) -> None:
    """What lies beyond a segment's length is no number here, and nobody may look at it."""
    random, columns, num_rows = np.random.default_rng(seed), num_heads * size, len(lengths) * beam_size
    width, slices, first_slice = max(lengths) + 3, num_heads + 2, 1
    queries = fed(random.normal(size=(num_rows, columns)) * sharpness)
    memory = random.normal(size=(2, len(lengths), num_heads, width, size)).astype(np.float32)
    for segment, length in enumerate(lengths):
        memory[:, segment, :, length:] = np.nan
    given_keys, given_values = GraphInput("keys"), GraphInput("values")
    weights = AttentionWeights(Scores(Heads(queries.target, num_heads, True), given_keys, True))
    step = CrossAttention(Tensor(columns), queries.target, given_keys, given_values, num_heads, weights)

    def attended(rows: list[int], segments: list[int], width: int) -> tuple[np.ndarray, np.ndarray]:
        kept = [np.ascontiguousarray(memory[:, segment, :, :width].swapaxes(1, 2)) for segment in segments]
        keys, values = (np.array([one[i].ctypes.data for one in kept]) for i in range(2))
        shown = np.full((len(rows), slices, width), np.nan, np.float32)
        (result,) = computed(
            [queries, step], [step.target], rows, beam_size=len(rows) // len(segments),
            lengths=[lengths[segment] for segment in segments], states={"keys": keys, "values": values},
            shown=shown, first_slices={weights: first_slice},
        )  # fmt: skip
        return result, shown

    result, shown = attended(list(range(num_rows)), list(range(len(lengths))), width)
    for row in range(num_rows):
        segment = row // beam_size
        length = lengths[segment]
        key, value = memory[:, segment, :, :length].astype(np.float64)
        expected = softmax(by_heads(queries.positions[row : row + 1], num_heads) @ key.swapaxes(1, 2))
        here = shown[row, first_slice : first_slice + num_heads]
        assert_close(here[:, :length], expected[:, 0])
        assert_close(result[row], (expected @ value).reshape(columns))
        np.testing.assert_allclose(here.sum(axis=1), 1.0, atol=1e-5)
        assert (here[:, length:] == 0.0).all()
        assert (here >= 0.0).all()
        assert np.isnan(shown[row, :first_slice]).all(), "slices of other layers are theirs"
        assert np.isnan(shown[row, first_slice + num_heads :]).all()
    chosen = int(random.integers(num_rows))
    segment = chosen // beam_size
    alone, shown_alone = attended([chosen], [segment], lengths[segment])
    np.testing.assert_array_equal(alone[0], result[chosen])
    np.testing.assert_array_equal(shown_alone[0], shown[chosen, :, : lengths[segment]])


@settings(max_examples=60)
@example(3262, 9, 24, [15, 1, 1, 1, 33], 30.0, False)  # scores of hundreds, two of them nearly equal
@given(SEEDS, HEADS, HEAD_SIZES, st.lists(COUNTS, min_size=1, max_size=5), SHARPNESS, st.booleans())
def test_rows_attend_to_their_past_and_append_to_it(
    seed: int, num_heads: int, size: int, counts: list[int], sharpness: float, are_halved: bool
) -> None:
    """Entries beyond a row's position are no numbers here, and nobody may look at them."""
    random, columns, num_rows = np.random.default_rng(seed), num_heads * size, len(counts)
    room, kind = max(counts) + 5, np.float16 if are_halved else np.float32
    table = random.integers(-128, 128, (num_rows, 3 * columns)).astype(np.int8)
    scales = (random.uniform(0.5, 1.5, num_rows) * sharpness / 64).astype(np.float32)
    feed = fed_by_token(table, scales, room)
    step = CachedSelfAttention(
        Tensor(columns), feed.target, GraphInput("keys"), GraphInput("values"), num_heads, are_halved
    )
    past = random.normal(size=(2, num_rows, num_heads, room, size)).astype(kind)
    for row, count in enumerate(counts):
        past[:, row, :, count - 1 :] = np.nan

    def attended(rows: list[int], room: int) -> tuple[np.ndarray, np.ndarray]:
        by_entry = np.ascontiguousarray(past[:, rows, :, :room].swapaxes(2, 3))
        positions = [counts[row] - 1 for row in rows]
        (result,) = computed(
            [feed, step], [step.target], positions, token_ids=rows, room=room,
            states={"keys": by_entry[0], "values": by_entry[1]},
        )  # fmt: skip
        return result, by_entry.swapaxes(2, 3)

    result, kept = attended(list(range(num_rows)), room)
    given_rows = (table.astype(np.float32) * scales[:, None]).astype(kind)
    for row, count in enumerate(counts):
        query, key, value = by_heads(given_rows[row].reshape(3, columns), num_heads).swapaxes(0, 1)
        np.testing.assert_array_equal(kept[:, row, :, : count - 1], past[:, row, :, : count - 1])
        np.testing.assert_array_equal(kept[:, row, :, count - 1], np.array([key, value], kind))
        assert np.isnan(kept[:, row, :, count:]).all()
        keys, values = kept[:, row, :, :count].astype(np.float64)
        weights = softmax(query[:, None] @ keys.swapaxes(1, 2) / np.sqrt(size))
        largest = np.abs(query[:, None]) @ np.abs(keys).swapaxes(1, 2) / np.sqrt(size)
        assert_close(result[row], (weights @ values).reshape(columns), float(largest.max()))
    for row in {0, num_rows - 1}:
        alone, kept_alone = attended([row], counts[row])
        np.testing.assert_array_equal(alone[0], result[row])
        np.testing.assert_array_equal(kept_alone[:, 0], kept[:, row, :, : counts[row]])


@settings(max_examples=60)
@given(
    SEEDS, HEADS, HEAD_SIZES, st.lists(COUNTS, min_size=1, max_size=3), st.integers(2, 9), st.floats(0.5, 1.0),
    st.booleans(),
)  # fmt: skip
def test_what_rows_have_in_common_is_to_each_as_if_it_were_its_own(
    seed: int, num_heads: int, size: int, counts: list[int], beam_size: int, common: float, are_halved: bool
) -> None:
    """Rows with most of their past in common may read it together; copies of it give the same bits."""
    random, columns, k = np.random.default_rng(seed), num_heads * size, beam_size
    num_rows, room, kind = len(counts) * k, max(counts) + 2, np.float16 if are_halved else np.float32
    table, scales = random.integers(-128, 128, (num_rows, 3 * columns)), np.full(num_rows, 0.02, np.float32)
    feed = fed_by_token(table.astype(np.int8), scales, room)
    step = CachedSelfAttention(
        Tensor(columns), feed.target, GraphInput("keys"), GraphInput("values"), num_heads, are_halved
    )
    past = random.normal(size=(2, num_rows, room, columns)).astype(kind)
    origins = random.integers(0, k, (num_rows, room))
    for b, count in enumerate(counts):
        origins[b * k : b * k + k, : int(common * count)] = origins[b * k, : int(common * count)]
    writers = np.arange(num_rows)[:, None] // k * k + origins
    copies = past[:, writers, np.arange(room)]

    def attended(arrays: np.ndarray, **options: Any) -> np.ndarray:
        (result,) = computed(
            [feed, step], [step.target], np.repeat(counts, k) - 1, token_ids=range(num_rows), room=room,
            states={"keys": arrays[0].copy(), "values": arrays[1].copy()}, **options,
        )  # fmt: skip
        return result

    together = attended(past, beam_size=k, origins=origins)
    np.testing.assert_array_equal(together, attended(copies))


@pytest.mark.parametrize("size", [16, 32, 64])
def test_equal_keys_get_equal_weights(size: int) -> None:
    """Then the context is the mean of the values, whatever the query."""
    length, random = 13, np.random.default_rng(size)
    queries, values = fed(random.normal(size=(length, size)) * 1e3), fed(random.normal(size=(length, size)))
    keys = fed(np.tile(random.normal(size=size), (length, 1)))
    step = EncoderSelfAttention(Tensor(size), queries.target, keys.target, values.target, 1)
    (result,) = computed([queries, keys, values, step], [step.target], range(length), lengths=[length])
    np.testing.assert_allclose(result, np.tile(values.positions.mean(axis=0), (length, 1)), atol=1e-5)


@settings(max_examples=20)
@given(SEEDS, st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 40]), st.booleans())
def test_what_is_too_large_or_too_small_for_half_precision_is_rounded_as_ieee_754_says(
    seed: int, num_entries: int, is_large: bool
) -> None:
    """The nearer number of 16 bits, the even one when two are as near; what is too large becomes infinite."""
    random, columns = np.random.default_rng(seed), 64
    exponents = random.integers(14, 18, 3 * columns) if is_large else random.integers(-28, -10, 3 * columns)
    mantissas = 1 + random.integers(0, 2**12, 3 * columns) / 2**12
    numbers = (mantissas * 2.0**exponents * random.choice([-1, 1], 3 * columns)).astype(np.float32)
    feed = fed(np.tile(numbers, (num_entries, 1)))
    step = CachedSelfAttention(Tensor(columns), feed.target, GraphInput("keys"), GraphInput("values"), 4, True)
    states = {name: np.zeros((1, num_entries, columns), np.float16) for name in ("keys", "values")}
    computed([feed, step], [step.target], [num_entries - 1], room=num_entries, states=states)
    with np.errstate(over="ignore"):
        key, value = numbers.astype(np.float16).reshape(3, columns)[1:]
    np.testing.assert_array_equal(states["keys"][0, -1], key)
    np.testing.assert_array_equal(states["values"][0, -1], value)
