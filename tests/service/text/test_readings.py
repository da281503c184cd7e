"""Labels and headings are read in several ways."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.readings import (
    Readings,
    with_capital,
    without_full_stop,
)
from service.text.spans.normalise import normalise

KNOWN = {"kitchen", "good", "morning", "terms", "of", "use", "and", "London", "Good", "the", "The"}


def encode(text: str) -> list[int]:
    """One subword for a known word, one for each letter of another."""
    return [0] * sum(1 if word in KNOWN else len(word) for word in re.findall(r"\w+|[^\w\s]", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kitchen", ["kitchen", "Kitchen."]),
        ("London", ["London."]),
        ("Good morning", ["good morning", "Good morning."]),
        (
            "Terms Of Use And The London Kitchen",
            ["terms of use and the London kitchen", "Terms Of Use And The London Kitchen."],
        ),
        ("I'm fine", ["I'm fine."]),
        ("Good morning, Kitchen", ["good morning, Kitchen", "Good morning, Kitchen."]),
        ("Kitchen.", ["kitchen."]),
        ("Kitchen and Morning!", ["kitchen and morning!"]),
        ("The end.", []),
        ("Kitchen: Good", ["kitchen: good", "Kitchen: Good."]),
        ("Kitchen:", []),
        ("kitchen", ["kitchen."]),
        ("good morning", ["good morning."]),
        ("good morning!", []),
        ("12 kitchens", []),
        ("The kitchen and the morning", []),
        ("NATO", ["NATO."]),
        ("", []),
    ],
)
def test_readings_of_labels_and_of_nothing_else(text: str, expected: list[str]) -> None:
    found = Readings(encode).of(normalise(text))
    assert [reading.normalised.text for reading in found] == expected
    for reading in found:
        assert len(reading.normalised.starts) == len(reading.normalised.text) == len(reading.normalised.ends)
        assert all(
            0 <= a <= b <= len(text) for a, b in zip(reading.normalised.starts, reading.normalised.ends, strict=True)
        )


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Good morning, Rose", ["good morning, Rose", "Good morning, Rose."]),
        ("en", "Good Rose", ["good rose", "Good Rose."]),  # a flower
        ("fr", "Good Kitchen, Caroline", ["good kitchen, Caroline", "Good Kitchen, Caroline."]),
        ("", "Good Kitchen, Caroline", ["good kitchen, caroline", "Good Kitchen, Caroline."]),
    ],
)
def test_a_name_at_the_end_keeps_its_capital(language: str, text: str, expected: list[str]) -> None:
    found = Readings(lambda read: encode(read.lower()), language).of(normalise(text))
    assert [reading.normalised.text for reading in found] == expected


@pytest.mark.parametrize("text", ["Kitchen, Caroline!", "Kitchen, Caroline."])
def test_a_name_keeps_its_capital_before_a_sign_too(text: str) -> None:
    (reading,) = Readings(encode, "en").of(normalise(text))
    assert reading.normalised.text == text.replace("Kitchen", "kitchen")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kitchen tables are sold in the morning.", ["kitchen tables are sold in the morning."]),
        ("Kitchen, morning and all the rest.", ["kitchen, morning and all the rest."]),
        ("Good tables are sold in the morning.", []),  # whole with its capital
        ("Zebra crossings are sold in the morning.", []),  # in pieces without it, too
        ("London has kitchens in the morning.", []),
        ("KITCHEN tables are sold in the morning.", []),
        ("kitchen tables are sold in the morning.", []),
        ("12 kitchens are sold in the morning.", []),
        ("", []),
    ],
)
def test_a_sentence_is_read_without_a_capital_that_breaks_its_first_word(text: str, expected: list[str]) -> None:
    found = Readings(encode).without_first_capital(normalise(text))
    assert [reading.normalised.text for reading in found] == expected
    assert all(reading.is_decapitalised and not reading.has_full_stop for reading in found)


def test_capitals_come_back_and_full_stops_go() -> None:
    assert with_capital("cuisine") == "Cuisine"
    assert with_capital("ß") == "ß"
    assert without_full_stop("Bonjour !", [(0, 7), (7, 9)]) == ("Bonjour", [(0, 7)])
    assert without_full_stop("...", [(0, 3)]) == ("...", [(0, 3)])


@given(st.text("aé .!?\u2026)", max_size=12), st.data())
def test_without_a_full_stop_no_subword_covers_more_than_the_text(text: str, data: st.DataObject) -> None:
    """Subwords that cross the cut, too: `).` is one of many vocabularies."""
    cuts = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=6))})
    bare, spans = without_full_stop(text, list(pairwise(cuts)))
    assert text.startswith(bare)
    assert all(start < end <= len(bare) for start, end in spans)
    assert not spans or (spans[0][0], spans[-1][1]) == (0, len(bare))
