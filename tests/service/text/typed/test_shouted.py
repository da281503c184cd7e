"""Words in capitals inside a sentence are read in lower case; acronyms and text that must not change stay."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import normalise
from service.text.typed.shouted import quieted, shouting

FREQUENT = {
    "not",
    "open",
    "love",
    "please",
    "note",
    "important",
    "save",
    "nicht",
    "Haus",
    "only",
    "led",
    "NATO",
    "don't",
    "free",
    "visa",
}


def encode(word: str) -> Sequence[int]:
    """One subword for frequent words, one for each letter of others."""
    return [0] if word in FREQUENT else [0] * len(word)


def read(text: str, language: str = "en") -> str:
    return quieted(normalise(text), language, encode)[0].text


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Do NOT open it", "Do not open it"),
        ("en", "I LOVE it!", "I love it!"),
        ("en", "IMPORTANT: read this", "Important: read this"),
        ("en", "(PLEASE NOTE this)", "(Please note this)"),
        ("en", "I really DON'T", "I really don't"),
        ("de", "Das HAUS ist NICHT da", "Das Haus ist nicht da"),
        ("en", "The NATO and the LED of an IT firm in the US", "The NATO and the LED of an IT firm in the US"),
        ("en", "SAVE-1 and SAVE.TXT and #SAVE", "SAVE-1 and SAVE.TXT and #SAVE"),
        ("en", "PLEASE SAVE", "PLEASE SAVE"),
        ("en", "IT IS NOT OPEN, the IT team", "It is not open, the IT team"),
        ("en", "We SAVE IT", "We save it"),
        ("en", "Jean OPEN, Mr. NOTE and Mrs SAVE live in PARIS", "Jean OPEN, Mr. NOTE and Mrs SAVE live in PARIS"),
        ("en", "I am A. B.", "I am A. B."),
        ("en", "FREE delivery, VISA cards", "Free delivery, VISA cards"),
        ("fr", "Une box FREE neuve", "Une box FREE neuve"),
    ],
)
def test_only_frequent_words_are_read_in_lower_case(language: str, text: str, expected: str) -> None:
    assert read(text, language) == expected


def test_words_that_follow_each_other_have_one_mark_over_the_original() -> None:
    text = "So  PLEASE NOTE this, ONLY this"
    found, marks = quieted(normalise(text), "en", encode)
    assert found.text == "So please note this, only this"
    assert [text[mark.start : mark.end] for mark in marks] == ["PLEASE NOTE", "ONLY"]
    assert all(mark.is_shouted for mark in marks)


@given(st.text(st.sampled_from("NOT LOVEplease,.")))
def test_every_code_point_stands_for_what_it_stood_for(text: str) -> None:
    normalised = normalise(text)
    found, _ = quieted(normalised, "en", encode)
    assert found.text.lower() == normalised.text.lower()
    assert (found.starts, found.ends) == (normalised.starts, normalised.ends)


def test_capitals_leave_the_length_as_it_is() -> None:
    assert shouting("Maß, groß", [(0, 3)], "de") == "MAß, groß"


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("N'ouvrez pas la porte", 8, "N'ouvrez PAS la porte"),
        ("Il ne faut jamais le geler", 5, "Il ne faut JAMAIS le geler"),
        ("Il aime ça", 2, "IL aime ça"),
    ],
)
def test_the_second_word_of_a_french_negation_is_raised(text: str, end: int, expected: str) -> None:
    start = text.lower().index("n") if "ne" in text or "N'" in text else 0
    assert shouting(text, [(start, end)], "fr") == expected


def test_a_word_that_no_model_knows_is_not_shouted() -> None:
    text = "The OPEN shop of LOVE"
    assert quieted(normalise(text), "en", encode, {"open"})[0].text == "The open shop of LOVE"
