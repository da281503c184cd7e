"""Scales that are no times of day."""

from __future__ import annotations

import pytest

from service.text.mending.scales import without_hours


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        ("Rate it from 1 to 5.", "Notez-le de 1 à 5 heures.", "Notez-le de 1 à 5."),
        ("On a scale from one to ten?", "Sur une échelle d'un à dix heures ?", "Sur une échelle d'un à dix ?"),
        ("Choose a number between 1 and 10", "Un numéro entre 1 et 10 heures", "Un numéro entre 1 et 10"),
        (
            "I'll be out from one to three.",
            "Je serai absent de une à trois heures.",
            "Je serai absent de une à trois heures.",
        ),
        ("I work from 9 to 5.", "Je travaille de 9 à 5 heures.", "Je travaille de 9 à 5 heures."),
        ("Choose a time from 1 to 5.", "Choisissez de 1 à 5 heures.", "Choisissez de 1 à 5 heures."),
        ("Rate it from 1 to 5.", "Notez 3 heures.", "Notez 3 heures."),
    ],
)
def test_a_scale_has_no_hours(read: str, text: str, expected: str) -> None:
    spans = [(at, at + 1) for at in range(len(text))]
    written, moved = without_hours(text, spans, "fr", "en", read)
    assert written == expected
    assert len(moved) == len(spans)
    assert without_hours(text, spans, "de", "en", read) == (text, spans)
