"""The best continuations equal those that sorting everything would find."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service.search.candidates import best_continuations, maxima


def sorted_out(logits: np.ndarray, offsets: np.ndarray, count: int) -> list[list[tuple[float, int, int]]]:
    """(score, row, token) of each beam's best, by brute force."""
    num_beams, width = offsets.shape
    scores = logits.astype(np.float64).reshape(num_beams, width, -1) + offsets[:, :, None]
    found = []
    for beam in scores:
        entries = [(-score, row, token) for (row, token), score in np.ndenumerate(beam)]
        found.append([(-score, row, token) for score, row, token in sorted(entries)[:count]])
    return found


@given(
    st.integers(0, 2**32), st.integers(1, 3), st.integers(1, 4), st.sampled_from([4, 63, 129, 500, 1003, 1024, 8005])
)
def test_they_equal_a_sort_of_all(seed: int, num_beams: int, width: int, size: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(size=(num_beams * width, size)).astype(np.float32)
    offsets = random.normal(size=(num_beams, width)) * 2.0
    if seed % 3 == 0:
        offsets[:, 1:] = -np.inf
    count = 2 * width
    found = best_continuations(maxima(logits), offsets, count)
    for beam, expected in enumerate(sorted_out(logits, offsets, count)):
        alive = [entry for entry in expected if entry[0] > -np.inf]
        listed = zip(
            found.scores[beam].tolist(), found.parents[beam].tolist(), found.tokens[beam].tolist(), strict=True
        )
        assert list(listed)[: len(alive)] == alive
        assert (found.scores[beam, len(alive) :] == -np.inf).all()


@given(st.integers(0, 2**32), st.integers(1, 20), st.sampled_from([4, 64, 1003, 8005]))
def test_each_group_is_as_large_as_its_largest_entry(seed: int, num_rows: int, size: int) -> None:
    logits = np.random.default_rng(seed).normal(size=(num_rows, size)).astype(np.float32)
    np.testing.assert_array_equal(maxima(logits)[-1].max(axis=1), logits.max(axis=1))
