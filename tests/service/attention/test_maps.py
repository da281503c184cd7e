"""Merged maps and links."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from service.attention.alignment import links, pharaoh
from service.attention.grouping import Grouping
from service.attention.maps import MergedMap, merge
from service.messages import Token


def grouping(owners: list[int], count: int) -> Grouping:
    shares = np.zeros((len(owners), count))
    if count:
        shares[np.arange(len(owners)), owners] = 1
    return Grouping(tuple(Token("x", i, i + 1) for i in range(count)), shares)


@st.composite
def groupings(draw: st.DrawFn) -> Grouping:
    count = draw(st.integers(0, 4))
    sizes = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    return grouping([i for i, size in enumerate(sizes) for _ in range(size)], count)


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, Grouping, Grouping]:
    """A raw map [T+1, S+1] whose rows sum to 1, some of it wholly on the end token, and how to merge it."""
    targets, sources = draw(groupings()), draw(groupings())
    shape = (targets.shares.shape[0] + 1, sources.shares.shape[0] + 1)
    raw = draw(arrays(np.float32, shape, elements=st.sampled_from([0, 0, 1e-7, 0.1, 1])))
    raw[:, -1] += raw.sum(axis=1) == 0
    return raw / raw.sum(axis=1, keepdims=True), targets, sources


@given(cases())
def test_merging_keeps_the_mass_of_every_row(case: tuple[np.ndarray, Grouping, Grouping]) -> None:
    raw, targets, sources = case
    merged = merge(raw, targets, sources)
    assert merged.weights.shape == (len(targets.tokens), len(sources.tokens))
    if sources.tokens:
        np.testing.assert_allclose(merged.weights.sum(axis=1) + merged.end_mass, 1.0, atol=1e-5)


@given(cases())
def test_rows_without_the_end_token_sum_to_one_and_are_not_negative(
    case: tuple[np.ndarray, Grouping, Grouping],
) -> None:
    raw, targets, sources = case
    weights = merge(raw, targets, sources).without_end()
    assert weights.dtype == np.float32
    assert (weights >= 0).all()
    if sources.tokens:
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-5)


@given(cases())
def test_links_name_tokens_that_are_there(case: tuple[np.ndarray, Grouping, Grouping]) -> None:
    raw, targets, sources = case
    found = links(merge(raw, targets, sources))
    assert all(0 <= s < len(sources.tokens) and 0 <= t < len(targets.tokens) for s, t in found)
    assert len({t for _, t in found}) == len(found)


def test_source_subwords_are_summed_and_target_subwords_averaged() -> None:
    raw = np.array([[0.2, 0.3, 0.4, 0.1], [0.6, 0.2, 0.2, 0.0], [0.1, 0.1, 0.3, 0.5], [0, 0, 0, 1]], np.float32)
    merged = merge(raw, grouping([0, 0, 1], 2), grouping([0, 0, 1], 2))
    np.testing.assert_allclose(merged.weights, [[0.65, 0.3], [0.2, 0.3]], atol=1e-6)
    np.testing.assert_allclose(merged.end_mass, [0.05, 0.5], atol=1e-6)
    np.testing.assert_allclose(merged.without_end(), [[0.65 / 0.95, 0.3 / 0.95], [0.4, 0.6]], atol=1e-6)
    assert pharaoh(links(merged)) == "0-0"


def test_a_row_wholly_on_the_end_token_becomes_uniform_and_has_no_link() -> None:
    merged = MergedMap(np.zeros((1, 4)), np.ones(1))
    np.testing.assert_array_equal(merged.without_end(), [[0.25] * 4])
    assert links(merged) == []


def test_attention_that_is_spread_too_thin_makes_no_link() -> None:
    weights = np.array([[0.2, 0.2, 0.2, 0.2, 0.2], [0.3, 0.2, 0.2, 0.2, 0.1], [0.1, 0.1, 0.1, 0.3, 0.0]])
    assert links(MergedMap(weights, np.array([0.0, 0.0, 0.4]))) == [(0, 1)]


def test_a_cut_hypothesis_without_an_end_row_keeps_all_its_rows() -> None:
    raw = np.array([[1.0, 0.0], [0.5, 0.5]], np.float32)
    merged = merge(raw, grouping([0, 1], 2), grouping([0], 1))
    np.testing.assert_array_equal(merged.weights, [[1.0], [0.5]])
