"""How the model's subwords make up the tokens of an answer: words, or subwords that a client can see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from service.exchanged import Token

Span = tuple[int, int]
"""First code point of a subword in the whole text, and the one behind its last. Subwords may be empty: every byte of a
character but its last one is, and so is a space that the tokenizer adds."""


def shifted(spans: Sequence[Span], offset: int) -> Sequence[Span]:
    """`spans`, `offset` further on."""
    return [(offset + start, offset + end) for start, end in spans] if offset else spans


class Grouping(NamedTuple):
    """Tokens, in order, and the subwords of a segment. A subword belongs to the tokens that it overlaps, by code
    points. A subword between tokens belongs to the token behind it."""

    tokens: tuple[Token, ...]
    spans: Sequence[Span]

    def are_read(self) -> np.ndarray:
        """[tokens], bool: which of them have a subword; a tag and the address of a link have none."""
        starts, ends = np.array([*self.spans, (0, 0)]).T
        firsts, lasts = np.array([(token.start, token.end) for token in self.tokens]).reshape(-1, 2).T[:, :, None]
        overlaps: np.ndarray = ((starts < lasts) & (ends > firsts)).any(axis=1)
        return overlaps


def by_subword(spans: Sequence[Span], text: str, offset: int = 0) -> Grouping:
    """Subwords as tokens of `text`, whose first code point has offset `offset`, without white space around them.

    Subwords that no client could point at are merged: the bytes of a character into one, an empty one with the next,
    those that share a code point with each other.
    """
    tokens: list[Token] = []
    for start, end in sorted(spans):  # rules move words
        inner = text[start - offset : end - offset]
        first = start + len(inner) - len(inner.lstrip())
        last = max(first, end - len(inner) + len(inner.rstrip()))
        if tokens and first < tokens[-1].end:
            first, last = tokens[-1].start, max(last, tokens[-1].end)
            tokens[-1] = Token(text[first - offset : last - offset], first, last)
        elif first < last:
            tokens.append(Token(text[first - offset : last - offset], first, last))
    return Grouping(tuple(tokens), spans)
