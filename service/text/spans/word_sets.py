"""Sets of words, written as lines."""

from __future__ import annotations


def word_set(*lines: str) -> frozenset[str]:
    """The words of `lines`, which have single spaces between them."""
    return frozenset(word for line in lines for word in line.split(" "))
