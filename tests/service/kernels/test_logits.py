"""Maxima of blocks and the normaliser, as the search takes them from a row of logits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.search.kernel import BLOCK, log_sum_exp

SIZES = st.one_of(st.integers(1, 3 * BLOCK + 2), st.sampled_from([8000, 8000 + BLOCK // 2, 8000 + BLOCK - 1]))
SEEDS = st.integers(0, 2**32)


def read(logits: np.ndarray) -> tuple[float, np.ndarray]:
    """log sum exp, and the maxima of all blocks."""
    maxima = np.full(-(-len(logits) // BLOCK), np.nan, np.float32)
    return log_sum_exp(logits, maxima), maxima


@given(SEEDS, SIZES, st.sampled_from([1e-3, 1.0, 1e3, 1e30]))
def test_maxima_of_blocks_are_exact(seed: int, size: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    logits = (random.normal(-1.0, 1.0, size) * scale).astype(np.float32)
    logits[random.random(size) < 0.1] = -np.inf
    logits[0] = 0.0
    _, maxima = read(logits)
    expected = [logits[first : first + BLOCK].max() for first in range(0, size, BLOCK)]
    np.testing.assert_array_equal(maxima, np.array(expected, np.float32))


@given(SEEDS, SIZES)
def test_a_number_that_is_none_makes_the_normaliser_none(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(size=size).astype(np.float32)
    logits[random.integers(size)] = np.nan
    assert np.isnan(read(logits)[0])


@given(SEEDS, SIZES, st.sampled_from([-3e38, -1e10, -100.0, 100.0, 1e10, 3e38]))
def test_the_normaliser_holds_for_huge_numbers(seed: int, size: int, shift: float) -> None:
    logits = np.random.default_rng(seed).normal(size=size).astype(np.float32) + np.float32(shift)
    assert read(logits)[0] == pytest.approx(np.logaddexp.reduce(logits.astype(np.float64)), rel=1e-7, abs=5e-6)


@given(SIZES, st.floats(width=32, min_value=-(2.0**99), max_value=2.0**99))
def test_the_normaliser_of_equal_numbers_is_theirs_and_that_of_how_many(size: int, number: float) -> None:
    logits = np.full(size, number, np.float32)
    assert read(logits)[0] == pytest.approx(float(logits[0]) + np.log(size), rel=1e-7, abs=5e-6)


@given(SIZES, SEEDS)
def test_one_possible_word_is_certain(size: int, seed: int) -> None:
    logits, chosen = np.full(size, -np.inf, np.float32), np.random.default_rng(seed).integers(size)
    logits[chosen] = -2.5
    normaliser, maxima = read(logits)
    assert normaliser == pytest.approx(-2.5, abs=1e-6)
    assert maxima[chosen // BLOCK] == -2.5
    assert np.isneginf(np.delete(maxima, chosen // BLOCK)).all()


@given(SEEDS, SIZES)
def test_the_normaliser_depends_on_the_row_alone(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(size=size).astype(np.float32)
    beside = random.normal(size=size + 64).astype(np.float32)
    for offset in (1, 7, 16):  # wherever it lies
        beside[offset : offset + size] = logits
        assert read(beside[offset : offset + size])[0] == read(logits)[0]
