"""Hard links from soft maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from service.exchanged import Token


class Anchored(NamedTuple):
    """A side's text, where it starts in the whole text, and its tokens, which lie in that."""

    text: str
    start: int
    tokens: Sequence[Token]


def are_words(tokens: Sequence[Token]) -> np.ndarray:
    """[tokens], bool: which of them are no punctuation."""
    return np.array([text[:1].isalnum() or any(map(str.isalnum, text)) for text, _, _ in tokens], np.bool_)


def links(linked: np.ndarray) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order, of `linked` [target tokens]: the source token of each, or
    -1."""
    return [(source, target) for target, source in enumerate(linked.tolist()) if source >= 0]


def pharaoh(linked: np.ndarray) -> str:
    """Those links as Pharaoh text, `source-target` each."""
    return " ".join([f"{source}-{target}" for source, target in links(linked)])


def _free(text: str, copy: str, taken: Sequence[tuple[int, int]]) -> int:
    """The first place of `copy` in `text` that lies in none of the stretches `taken`: a copy may be a part of another,
    as *example.org* is of *info@example.org*. -1 when there is none."""
    at = text.find(copy)
    while at >= 0 and any(start < at + len(copy) and at < end for start, end in taken):
        at = text.find(copy, at + 1)
    return at


def with_copies(linked: np.ndarray, source: Anchored, target: Anchored, copies: Sequence[str]) -> np.ndarray:
    """`linked` [target tokens] and the links of `copies`, which stand on both sides by construction: a copy that the
    model did not write was put in, and no weight tells where it came from. Links that there are stay."""
    if not copies or (linked >= 0).all():
        return linked
    found = linked.copy()
    taken: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for copy in copies:
        places = [_free(side.text, copy, where) for side, where in zip((source, target), taken, strict=True)]
        if min(places) < 0:  # it took the target's separators, or is lost
            continue
        for place, where in zip(places, taken, strict=True):
            where.append((place, place + len(copy)))
        sources, targets = (
            [n for n, token in enumerate(side.tokens) if place <= token.start - side.start < place + len(copy)]
            for side, place in zip((source, target), places, strict=True)
        )
        for i, number in enumerate(targets):
            if sources and found[number] < 0:
                found[number] = sources[min(i, len(sources) - 1)]
    return found
