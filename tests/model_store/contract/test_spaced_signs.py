"""Spaces behind opening signs go in and come out again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.spaced_signs import spaced, spans_before, spans_behind, without_spaces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bring it (or not).", "Bring it ( or not)."),
        ('The button "Save" (see "Help").', 'The button " Save" ( see " Help").'),
        ('"Yes," she said.', '" Yes," she said.'),
        ("Das Wort \u201eFrist\u201c", "Das Wort \u201e Frist\u201c"),
        ("Le mot \u00ab d\u00e9lai \u00bb", "Le mot \u00ab d\u00e9lai \u00bb"),
        ("the dogs' 'Save' button", "the dogs' ' Save' button"),
        ("l'eau, don't, Jean's", "l'eau, don't, Jean's"),
        ("e-mail/phone, and/or, km/h, 1/2, a / b", "e-mail/ phone, and/ or, km/h, 1/2, a / b"),
        ("Monday\u2013Friday, 9\u201317", "Monday\u2013 Friday, 9\u201317"),
        ("(\ue006)", "( \ue006)"),
        (":( sad :-(", ":( sad :-("),
        ("f(x), a[i]", "f(x), a[i]"),
        ('The 5" disk and "Jaws" in 6\'2" letters', 'The 5" disk and " Jaws" in 6\'2" letters'),
        ("(", "("),
    ],
)
def test_a_space_stands_between_an_opening_sign_and_its_word(text: str, expected: str) -> None:
    assert spaced(text)[0] == expected
    assert without_spaces(expected)[0] == text


def test_a_closing_sign_that_stands_apart_keeps_its_space() -> None:
    assert without_spaces('say " yes " now, " no " then')[0] == 'say "yes " now, "no " then'


@given(st.text(st.sampled_from("ab \"'(/[\u201e\u00ab,.")))
def test_spans_come_back_to_the_text_that_they_cover(text: str) -> None:
    read, places = spaced(text)
    letters = [(at, at + 1) for at, character in enumerate(read) if character in "ab"]
    for (start, end), (before, behind) in zip(letters, spans_before(letters, places), strict=True):
        assert text[before:behind] == read[start:end]
    written, taken = without_spaces(text)
    letters = [(at, at + 1) for at, character in enumerate(text) if character in "ab"]
    for (start, end), (before, behind) in zip(letters, spans_behind(letters, taken), strict=True):
        assert written[before:behind] == text[start:end]
