"""German main clauses behind a part of their sentence that was translated apart."""

from __future__ import annotations

import pytest

from service.text.mending.verb_starts import with_verb_first
from service.text.sentences.clauses import is_introduced


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ich sah, dass er schlief.", "sah ich, dass er schlief."),
        ("Wir verkaufen unseren Tisch.", "verkaufen wir unseren Tisch."),
        ("wir haben schon gekündigt.", "haben wir schon gekündigt."),
        ("Sie können es zurückgeben.", "können Sie es zurückgeben."),
        ("er schickte mich fort.", "schickte er mich fort."),
        ("bitte rufen Sie uns an.", "rufen Sie bitte uns an."),
        ("ich meine Mutter fragte.", None),
        ("wir alle sind müde.", None),
        ("er nicht.", None),
        ("der Arzt sah mich.", None),
        ("sah ich ihn.", None),
    ],
)
def test_the_verb_is_first_behind_another_clause(text: str, expected: str | None) -> None:
    assert with_verb_first(text, [], ("en", "de"), True)[0] == (expected or text)
    assert with_verb_first(text, [], ("en", "de"), False)[0] == text
    assert with_verb_first(text, [], ("en", "fr"), True)[0] == text


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("When the film was over,", "I saw him.", True),
        ("If you have no card,", "please call us.", True),
        ("Since we got your letter, in which you asked us,", "we wait.", True),
        ("When he came, and I knew it,", "I saw him.", False),
        ("He said that when he came,", "I saw him.", False),
        ("When the film was over,", "the man slept.", False),
    ],
)
def test_what_is_introduced(before: str, text: str, expected: bool) -> None:
    assert is_introduced(before, text) is expected
