"""Ordinal numbers in French translations."""

from __future__ import annotations

import pytest

from service.text.mending.french_ordinals import with_french_ordinals


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("à la 88 minute et", "in the 88th minute and", "à la 88e minute et"),
        ("Elle a été la 1ente personne.", "She was the 1st person.", "Elle a été la 1re personne."),
        ("Le 1 jour et le 2e jour", "The 1st day and the 2nd day", "Le 1er jour et le 2e jour"),
        ("le 21 mars", "on the 21st of March", "le 21 mars"),
        ("le 3 mai", "on 3rd May", "le 3 mai"),
        ("rencontrer le 21 et", "meet on the 21st and", "rencontrer le 21 et"),
        ("la 12 place", "the 12 places", "la 12 place"),
    ],
)
def test_ordinals_have_their_endings(text: str, read: str, expected: str) -> None:
    assert with_french_ordinals(text, [], ("en", "fr"), read)[0] == expected
    assert with_french_ordinals(text, [], ("en", "de"), read)[0] == text
