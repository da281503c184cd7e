"""Selection against a full sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.search.candidates import BLOCK, best_continuations, best_tokens


@given(st.integers(1, 6), st.integers(1, 1000), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_best_tokens_are_those_of_a_full_sort(num_rows: int, size: int, count: int, seed: int) -> None:
    log_probs = np.random.default_rng(seed).permutation(num_rows * size).reshape(num_rows, size).astype(np.float32)
    found = np.sort(best_tokens(log_probs, count), axis=1)
    expected = np.sort(np.argsort(-log_probs, axis=1)[:, :count], axis=1)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [BLOCK - 1, BLOCK, 12 * BLOCK, 12 * BLOCK + 5])
def test_the_largest_entries_may_all_lie_in_one_block(size: int) -> None:
    log_probs = np.full((1, size), -9.0, dtype=np.float32)
    log_probs[0, size - 8 :] = np.arange(8)
    assert sorted(best_tokens(log_probs, 8)[0].tolist()) == list(range(size - 8, size))


def test_continuations_are_ranked_and_ties_go_to_the_better_parent_then_the_lower_token() -> None:
    totals = np.array([[-1.0, -1.5]])
    tokens = np.array([[[9, 4], [7, 3]]])
    log_probs = np.array([[[-0.5, -0.5], [-0.0, -2.0]]], dtype=np.float32)
    best = best_continuations(totals, tokens, log_probs, 3)
    assert list(zip(best.parents[0].tolist(), best.tokens[0].tolist(), strict=True)) == [(0, 4), (0, 9), (1, 7)]
