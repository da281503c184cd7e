"""Short and long pairs: terms are kept as they are, and long sentences are rare in corpora."""

from __future__ import annotations

from model_store.data.changes import without_end
from model_store.data.linked import LinkedPair

MAX_SHORT_WORDS = 4
"""Longest pair, in source words with punctuation, that is a phrase by itself."""
LONG_WORDS = 25


def is_short(pair: LinkedPair) -> bool:
    """Whether `pair` is a few words: a term, a label, an exclamation."""
    return len(pair.source) <= MAX_SHORT_WORDS


def is_long(pair: LinkedPair) -> bool:
    """Whether `pair` is of the length of sentences in newspapers and letters, which corpora of short ones lack."""
    return len(pair.source) >= LONG_WORDS


def is_term(pair: LinkedPair) -> bool:
    """Whether `pair` is a term or a label: short, without a sentence's end."""
    return is_short(pair) and not without_end(pair)[1]
