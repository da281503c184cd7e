"""Shares in digits are read as words."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.fractions import with_shares


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("fr", "Les 3/4 des \u00e9l\u00e8ves", "Trois quarts des \u00e9l\u00e8ves"),
        (
            "fr",
            "Il a mang\u00e9 les 2/3 du g\u00e2teau et 1/4 de la tarte",
            "Il a mang\u00e9 deux tiers du g\u00e2teau et un quart de la tarte",
        ),
        ("fr", "Le 3/4 du mois, 1 3/4 de la, 2/4 des, 1/3 rue", "Le 3/4 du mois, 1 3/4 de la, 2/4 des, 1/3 rue"),
        ("de", "1/3 der Leute, 3/4 des Kuchens", "Ein Drittel der Leute, drei Viertel des Kuchens"),
        ("de", "1 1/3 der Menge, 3/4 Liter, 11/3 der", "1 1/3 der Menge, 3/4 Liter, 11/3 der"),
        ("en", "3/4 of the class, 1/3 der", "3/4 of the class, 1/3 der"),
    ],
)
def test_shares_get_words(language: str, text: str, read: str) -> None:
    assert with_shares(normalise(text), language).text == read
