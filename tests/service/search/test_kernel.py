"""The compiled parts of a search against the plain definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.search.kernel import BLOCK, best_continuations, log_sum_exp
from service.search.records import CONTINUATION, ROW

SIZES = [4, BLOCK - 1, BLOCK, BLOCK + 1, 500, 1003, 8005]


def normaliser(logits: np.ndarray) -> float:
    return log_sum_exp(logits, np.zeros(-(-len(logits) // BLOCK), np.float32))


def sorted_out(logits: np.ndarray, totals: np.ndarray, count: int) -> list[tuple[int, int]]:
    """(row, token) of the best continuations of a segment, by brute force."""
    entries = [
        (-score, row, token) for row in range(len(totals)) for token, score in enumerate(logits[row] + totals[row])
    ]
    return [(row, token) for score, row, token in sorted(entries)[:count] if score < np.inf]


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from(SIZES))
def test_the_best_continuations_equal_a_sort_of_all(seed: int, width: int, size: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(size=(width, size)).astype(np.float32)
    rows = np.zeros(width, ROW)
    rows["total"] = random.normal(size=width) * 2.0
    if seed % 3 == 0:
        rows["total"][1:] = -np.inf
    if seed % 5 == 0:
        logits = logits.round(0)  # many ties
        rows["total"][rows["total"] > -np.inf] = 0.0
        logits[:] = logits[0]  # and equal normalisers, so that ties are ties
    normalisers, found = np.zeros(width), np.zeros(2 * width, CONTINUATION)
    num_blocks = -(-size // BLOCK)
    num_found = best_continuations(
        logits, np.arange(len(rows)), rows, normalisers, np.zeros(num_blocks, np.float32), found
    )
    alive = rows["total"] > -np.inf
    exact = np.logaddexp.reduce(logits.astype(np.float64), axis=1)
    np.testing.assert_allclose(normalisers[alive], exact[alive], atol=1e-5)
    expected = sorted_out(logits.astype(np.float64), rows["total"] - normalisers, 2 * width)
    assert [(int(c["parent"]), int(c["token"])) for c in found[:num_found]] == expected


@given(
    st.integers(0, 2**32),
    st.sampled_from(SIZES),
    st.sampled_from([0.1, 10.0, 100.0, 1e6]),
    st.sampled_from([-200, 0, 90]),
)
def test_the_normaliser_holds_whatever_the_size_of_the_logits(seed: int, size: int, scale: float, shift: int) -> None:
    logits = (np.random.default_rng(seed).normal(size=size) * scale + shift).astype(np.float32)
    exact = np.logaddexp.reduce(logits.astype(np.float64))
    assert normaliser(logits) == pytest.approx(exact, rel=1e-7, abs=5e-6)


def test_some_words_may_be_impossible() -> None:
    logits = np.array([0.0, -np.inf, 0.0, -np.inf], dtype=np.float32)
    assert normaliser(logits) == pytest.approx(np.log(2.0))


def test_what_is_no_number_gives_none() -> None:
    logits = np.full((1, 100), np.nan, dtype=np.float32)
    rows, found = np.zeros(1, ROW), np.zeros(2, CONTINUATION)
    assert best_continuations(logits, np.arange(len(rows)), rows, np.zeros(1), np.zeros(2, np.float32), found) == 0
