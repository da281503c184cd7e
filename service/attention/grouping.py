"""Which words, or which subwords that a client can see, the model's subwords belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from service.attention.kernel import overlap_shares
from service.messages import Token

Span = tuple[int, int]
"""First code point of a subword in the whole text, and the one behind its last. Subwords may be empty: every byte of a
character but its last one is, and so is a space that the tokenizer adds."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Tokens and how the subwords of a segment make them up."""

    tokens: tuple[Token, ...]
    shares: np.ndarray
    """[subwords, tokens], float64: the share of each subword that belongs to each token; rows sum to 1."""


def by_word(spans: Sequence[Span], words: Sequence[Token]) -> Grouping:
    """Give each subword to the words that it overlaps, by code points; one between words goes to the word behind it."""
    if not words or not spans:
        return Grouping(tuple(words), np.zeros((len(spans), len(words))))
    places = np.array([(word.start, word.end) for word in words], dtype=np.int64)
    return Grouping(tuple(words), overlap_shares(np.array(spans, dtype=np.int64), places))


def by_subword(spans: Sequence[Span], text: str, offset: int = 0) -> Grouping:
    """Subwords as tokens of `text`, whose first code point has offset `offset`, without white space around them.

    Subwords that no client could point at are merged: the bytes of a character into one, an empty one with the next,
    those that share a code point with each other.
    """
    tokens: list[Token] = []
    owners: list[int] = []
    for start, end in spans:
        inner = text[start - offset : end - offset]
        first = start + len(inner) - len(inner.lstrip())
        last = max(first, end - len(inner) + len(inner.rstrip()))
        if tokens and first < tokens[-1].end:
            first, last = tokens[-1].start, max(last, tokens[-1].end)
            tokens[-1] = Token(text[first - offset : last - offset], first, last)
            owners.append(len(tokens) - 1)
            continue
        owners.append(len(tokens))
        if first < last:
            tokens.append(Token(text[first - offset : last - offset], first, last))
    shares = np.zeros((len(spans), len(tokens)))
    if tokens:
        shares[np.arange(len(spans)), np.minimum(owners, len(tokens) - 1)] = 1.0
    return Grouping(tuple(tokens), shares)
