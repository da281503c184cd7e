"""Names that a word before them says are names."""

from __future__ import annotations

import pytest

from service.text.names.called import called, relatives
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met my uncle Bill and Granny Joy.", ["Bill", "Joy"]),
        ("My name is Hope.", ["Hope"]),
        ("The dog's name was Lucky, my cousin's name's River.", ["Lucky", "River"]),
        ("The boat is called The Red Lion.", ["The Red Lion"]),
        ("We have a cat named Shadow and a dog called Rusty.", ["Shadow", "Rusty"]),
        ("Grey cat, answers to Smokey.", ["Smokey"]),
        ("He answers to the name of Shadow.", ["Shadow"]),
        ("Answers to Questions of the day", []),
        ("The language is called German, its name is Greek.", []),
        ("She called Mum. He was named Player of the Year.", []),
        ("The boy called Monday to ask her.", []),
        ("How My Uncle Became Rich", []),
        ("This is Uncle Tom's farm, that is Uncle Bill's.", ["Bill"]),
        ("St Mary's Church of the Holy Cross was built.", ["St Mary's Church of the Holy Cross"]),
        ("She works at St. Thomas' Hospital on Sundays.", ["St. Thomas' Hospital"]),
        ("A. Smith was promoted.", ["A. Smith"]),
        ("A. Milk is white, and A. Smith was here.", []),
        ("St. Petersburg's museums, St Valentine's Day and St. Louis", []),
    ],
)
def test_they_are_found_but_in_headings(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sorted(called(text, "en"))] == expected
    assert called(text, "de") == []


@pytest.mark.parametrize(
    ("target", "text", "expected"),
    [
        ("de", "Uncle Bill met Grandma Rose.", "Onkel Bill met Oma Rose."),
        ("fr", "Aunt Hope met auntie Carol here.", "Tante Hope met tante Carol here."),
        ("fr", "My uncle Bill and an aunt Mary were here.", "My uncle Bill and an aunt Mary were here."),
        ("de", "We went to Aunt Carol's for tea.", "We went to Aunt Carol's for tea."),
        ("de", "Lady Gaga sang with Sir Elton John.", "Lady Gaga sang with Sir Elton John."),
        ("de", "How Uncle Became Rich", "How Uncle Became Rich"),
        ("it", "Uncle Bill was here.", "Uncle Bill was here."),
    ],
)
def test_relatives_are_those_of_the_other_language(target: str, text: str, expected: str) -> None:
    assert rewritten(text, relatives(text, "en", target)) == expected


@pytest.mark.parametrize("piece", ["St A", "Uncle ", "name is A", "A", "St Aa's Aa and "])
def test_long_runs_take_no_time(piece: str) -> None:
    assert len(called(piece * 5000, "en")) <= 5000  # pytest's own limit ends what hangs
