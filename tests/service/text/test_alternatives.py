"""Combinations of the hypotheses of several segments."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.alternatives import best_combinations, mean_log_prob

SCORES = st.lists(
    st.lists(st.integers(-9, 0).map(float), min_size=1, max_size=3).map(lambda s: sorted(s, reverse=True)), max_size=5
)


@given(SCORES, st.integers(1, 9))
def test_the_combinations_are_the_best_of_all(scores: list[list[float]], count: int) -> None:
    def total(indices: tuple[int, ...]) -> float:
        return sum(options[index] for options, index in zip(scores, indices, strict=True))

    every = list(product(*(range(len(options)) for options in scores)))
    found = best_combinations(scores, count)
    assert len(set(found)) == len(found) == min(count, len(every))
    assert [total(i) for i in found] == sorted(map(total, every), reverse=True)[: len(found)]
    assert found[0] == (0,) * len(scores)


@pytest.mark.timeout(10)
def test_many_segments_take_no_time() -> None:
    found = best_combinations([[-0.1 * i for i in range(16)]] * 500, 16)
    assert len(found) == 16


def test_nothing_translated_scores_zero() -> None:
    assert mean_log_prob([]) == 0.0
