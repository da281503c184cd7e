"""Lengths of time that are written with *h*."""

from __future__ import annotations

import pytest

from service.text.expressions.lengths import lengths
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("fr", "en", "Le trajet dure 2h, une pause de 1h30.", "Le trajet dure 2 hours, une pause de 1 h 30 min."),
        ("fr", "en", "35h par semaine, 1 h de pause, 2,5 h", "35 hours par semaine, 1 hour de pause, 2,5 hours"),
        ("fr", "de", "en 1h, pendant 3 h", "en 1 Stunde, pendant 3 Stunden"),
        ("fr", "en", "entre 6h et 8h de sommeil, demain entre 8h et 12h",
         "entre 6 hours et 8 hours de sommeil, demain entre 8h et 12h"),
        ("fr", "en", "24h/24, 24h sur 24, 8h/jour, à 7h et quart, 2 heures, à 12h du matin",
         "24h/24, 24h sur 24, 8h/jour, à 7h et quart, 2 heures, à 12h du matin"),
        ("en", "de", "within 48h, 1h30, a 2h flight", "within 48 Stunden, 1 h 30 min, a 2 Stunden flight"),
        ("en", "fr", "in 48h, 5hp, 24h/day, 12-24h", "in 48h, 5hp, 24h/day, 12-24h"),
        ("de", "en", "Es dauert 2 h, 1 h 30 min, ab 10 h, von 8 bis 10 h, zwischen 9 h und 10 h",
         "Es dauert 2 hours, 1 h 30 min, ab 10 h, von 8 bis 10 h, zwischen 9 h und 10 h"),
        ("en", "fr", "a 2h flight of 1h30", "a 2h flight of 1 h 30 min"),
        ("en", "it", "in 2h", "in 2h"),
    ],
)  # fmt: skip
def test_lengths_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, lengths(text, source, target)) == expected
