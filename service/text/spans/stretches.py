"""Parts of a text by their places."""

from collections.abc import Iterable
from dataclasses import dataclass

Stretch = tuple[int, int]
"""The code points `start`..`end` of a text."""


def stripped(text: str, start: int, end: int) -> Stretch:
    """`text[start:end]` without the white space at its ends; it ends before it starts where there is nothing else."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def disjoint(found: Iterable[Stretch]) -> list[Stretch]:
    """The stretches in order without those that begin in an earlier one; of those that begin alike the longest."""
    kept: list[Stretch] = []
    for start, end in sorted(found, key=lambda stretch: (stretch[0], -stretch[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


@dataclass(frozen=True, slots=True)
class Translated:
    """A stretch of a text that a rule translates, not the model."""

    start: int
    end: int
    """The code points that it takes."""
    translated: str
    """As the other language writes it."""


def as_capital(written: str, source: str) -> str:
    """`written` with a capital if `source` has one."""
    return written[0].upper() + written[1:] if source[:1].isupper() else written
