"""Words of a text as tokens of an answer. The contract defines words, because training aligns the same ones."""

from __future__ import annotations

from model_store.contract.words import word_spans
from service.exchanged import Token


def words(text: str, language: str, offset: int = 0) -> list[Token]:
    """Words and punctuation of `text`, in order; `start` and `end` count from `offset` before its first code point."""
    return [Token(text[start:end], start + offset, end + offset) for start, end in word_spans(text, language)]
