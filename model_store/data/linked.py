"""Sentence pairs as words with links, so that text can be changed and its alignment kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from model_store.contract.words import word_spans

SURE = 1.0
"""Strength of a link that both directions of the aligner found."""
HALF = 0.5
"""Strength of one that only one direction found."""

WordLink = tuple[int, int, float]
"""Source word, target word, strength."""


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """A sentence pair. A word carries the space before it, if there is one: the text of a side is its words joined."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[WordLink, ...] = ()

    @property
    def texts(self) -> tuple[str, str]:
        """Source and target as text."""
        return "".join(self.source).strip(), "".join(self.target).strip()


def spaced_words(text: str, language: str) -> tuple[str, ...]:
    """The words of normalised `text`, each with the space before it: joined they are the text."""
    starts = [0, *(end for _, end in word_spans(text, language))]
    return tuple(text[start:end] for start, end in pairwise(starts))


def join(pairs: Sequence[LinkedPair], separator: tuple[str, str] = ("", "")) -> LinkedPair:
    """Several pairs as one, in order, with `separator` (source, target) put right behind each but the last."""
    source: list[str] = []
    target: list[str] = []
    links: list[WordLink] = []
    for number, pair in enumerate(pairs):
        if number and separator[0]:
            links.append((len(source), len(target), SURE))
            source.append(separator[0])
            target.append(separator[1])
        links += [(s + len(source), t + len(target), strength) for s, t, strength in pair.links]
        source += _spaced(pair.source) if source else pair.source
        target += _spaced(pair.target) if target else pair.target
    return LinkedPair(tuple(source), tuple(target), tuple(links))


def _spaced(words: Sequence[str]) -> list[str]:
    return [words[0] if words[0].startswith(" ") else " " + words[0], *words[1:]] if words else []
