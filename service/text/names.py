"""Rare names: capitalised words that a vocabulary has only in small pieces, which a small model may garble."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

Encode = Callable[[str], Sequence[int]]

CAPITALISED = re.compile(r"\b[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
MIN_LETTERS, MIN_PIECES, MIN_LOWER_PIECES = 4, 4, 3
"""Shortest rare name, in letters, in subwords, and in subwords of its lower-case form."""
COMMON_PIECES = 2
"""A word of at most so many subwords is a common one."""
CALENDAR = frozenset(
    word
    for words in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "january february march april may june july august september october november december",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "januar februar märz mai juni juli oktober dezember",
    )
    for word in words.split(" ")
)
"""Words with a capital that are no names."""


def rare_names(text: str, encode: Encode) -> list[str]:
    """The rare names of `text`, in order."""
    return [word for word in CAPITALISED.findall(text) if _is_rare(word, encode)]


def _is_rare(word: str, encode: Encode) -> bool:
    if len(word) < MIN_LETTERS or not word[0].isupper() or word.isupper() or word.lower() in CALENDAR:
        return False
    return len(encode(word)) >= MIN_PIECES and len(encode(word.lower())) >= MIN_LOWER_PIECES


def garbled_names(source: str, target: str, encode: Encode) -> list[str]:
    """Rare names of `source` that `target` has not, unless it has as many common names of its own for them.

    Switzerland becomes Suisse, which is a common word; Mbappe becomes Mbape, which is none.
    """
    missing = [name for name in rare_names(source, encode) if name not in target]
    if not missing:
        return []
    own = [word for word in CAPITALISED.findall(target)[1:] if word[0].isupper() and word not in source]
    common = [word for word in own if len(encode(word)) <= COMMON_PIECES]
    return missing if len(common) < len(missing) else []


def stretches_of(names: Collection[str]) -> Callable[[str], list[tuple[int, int]]]:
    """A finder of all places where one of `names` stands in a text as a word."""
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True)))
    return lambda text: [match.span() for match in pattern.finditer(text)] if names else []
