"""Letters and numbers of items are no part of what a model reads."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from service.text.formats.items import without_item_sign
from service.text.formats.surroundings import inner_stretches


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("a. west", "a. "),
        ("ii. the seller", "ii. "),
        ("(iv) the goods", "(iv) "),
        ("IV) the goods", "IV) "),
        ("- b. \u201cEast\u201d", "b. "),
        ("IV. The goods", "IV. "),
        ("A. The cat", "A. "),
        ("d. \u00c0 la maison", "d. "),
        ("c. l'eau", "c. "),
    ],
)
def test_a_sign_before_an_item_is_no_part_of_it(text: str, sign: str) -> None:
    start = text.index(sign)
    assert without_item_sign(text, start, len(text)) == (start + len(sign), len(text))
    assert without_item_sign(text, start, start + len(sign) - 1) == (start + len(sign) - 1, start + len(sign) - 1)


@pytest.mark.parametrize(
    "text",
    [
        "A. Miller", "A. La Fontaine", "I. Newton said so", "II. Weltkrieg", "c. 500 people", "c. March 1950",
        "d. h. das", "d. Verf. sagt",
        "e. g. the house",
        "c. \u00e0 s. de sucre", "a. and b. are true", "i. Allg. gut",
        "v. Chr. war das", "z. B. ein Haus", "In the house",
        "mix) it", "(mix) it", "x. the door", "a.west", "I am", "I. O. U.", "civil. It is", "v. the mail",
    ],
)  # fmt: skip
def test_what_is_no_item_stays(text: str) -> None:
    assert without_item_sign(text, 0, len(text)) == (0, len(text))


def test_no_item_begins_within_a_line() -> None:
    text = "He said so: b. east"
    assert without_item_sign(text, 12, len(text)) == (12, len(text))
    text = f"{'x' * 40}\n{' ' * 30}b. east"
    assert without_item_sign(text, text.index("b."), len(text)) == (text.index("b."), len(text))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("I. Introduction\nII. Methods", ["Introduction", "Methods"]),
        ("A. Cats\nB. Dogs", ["Cats", "Dogs"]),
        ("x. the door\ny. the window", ["the door", "the window"]),
        ("A. Miller\nC. Baker", ["A. Miller", "C. Baker"]),
        ("i. Allgemeines\nii. Besonderes", ["Allgemeines", "Besonderes"]),
        ("A. Miller\nB. Smith", ["", ""]),
        ("A. Miller\nB. Chairs", ["Miller", "Chairs"]),
        ("M. Petit\nN. Grand", ["M. Petit", ""]),
        ("V. Smith\nT. Jones", ["V. Smith", "T. Jones"]),
        ("\u2023 bread\n\u2043 milk\n\u2219 tea\n\xb7 eggs", ["bread", "milk", "tea", "eggs"]),
    ],
)
def test_an_item_beside_it_tells_what_else_may_be_one(text: str, items: list[str]) -> None:
    ends = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n"), len(text) + 1]
    lines = [(first, last - 1) for first, last in pairwise(ends)]
    found = [stretch for line in lines for stretch in inner_stretches(text, *line)]
    assert [text[start:end] for start, end in found] == items


@pytest.mark.parametrize("unit", ["C. aa\n", "x", "(i", "xi", "i. ", " "])
def test_its_time_grows_with_the_length(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    began = time.perf_counter()
    for at in range(0, len(text), len(unit)):
        without_item_sign(text, at, len(text))
    assert time.perf_counter() - began < 5
