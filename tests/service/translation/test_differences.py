"""chrF against sacreBLEU's, and what is compared."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from service.translation.differences import chrf

words = st.lists(st.text("abcé ", min_size=1, max_size=12), min_size=1, max_size=8).map(" ".join)


@given(words, words)
def test_chrf_is_that_of_sacrebleu(hypothesis: str, reference: str) -> None:
    assert chrf(reference, reference) == pytest.approx(1.0)
    if hypothesis.strip() and reference.strip():
        theirs = sacrebleu.sentence_chrf(hypothesis, [reference]).score / 100
        assert chrf(hypothesis, reference) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(("hypothesis", "reference", "score"), [("", "", 1.0), ("", "a", 0.0), ("a", " ", 0.0)])
def test_of_empty_texts_only_equal_ones_agree(hypothesis: str, reference: str, score: float) -> None:
    assert chrf(hypothesis, reference) == score
