"""Two adjectives before one noun."""

from __future__ import annotations

import pytest

from service.text.mending.endings import with_like_endings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Schönes alte Haus mit Garten", "Schönes altes Haus mit Garten"),
        ("Großer sonnigen Garten", "Großer sonniger Garten"),
        ("Das ist ein nettes kleine Café.", "Das ist ein nettes kleines Café."),
        ("Netter, junge Mann", "Netter, junger Mann"),
        ("Starke kleiner Tisch, neu", "Starker kleiner Tisch, neu"),
        ("Ja, alte kleines Haus", "Ja, altes kleines Haus"),
        ("Alte Freunde kleiner Leute", None),
        ("Schönes altes Haus", None),
        ("Dieses alte Haus", None),
        ("Früher gehörte Island zu Dänemark.", None),
        ("Das Alter großer alten Häuser", None),
        ("Kinder lieben Eis.", None),
        ("mit großer alten Katze", None),
    ],
)
def test_they_have_one_ending(text: str, expected: str | None) -> None:
    spans = [(0, len(text))]
    new, covered = with_like_endings(text, spans, "de")
    assert new == (expected or text)
    assert covered == [(0, len(new))]
    assert with_like_endings(text, spans, "en") == (text, spans)
