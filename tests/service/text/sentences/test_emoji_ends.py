"""Emoji at which a sentence ends, and those which are a word of one."""

from __future__ import annotations

import time

import pytest

from service.text.sentences.emoji_ends import at_emoji
from service.text.sentences.splitting import sentence_spans


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ["I miss you \u2764\ufe0f ", "when are you coming home?"]),
        ("en", ["Can't wait to see you \U0001f389\U0001f389 ", "what time does your train get in?"]),
        ("en", ["See you tomorrow :) ", "don't forget the tickets"]),
        ("en", ["We won \U0001f3c6 ", "let's celebrate \U0001f37e ", "see you at the pub"]),
        ("fr", ["Tu me manques \u2764\ufe0f ", "j'esp\xe8re que tu vas bien"]),
        ("de", ["Du fehlst mir \u2764\ufe0f ", "wann kommst du nach Hause?"]),
    ],
)
def test_a_sentence_ends_with_an_emoji(language: str, parts: list[str]) -> None:
    text = "".join(parts)
    assert list(at_emoji(text, language)) == parts
    assert [text[start:end] for start, end in sentence_spans(text, language)] == [part.strip() for part in parts]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I love \U0001f355 and \U0001f35d"),
        ("en", "The \U0001f431 sat on the mat"),
        ("en", "I want my \U0001f431 good as new"),
        ("en", "The beach \U0001f3d6 where we met"),
        ("en", "We will eat \U0001f355 tomorrow"),
        ("en", "Press \u2192 what now?"),
        ("en", "I miss you \u2764\ufe0f"),
        ("en", "\U0001f389 I'm so happy"),
        ("de", "Ich liebe meine \U0001f431 wir beide"),
        ("es", "Te quiero mucho \u2764\ufe0f thanks for all"),
        ("en", ""),
    ],
)
def test_an_emoji_within_a_sentence_ends_none(language: str, text: str) -> None:
    assert list(at_emoji(text, language)) == [text]


def test_a_long_text_takes_no_long_time() -> None:
    for text in (
        "a b \U0001f389 " * 3000,
        "\U0001f389" * 9000 + "what?",
        ":) " * 4000,
        "a " * 9000 + "\U0001f389 let's",
    ):
        started = time.monotonic()
        assert "".join(at_emoji(text, "en")) == text
        assert time.monotonic() - started < 1
