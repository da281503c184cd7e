"""Days of the week before dates in translations."""

from __future__ import annotations

import pytest

from service.text.mending.dates import with_dates


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "am Montag 26. Mai und Mittwoch 1. Juni", "am Montag, 26. Mai und Mittwoch, 1. Juni"),
        ("de", "am Sonntag Sonntag 1. Juni", "am Sonntag, 1. Juni"),
        ("de", "am Montag \ue000. Mai", "am Montag, \ue000. Mai"),
        (
            "de",
            "am Montag, 26. Mai, Montag 3. Klasse, Feiertag 1. Mai",
            "am Montag, 26. Mai, Montag 3. Klasse, Feiertag 1. Mai",
        ),
        ("de", "Am Freitag freitags", "Am Freitag freitags"),
        ("fr", "d'ici le 31 mai, d'ici le vendredi 6 juin", "d'ici au 31 mai, d'ici au vendredi 6 juin"),
        ("fr", "d'ici le train arrive, ici le 3", "d'ici le train arrive, ici le 3"),
        ("de", "bis Freitag zum \ue000. Dezember", "bis Freitag, den \ue000. Dezember"),
        ("de", "bis Freitag zum Arzt", "bis Freitag zum Arzt"),
        ("de", "von \ue000. April bis zum 3. Mai", "vom \ue000. April bis zum 3. Mai"),
        ("de", "von 3. bis 5. Mai, auf 3. Mai, vor 3. Mai", "vom 3. bis 5. Mai, auf den 3. Mai, vor dem 3. Mai"),
        ("de", "f\xfcr den 3. Mai, ab 3. Mai, auf 3. Platz", "f\xfcr den 3. Mai, ab 3. Mai, auf 3. Platz"),
        ("en", "Mittwoch 1. Juni", "Mittwoch 1. Juni"),
    ],
)
def test_days_and_dates_are_joined(language: str, text: str, expected: str) -> None:
    assert with_dates(text, [], language)[0] == expected
