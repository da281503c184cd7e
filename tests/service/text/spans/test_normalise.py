"""Normalisation, and the way back to the client's own code points."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.normalisation import normalise as training_normalise
from service.text.spans.normalise import normalise, replaced, without_surrogates

AWKWARD = st.text(
    st.sampled_from("aeé e\u0301\u0323\u0307 \u2019'\t\u00a0\u3000\u1100\u1161\u11a8\u0f71\u0f73\u0344\u212b\0\u200b😀")
)


@given(st.one_of(st.text(), AWKWARD))
def test_the_text_is_what_training_makes_of_it(text: str) -> None:
    assert normalise(text).text == training_normalise(without_surrogates(text))


@given(st.one_of(st.text(), AWKWARD))
def test_every_code_point_stands_for_some_of_the_original_in_order(text: str) -> None:
    normalised = normalise(text)
    assert len(normalised.text) == len(normalised.starts) == len(normalised.ends)
    spans = list(zip(normalised.starts, normalised.ends, strict=True))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)


@given(st.one_of(st.text(), AWKWARD))
def test_what_no_code_point_stands_for_is_white_space_only(text: str) -> None:
    normalised = normalise(text)
    covered = {i for start, end in zip(normalised.starts, normalised.ends, strict=True) for i in range(start, end)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)


def test_a_composed_letter_stands_for_the_letter_and_its_accent() -> None:
    normalised = normalise("cafe\u0301  noir")
    assert normalised.text == "café noir"
    assert normalised.original_span(3, 4) == (3, 5)
    assert normalised.original_span(4, 5) == (5, 7)
    assert normalised.original_span(5, 9) == (7, 11)


def test_a_letter_before_a_composed_one_stands_for_itself() -> None:
    normalised = normalise("ae\u0301")
    assert (normalised.text, list(normalised.starts), list(normalised.ends)) == ("aé", [0, 1], [1, 3])


def test_an_empty_span_lies_where_the_next_code_point_begins() -> None:
    normalised = normalise("  a  b ")
    assert [normalised.original_span(i, i) for i in range(4)] == [(2, 2), (3, 3), (5, 5), (6, 6)]
    assert normalise("").original_span(0, 0) == (0, 0)


def test_what_is_put_in_between_stands_for_nothing() -> None:
    plain = replaced(normalise("a,\u2060b"), [(2, 3)], [""])
    read = replaced(plain, [(2, 2)], [" "])
    assert (read.text, list(read.starts), list(read.ends)) == ("a, b", [0, 1, 3, 3], [1, 2, 3, 4])


def test_lone_surrogates_become_replacement_characters() -> None:
    assert normalise("a\ud800\udc00 b\udfff").text == "a\ufffd\ufffd b\ufffd"


@pytest.mark.timeout(5)
@pytest.mark.parametrize("unit", ["e\u0301 ", "\u0301", "a\u0301\u0323", "\u1100\u1161 ", "\u0f73"])
def test_hostile_text_takes_no_time(unit: str) -> None:
    text = (unit * 5000)[:5000]
    assert normalise(text).text == " ".join(unicodedata.normalize("NFC", text).split())
