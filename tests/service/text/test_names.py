"""Rare names, and whether a translation garbled them."""

from __future__ import annotations

import pytest

from service.text.names import garbled_names, rare_names, stretches_of

COMMON = {"Suisse", "Tom", "yesterday", "Yesterday", "Kitchen", "kitchen"}


def encode(text: str) -> list[int]:
    """One subword for a common word, one for each letter of another."""
    return [0] if text in COMMON else [0] * len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday Tom saw Mbappe and O'Connor.", ["Mbappe", "O'Connor"]),
        ("On Wednesday in the Kitchen", []),
        ("HERNANDEZ and Li", []),
        ("", []),
    ],
)
def test_rare_names_are_capitalised_words_in_small_pieces(text: str, expected: list[str]) -> None:
    assert rare_names(text, encode) == expected


def test_a_name_that_became_a_common_one_was_translated_and_another_one_garbled() -> None:
    assert garbled_names("He lives in Switzerland.", "Il vit en Suisse.", encode, "fr") == []
    assert garbled_names("He saw Mbappe.", "Il vit Mbape.", encode, "fr") == ["Mbappe"]
    assert garbled_names("He saw Mbappe.", "Il vit Mbappe.", encode, "fr") == []
    assert garbled_names("He saw Mbappe.", "Er sah den Mann.", encode, "de") == ["Mbappe"]
    assert garbled_names("He saw Mbappe.", "Er sah Mbappeber.", encode, "de") == ["Mbappe"]
    assert garbled_names("Mbappe's dog.", "Mbappes Hund.", encode, "de") == []


def test_names_are_found_as_words() -> None:
    assert stretches_of(["Li", "Liam"])("Liam, Li and Lisa") == [(0, 4), (6, 8)]
