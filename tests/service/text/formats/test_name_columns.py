"""Names of people and towns in tables stay, and other values are translated."""

from __future__ import annotations

import pytest

from service.text.formats.name_columns import names_in, without_names
from service.text.spans.stretches import Stretch


@pytest.mark.parametrize(
    ("heading", "values", "names"),
    [
        ("Name", ["Anna Miller", "Paul Baker", "Garbl Dunk"], ["Anna Miller", "Paul Baker", "Garbl Dunk"]),
        ("Last name", ["Carpenter", "Young", ""], ["Carpenter", "Young"]),
        ("city", ["Reading", "Bath", "Munich"], ["Reading", "Bath"]),
        ("Ort", ["Essen", "K\u00fcche"], ["Essen"]),
        ("Vorname", ["Rosa", "Jean-Luc"], ["Rosa", "Jean-Luc"]),
        ("Nom", ["Marie Petit", "M. Pierre de la Tour"], ["Marie Petit", "M. Pierre de la Tour"]),
        ("Name", ["Table", "Red Lamp"], []),
        ("Name", ["Anna Miller", "red lamp"], []),
        ("Last name", ["required", "Young"], []),
        ("City", ["the old one", "Garbl"], []),
        ("Product", ["Anna Miller", "Paul Baker"], []),
        ("", ["Anna Miller", "Paul Baker"], []),
    ],
)
def test_names_are_told_by_the_heading_and_by_the_column(heading: str, values: list[str], names: list[str]) -> None:
    found = names_in(heading, values)
    assert [value for value, is_name in zip(values, found, strict=True) if is_name and value] == names


def _cells(text: str, sign: str) -> list[Stretch]:
    found, at = [], 0
    for cell in text.replace("\n", sign).split(sign):
        inner = cell.strip()
        found += [(at + cell.index(inner), at + cell.index(inner) + len(inner))] if inner else []
        at += len(cell) + 1
    return found


@pytest.mark.parametrize(
    ("text", "sign", "left"),
    [
        ("Name\tTown\tJob\nAnna Young\tBath\tcook", "\t", ["Name", "Town", "Job", "cook"]),
        ("| Name | Job |\n|---|:-:|\n| Anna Young | cook |", "|", ["Name", "Job", "---", ":-:", "cook"]),
        ("Name\tTown\nAnna Young\tBath\nThis is no row of it", "\t", ["Name", "Town", "This is no row of it"]),
        ("Name\tTown", "\t", ["Name", "Town"]),
        ("Text\tNote\nAnna Young\tBath", "\t", ["Text", "Note", "Anna Young", "Bath"]),
        ("Name\tJob\nAnna Young\tcook\tmore", "\t", ["Name", "Job", "Anna Young", "cook", "more"]),
    ],
)
def test_cells_that_are_names_are_left_out(text: str, sign: str, left: list[str]) -> None:
    assert [text[start:end] for start, end in without_names(text, _cells(text, sign))] == left


@pytest.mark.parametrize("unit", ["|-", "-", "A ", "Name\tTown\n", "|\n", "de la ", "A-"])
def test_long_tables_take_no_time(unit: str) -> None:
    text = "Name\tTown\n" + unit * (20_000 // len(unit)) + "\tx"  # pytest's own limit ends what hangs
    spans = [(0, 4), (5, 9), (10, len(text))]
    assert without_names(text, spans)[:2] == spans[:2]
