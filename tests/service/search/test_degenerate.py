"""Loops, empty output and output that was cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.messages import FinishReason, Hypothesis
from service.search.degenerate import is_empty_or_endless, loops, loops_alone, words_loop


def hypothesis(ids: list[int], reason: FinishReason = FinishReason.EOS) -> Hypothesis:
    return Hypothesis(tuple(ids), (-0.1,) * (len(ids) + 1), reason, None)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([5, 6, 7, 5, 6, 7, 5, 6, 7], True),
        ([1, 5, 6, 5, 6, 5, 6, 2], True),
        ([5, 6, 5, 6], False),
        ([4, 4, 4], False),
        ([4] * 6, True),
        ([], False),
    ],
)
def test_a_stretch_that_comes_three_times_in_a_row_is_a_loop(ids: list[int], expected: bool) -> None:
    assert loops(ids) is expected


@given(st.lists(st.integers(0, 3), max_size=5), st.lists(st.integers(4, 9), min_size=1, max_size=8), st.integers(6, 9))
def test_what_is_repeated_is_found_wherever_it_begins(before: list[int], stretch: list[int], times: int) -> None:
    assert loops([*before, *stretch * times])


def test_a_source_that_loops_allows_its_translation_to_loop() -> None:
    assert loops_alone([5, 6, 5, 6, 5, 6], [1, 2, 3])
    assert not loops_alone([5, 6, 5, 6, 5, 6], [8, 9, 8, 9, 8, 9])


def test_cuts_count_unless_the_client_set_the_limit_and_nothing_is_degenerate() -> None:
    cut = hypothesis([5, 6, 7], FinishReason.LENGTH)
    assert is_empty_or_endless(cut, was_limited=False)
    assert not is_empty_or_endless(cut, was_limited=True)
    assert is_empty_or_endless(hypothesis([]), was_limited=True)


def test_a_clause_that_comes_twice_is_a_loop_unless_the_source_says_something_twice() -> None:
    clause = "weil der Klempner nicht vor Freitag kommen konnte"
    twice = f"Die Schl\u00fcssel sind beim Nachbarn, {clause}, {clause}, und"
    assert words_loop(twice, "The keys are with the neighbour because the plumber couldn't come before Friday, and")
    assert words_loop(
        f"{clause}, sind sie beim Nachbarn, {clause}.", "They are with the neighbour because of the plumber."
    )
    assert not words_loop(twice, "Because he couldn't come, because he couldn't come, the keys are with the neighbour")
    assert not words_loop("Er kam, sah und siegte, und er kam, sah und siegte", "He came, saw and conquered twice")


def test_words_loop_whatever_their_subwords_and_case_unless_the_source_does() -> None:
    please = "S'il vous plaît, s'il vous plaît, s'il vous plaît, entrez"
    assert words_loop(please, "Please come in")
    assert not words_loop(please, "Come in, come in, come in, please")
    assert not words_loop("S'il vous plaît, s'il vous plaît", "Please, please")
