"""Words that languages have from each other."""

from __future__ import annotations

import pytest

from service.text.names.borrowed import borrowed


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "A d\u00e9j\u00e0 vu and a cr\u00e8me br\u00fbl\u00e9e.",
            ["d\u00e9j\u00e0 vu", "cr\u00e8me br\u00fbl\u00e9e"],
        ),
        ("de", "Das war ein D\u00e9j\u00e0-vu.", ["D\u00e9j\u00e0-vu"]),
        ("en", "Jos\u00e9 met M\u00fcller at a caf\u00e9.", []),
        ("en", "A deja vu.", []),
        ("en", "I love rock 'n' roll and fish 'n' chips.", ["rock 'n' roll"]),
        ("fr", "Je l'ai d\u00e9j\u00e0 vu.", []),
    ],
)
def test_borrowed_words_are_found(language: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in borrowed(text, language)] == expected
