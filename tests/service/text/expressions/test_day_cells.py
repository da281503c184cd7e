"""Short weekdays that are all of a cell are weekdays, where nothing else is likely."""

from __future__ import annotations

import pytest

from service.text.expressions.day_cells import day, day_places


@pytest.mark.parametrize(
    ("language", "texts", "places"),
    [
        ("en", ["Sat"], [0]),
        ("en", ["Day", "Mon", "yes", "Sun", "no"], [1, 3]),
        ("en", ["Mon Tue Wed Thu Fri Sat Sun"], [0]),
        ("fr", ["Jour", "Lun", "Mer", "Sam"], [1, 2, 3]),
        ("fr", ["Mar", "Mer", "Jeu"], [0, 1, 2]),
        ("fr", ["Lun.", "jeu."], [0, 1]),
        ("fr", ["mer.", "9h", "jeu."], [0, 2]),
        ("fr", ["mer.", "jeu"], []),
        ("de", ["Mo", "So"], [0, 1]),
        ("de", ["Mo Di Mi Do Fr"], [0]),
        ("en", ["Sun"], []),
        ("en", ["Sun", "Moon", "Saturn", "He sat"], []),
        ("en", ["Sat in the sun", "monday", "Mon ami", "sat"], []),
        ("fr", ["Mer", "Jeu"], []),
        ("de", ["So", "Fr", "Soja", "Doch"], []),
        ("es", ["Lun", "Mar", "Mon"], []),
        ("en", [], []),
    ],
)
def test_weekdays_are_told_from_other_words(language: str, texts: list[str], places: list[int]) -> None:
    assert day_places(texts, language) == places


@pytest.mark.parametrize(
    ("text", "source", "target", "expected"),
    [
        ("Sat", "en", "fr", "sam."),
        ("Sun", "en", "de", "So"),
        ("Thurs.", "en", "de", "Do."),
        ("Mer", "fr", "en", "Wed"),
        ("Di", "de", "en", "Tue"),
        ("Mo Di Mi Do", "de", "en", "Mon Tue Wed Thu"),
        ("Mon", "en", "es", "Mon"),
    ],
)
def test_they_are_written_as_the_other_language_has_them(text: str, source: str, target: str, expected: str) -> None:
    assert day(text, source, target) == expected
