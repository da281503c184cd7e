"""Merged maps and links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.attention.alignment import links, pharaoh
from service.attention.grouping import Grouping
from service.attention.kernel import merged
from service.attention.maps import MergedMap, Merging
from service.attention.selection import SelectedMap
from service.exchanged import Token

ONLY = SelectedMap(1, 1, (0,))


def grouping(owners: list[int], count: int) -> Grouping:
    """As many tokens of 9 code points, and subwords in those that own them."""
    tokens = tuple(Token("x" * 9, 9 * i, 9 * i + 9) for i in range(count))
    return Grouping(tokens, [(9 * owner, 9 * owner + 3) for owner in owners])


def merge(raw: np.ndarray, targets: Grouping, sources: Grouping) -> MergedMap:
    """Merge a raw map [T, S+1], the only slice that there is."""
    return Merging(sources, targets).merge(raw[:, None].astype(np.float32), ONLY)


@st.composite
def groupings(draw: st.DrawFn) -> Grouping:
    count = draw(st.integers(0, 4))
    sizes = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    return grouping([i for i, size in enumerate(sizes) for _ in range(size)], count)


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, Grouping, Grouping]:
    """A raw map [T+1, S+1] whose rows sum to 1, some of it wholly on the end token, and how to merge it."""
    targets, sources = draw(groupings()), draw(groupings())
    shape = (len(targets.spans) + 1, len(sources.spans) + 1)
    raw = draw(arrays(np.float32, shape, elements=st.sampled_from([0, 0, 1e-7, 0.1, 1])))
    raw[:, -1] += raw.sum(axis=1) == 0
    return raw / raw.sum(axis=1, keepdims=True), targets, sources


def shares(grouping: Grouping) -> np.ndarray:
    """[subwords, tokens]: 1 where a token owns a subword."""
    return np.array([[t.start <= start < t.end for t in grouping.tokens] for start, _ in grouping.spans]).reshape(
        len(grouping.spans), len(grouping.tokens)
    )


@given(cases())
def test_merging_keeps_the_mass_of_every_row(case: tuple[np.ndarray, Grouping, Grouping]) -> None:
    raw, targets, sources = case
    weights, end_mass = merged(raw[:, None], ONLY.slices, 0, shares(targets), shares(sources))
    assert weights.shape == (len(targets.tokens), len(sources.tokens))
    if sources.tokens:
        np.testing.assert_allclose(weights.sum(axis=1) + end_mass, 1.0, atol=1e-5)


@given(st.data())
def test_merging_sums_over_source_subwords_and_averages_over_target_subwords(data: st.DataObject) -> None:
    """Shares as `Merging` makes them: a subword may belong to two words side by side."""
    num_steps, num_subwords = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5))
    owned = st.lists(st.integers(0, 2), min_size=num_subwords, max_size=num_subwords)
    sources, targets = np.zeros((num_subwords, 4)), np.zeros((num_steps, 3))
    for s, (first, is_shared) in enumerate(zip(data.draw(owned), data.draw(owned), strict=True)):
        sources[s, first : first + 1 + bool(is_shared)] = 1.0 / (1 + bool(is_shared))
    for t in range(num_steps):
        targets[t, data.draw(st.integers(0, 2))] = 1.0
    attention = np.random.default_rng(3).random((num_steps, 2, num_subwords + 1)).astype(np.float32)
    weights, end_mass = merged(attention, np.array([0, 1]), 0, targets, sources)
    of_targets = targets / np.maximum(targets.sum(axis=0), 1.0)
    mean = attention.mean(axis=1, dtype=np.float64)
    np.testing.assert_allclose(weights, of_targets.T @ mean[:, :-1] @ sources, atol=1e-6)
    alone = targets.sum(axis=0) > 0
    np.testing.assert_allclose(end_mass, np.where(alone, of_targets.T @ mean[:, -1], 1.0), atol=1e-6)


@given(cases())
def test_a_row_and_its_share_of_the_end_token_sum_to_one_and_are_not_negative(
    case: tuple[np.ndarray, Grouping, Grouping],
) -> None:
    raw, targets, sources = case
    weights, end_token, _ = merge(raw, targets, sources)
    assert weights.dtype == np.float64
    assert weights.shape == (len(targets.tokens), len(sources.tokens))
    assert (weights >= 0).all()
    assert (end_token >= 0).all()
    if sources.tokens:
        np.testing.assert_allclose(weights.sum(axis=1) + end_token, 1.0, atol=1e-5)


@given(cases())
def test_links_name_tokens_that_are_there(case: tuple[np.ndarray, Grouping, Grouping]) -> None:
    raw, targets, sources = case
    found = links(merge(raw, targets, sources).linked)
    assert all(0 <= s < len(sources.tokens) and 0 <= t < len(targets.tokens) for s, t in found)
    assert len({t for _, t in found}) == len(found)


@given(cases(), st.integers(1, 4), st.data())
def test_a_map_is_the_mean_of_its_slices(
    case: tuple[np.ndarray, Grouping, Grouping], num_slices: int, data: st.DataObject
) -> None:
    raw, targets, sources = case
    indices = data.draw(st.lists(st.integers(0, num_slices - 1), min_size=1, unique=True))
    attention = raw[:, None] * np.linspace(0.5, 1.5, num_slices, dtype=np.float32)[:, None]
    mean = attention[:, indices].mean(axis=1, dtype=np.float64)
    target_shares = shares(targets) / np.maximum(shares(targets).sum(axis=0), 1)
    weights, end_mass = merged(
        attention, SelectedMap(1, "mean", tuple(indices)).slices, 0, shares(targets), shares(sources)
    )
    rows = target_shares.T @ mean[: len(targets.spans)]
    np.testing.assert_allclose(weights, rows[:, :-1] @ shares(sources), atol=1e-6)
    np.testing.assert_allclose(end_mass, rows[:, -1], atol=1e-6)


def test_source_subwords_are_summed_and_target_subwords_averaged() -> None:
    raw = np.array([[0.2, 0.3, 0.4, 0.1], [0.6, 0.2, 0.2, 0.0], [0.1, 0.1, 0.3, 0.5], [0, 0, 0, 1]], np.float32)
    both = grouping([0, 0, 1], 2)
    weights, end_mass = merged(raw[:, None], ONLY.slices, 0, shares(both), shares(both))
    np.testing.assert_allclose(weights, [[0.65, 0.3], [0.2, 0.3]], atol=1e-6)
    np.testing.assert_allclose(end_mass, [0.05, 0.5], atol=1e-6)
    found = merge(raw, both, both)
    np.testing.assert_allclose(found.weights, [[0.65, 0.3], [0.2, 0.3]], atol=1e-6)
    assert pharaoh(found.linked) == "0-0"


def test_a_row_wholly_on_the_end_token_stays_so_and_has_no_link() -> None:
    found = merge(np.array([[0.0, 0.0, 0.0, 0.0, 1.0]]), grouping([0], 1), grouping([0, 1, 2, 3], 4))
    np.testing.assert_array_equal(found.weights, [[0.0] * 4])
    np.testing.assert_array_equal(found.end_token, [1.0])
    assert links(found.linked) == []


def test_a_token_that_no_subword_belongs_to_gives_everything_to_the_end_token() -> None:
    targets = Grouping((Token("x" * 9, 0, 9), Token("x" * 9, 9, 18)), [(0, 9)])
    found = merge(np.array([[0.75, 0.25]]), targets, grouping([0], 1))
    np.testing.assert_array_equal(found.weights, [[0.75], [0.0]])
    np.testing.assert_array_equal(found.end_token, [0.25, 1.0])
    assert links(found.linked) == [(0, 0)]


def test_a_shifted_map_takes_the_row_after_each_token_and_the_last_one_where_there_is_none() -> None:
    raw = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]], np.float32)
    shifted = replace(ONLY, shift=1, least=0.2)
    both = grouping([0, 1], 2)
    with_end_row = Merging(both, both).merge(raw[:, None], shifted)
    np.testing.assert_array_equal(with_end_row.weights, [[0.0, 1.0], [0.0, 0.25]])
    cut = Merging(both, both).merge(raw[:2, None], shifted)
    np.testing.assert_array_equal(cut.weights, [[0.0, 1.0], [0.0, 1.0]])
    assert links(cut.linked) == [(1, 0), (1, 1)]


def test_attention_that_is_spread_too_thin_makes_no_link() -> None:
    weights = [[0.2, 0.2, 0.2, 0.2, 0.2, 0.0], [0.3, 0.2, 0.2, 0.2, 0.1, 0.0], [0.1, 0.1, 0.1, 0.3, 0.0, 0.4]]
    assert links(merge(np.array(weights), grouping([0, 1, 2], 3), grouping([0, 1, 2, 3, 4], 5)).linked) == [(0, 1)]


def test_a_cut_hypothesis_without_an_end_row_keeps_all_its_rows() -> None:
    raw = np.array([[1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_array_equal(merge(raw, grouping([0, 1], 2), grouping([0], 1)).weights, raw[:, :1])
    assert links(merge(raw, grouping([0, 1], 2), grouping([0], 1)).linked) == [(0, 0)]


@pytest.mark.parametrize("shape", [(1, 3), (2, 2), (2, 4)])
def test_attention_of_other_subwords_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="for 2 target and 2 source subwords"):
        merge(np.ones(shape), grouping([0, 1], 2), grouping([0, 1], 2))
