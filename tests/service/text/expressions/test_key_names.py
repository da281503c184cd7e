"""Keys as each language calls them."""

from __future__ import annotations

import pytest

from service.text.expressions.key_names import key_names
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "de", "Press Ctrl+C, then Esc.", "Press Strg+C, then Esc."),
        ("en", "fr", "Press Ctrl+Shift+S or Esc", "Press Ctrl+Maj+S or \u00c9chap"),
        ("de", "en", "Strg+Umschalt+Entf oder Alt+F4", "Ctrl+Shift+Del oder Alt+F4"),
        ("fr", "en", "Ctrl+Alt+Suppr", "Ctrl+Alt+Del"),
        ("en", "de", "A shift from home to the end", "A shift from home to the end"),
        ("en", "de", "Home and Space are words, Ctrl-Z is not", "Home and Space are words, Strg-Z is not"),
        ("en", "it", "Ctrl+C", "Ctrl+C"),
    ],
)
def test_keys_have_the_names_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, key_names(text, source, target)) == expected
