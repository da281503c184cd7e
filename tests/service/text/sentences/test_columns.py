"""Columns of a line are read one by one; prose has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.surroundings import cells
from service.text.sentences.columns import column_gaps


def columns(line: str) -> list[str]:
    return [line[start:end] for start, end in cells(line, 0, len(line))]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Anna      12     Oldtown      dancing, horses", ["Anna", "12", "Oldtown", "dancing, horses"]),
        ("Cup of tea ........... 1.50", ["Cup of tea", "1.50"]),
        ("Children under 6 ............ free", ["Children under 6", "free"]),
        ("Boiled egg . . . . . . 4.00", ["Boiled egg", "4.00"]),
        ("First name: ______  Last name: ______", ["First name: ______", "Last name: ______"]),
        ("-c, --color=NAME   paint the wall", ["paint the wall"]),
        ("A) Milk   B) Honey", ["A) Milk", "B) Honey"]),
        ("Preface ............ iii", ["Preface"]),
        ("Anna      ill     civil      xiv", ["Anna", "ill", "civil"]),
    ],
)
def test_columns_are_apart(line: str, found: list[str]) -> None:
    assert columns(line) == found


@pytest.mark.parametrize(
    "line",
    [
        "My brother lives here.  He likes it.",
        "I wonder.... what will happen ... tomorrow.....",
        "Last name:    Carpenter",
        "Well.... 5 of them came",
    ],
)
def test_prose_has_no_columns(line: str) -> None:
    assert columns(line) == [line]


@given(st.text(st.sampled_from("ab.\u2026_ -:1"), max_size=60))
def test_gaps_are_in_order_and_inside(line: str) -> None:
    at = 0
    for start, end in column_gaps(line, 0, len(line)):
        assert at <= start < end <= len(line)
        at = end
