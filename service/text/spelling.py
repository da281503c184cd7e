"""Misspelt words: those that a model never read, but for a slip of one letter, an accent or an umlaut left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

WORD = re.compile(r"(?<![\w'\u2019.@/#-])[^\W\d_]{4,30}(?![\w@/-]|['\u2019]\w|\.\w)")
MIN_LETTERS = 5
"""Shortest word that may lack any letter, have one too many or a wrong one; shorter ones may have two exchanged or a
double one wrong."""
LETTERS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "fr": "abcdefghijklmnopqrstuvwxyz\u00e0\u00e2\u00e7\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u00f9\u00fb\u0153",
    "de": "abcdefghijklmnopqrstuvwxyz\u00e4\u00f6\u00fc\u00df",
}
PLAIN = {
    "fr": {
        "a": "\u00e0\u00e2",
        "c": "\u00e7",
        "e": "\u00e9\u00e8\u00ea\u00eb",
        "i": "\u00ee\u00ef",
        "o": "\u00f4",
        "oe": "\u0153",
        "u": "\u00f9\u00fb",
    },
    "de": {"a": "\u00e4", "ae": "\u00e4", "o": "\u00f6", "oe": "\u00f6", "u": "\u00fc", "ue": "\u00fc"},
}
"""Letters as they are typed on other keyboards, and the letters that may be meant."""
MOST_ACCENTS = 3
MOST_PLACES = 8
"""Places in a word that may lack an accent, of which MOST_ACCENTS are tried together."""


class Correction(NamedTuple):
    """A misspelt word in a text and what may be meant."""

    start: int
    end: int
    word: str


def corrections(
    text: str, language: str, known: Container[str], encode: Callable[[str], Sequence[int]]
) -> list[Correction]:
    """The words of `text` in lower case that are not `known`, the words that a model read, but for a slip.

    Of several words that may be meant, one that needs a lesser slip counts, then one of fewer subwords, then one of an
    earlier subword: vocabularies begin with what is frequent.
    """
    if language not in LETTERS:
        return []
    found = []
    for match in WORD.finditer(text):
        word = match.group()
        if word.islower() and word not in known:
            meant = _meant(word, language, known, encode)
            if meant is not None:
                found.append(Correction(*match.span(), meant))
    return found


def _meant(word: str, language: str, known: Container[str], encode: Callable[[str], Sequence[int]]) -> str | None:
    for slips in (_accents(word, language), _slips_of_a_hand(word), _one_letter(word, LETTERS[language])):
        candidates = {candidate for candidate in slips if candidate in known}
        if candidates:
            return min(candidates, key=lambda candidate: (len(ids := encode(candidate)), *ids))
    return None


def _accents(word: str, language: str) -> Iterable[str]:
    """The word with up to MOST_ACCENTS accents or umlauts."""
    places = [
        (at, plain, letter)
        for plain, letters in PLAIN.get(language, {}).items()
        for at in range(len(word))
        if word.startswith(plain, at)
        for letter in letters
    ]
    if len({at for at, _, _ in places}) > MOST_PLACES:
        return
    for count in range(1, MOST_ACCENTS + 1):
        for chosen in combinations(sorted(places), count):
            written, end = word, len(word) + 1
            for at, plain, letter in reversed(chosen):
                if at + len(plain) > end:
                    break  # two in one place
                written, end = written[:at] + letter + written[at + len(plain) :], at
            else:
                yield written


def _slips_of_a_hand(word: str) -> Iterable[str]:
    """The word with two letters side by side exchanged, and with a letter doubled or no longer double."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield word[:at] + word[at] + word[at:]
        if word[at] == word[at + 1]:
            yield word[:at] + word[at + 1 :]


def _one_letter(word: str, letters: str) -> Iterable[str]:
    """The word without one of its letters, with one more or with another."""
    if len(word) < MIN_LETTERS:
        return
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]
        yield from (word[:at] + letter + word[at + 1 :] for letter in letters)
    for at in range(1, len(word) + 1):
        yield from (word[:at] + letter + word[at:] for letter in letters)
