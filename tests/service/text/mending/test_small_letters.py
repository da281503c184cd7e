"""Small letters within a sentence."""

from __future__ import annotations

import pytest

from service.text.mending.small_letters import with_small_clause, with_small_pronoun, with_small_salutation

PLACEHOLDERS = "\u2460\u2461"


@pytest.mark.parametrize(
    ("text", "language", "source", "expected"),
    [
        ("Ich komme.", "de", "I am coming.", "ich komme."),
        ("Mir ist kalt.", "de", "I am cold.", "mir ist kalt."),
        ("J'arrive.", "fr", "I am coming.", "j'arrive."),
        ("Ich komme.", "de", "It is me.", "Ich komme."),  # the capital of the source is that of a beginning
        ("Italien ist sch\u00f6n.", "de", "I like Italy.", "Italien ist sch\u00f6n."),
        ("I come.", "en", "I come.", "I come."),
    ],
)
def test_i_begins_no_sentence(text: str, language: str, source: str, expected: str) -> None:
    assert with_small_pronoun(text, language, source) == expected


@pytest.mark.parametrize(
    ("text", "language", "read", "expected"),
    [
        ("\u2460, Wir kommen.", "de", "\u2460, we are coming.", "\u2460, wir kommen."),
        ("\u2460, Je viens.", "fr", "\u2460, I am coming.", "\u2460, je viens."),
        ("\u2460, Kinder kommen.", "de", "\u2460, children are coming.", "\u2460, Kinder kommen."),
        ("\u2460, Wir kommen.", "de", "\u2460, We are coming.", "\u2460, Wir kommen."),
        ("Heute, Wir kommen.", "de", "\u2460, we are coming.", "Heute, Wir kommen."),
        ("\u2460, I have a question.", "en", "\u2460, ich habe eine Frage.", "\u2460, I have a question."),
        ("\u2460, I'd like to ask.", "en", "\u2460, ich m\u00f6chte fragen.", "\u2460, I'd like to ask."),
        ("\u2460, It is late.", "en", "\u2460, es ist sp\u00e4t.", "\u2460, it is late."),
        ("", "de", "", ""),
    ],
)
def test_a_clause_behind_a_copy_begins_small(text: str, language: str, read: str, expected: str) -> None:
    assert with_small_clause(text, language, read, PLACEHOLDERS) == expected


@pytest.mark.parametrize(
    ("text", "language", "read", "expected"),
    [
        ("Liebe Anna, Ich hoffe es.", "de", "Dear Anna, I hope so.", "Liebe Anna, ich hoffe es."),
        ("Ch\u00e8re Anna, J'esp\u00e8re.", "fr", "Dear Anna, I hope so.", "Ch\u00e8re Anna, j'esp\u00e8re."),
        ("Liebe Anna, Ihr Brief kam an.", "de", "Dear Anna, I have your letter.", "Liebe Anna, Ihr Brief kam an."),
        ("Bonjour, Je viens.", "fr", "Hello, I'm coming.", "Bonjour, je viens."),
        ("Ja, Ich, Robot.", "de", "Yes, I, Robot.", "Ja, Ich, Robot."),
        ("Dear Anna, I hope so.", "en", "Ch\u00e8re Anna, j'esp\u00e8re.", "Dear Anna, I hope so."),
    ],
)
def test_i_is_small_behind_a_salutation(text: str, language: str, read: str, expected: str) -> None:
    assert with_small_salutation(text, language, read) == expected
