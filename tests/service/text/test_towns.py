"""Towns that are words, states, and what else stands for itself."""

from __future__ import annotations

import pytest

from service.text.standing import standing
from service.text.titles import french_titles


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("en", "I live in Portland, OR 97205.", ["Portland, OR 97205"]),
        ("en", "Bangor, ME 04401", ["Bangor, ME 04401"]),
        ("en", "In Tulsa, OK 74103-1234, it rains.", ["Tulsa, OK 74103-1234"]),
        ("en", "She is from New York, NY 10001.", ["New York, NY 10001"]),
        ("en", "She moved to Portland, OR.", ["Portland, OR"]),
        ("en", "Portland, OR", ["Portland, OR"]),
        ("en", "I live in Reading.", ["Reading"]),
        ("en", "We drove to Bath yesterday.", ["Bath"]),
        ("de", "Wir wohnen in Essen.", ["Essen"]),
        ("de", "Sie wohnt seit Jahren in Halle.", ["Halle"]),
        ("fr", "Rennes > Brest", ["Rennes > Brest"]),
        ("fr", "Rennes \u2192 Tours", ["Rennes \u2192 Tours"]),
        ("en", "BIC: COBADEFFXXX", ["BIC", "COBADEFFXXX"]),
        ("en", "SWIFT DEUTDEDBBER", ["SWIFT", "DEUTDEDBBER"]),
        ("en", "Our SWIFT code is DEUTDEFF.", ["DEUTDEFF"]),
        ("en", "See pages A-C.", ["A-C"]),
        ("en", "Questions 3 a\u2013d", ["a\u2013d"]),
        ("en", "Question 3 a-d", ["a-d"]),
        ("en", "A USB-C cable", ["USB-C"]),
        ("en", "Mr. May will call you.", ["May"]),
        ("en", "Mrs. June Carter is here.", ["June Carter"]),
        ("de", "Frau Freitag ist da.", ["Freitag"]),
    ],
)
def test_what_stands_for_itself(language: str, text: str, kept: list[str]) -> None:
    found = standing(text, language, "fr" if language == "en" else "en", None, False)
    assert {text[start:end] for start, end in found} == set(kept)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Sure, OK."),
        ("en", "Eat this, OR that."),
        ("en", "Fine, OK"),
        ("en", "I like Reading."),
        ("en", "We go to Reading Week."),
        ("en", "File > Save"),
        ("en", "They met in May."),
        ("en", "BIC pens are BLUE."),
        ("en", "The T-shirt is X-large."),
        ("fr", "Y a-t-il un e-mail ?"),
        ("de", "Kochen und Essen"),
        ("de", "Er ist gut in Essen und Trinken."),
    ],
)
def test_words_that_are_none(language: str, text: str) -> None:
    assert standing(text, language, "fr" if language == "en" else "en", None, False) == []


def test_french_titles() -> None:
    assert french_titles("Mlle Petit est l\u00e0.", "en") == [(0, 10, "Ms. Petit")]
    assert french_titles("Avec Me Fontaine.", "de") == [(5, 16, "Ma\u00eetre Fontaine")]
    assert french_titles("Mlle Petit", "it") == []
    assert french_titles("Me voil\u00e0. Melle est l\u00e0.", "en") == []
