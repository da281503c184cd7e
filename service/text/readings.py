"""Several readings of a text: of labels and headings as they stand, without their capitals, and with a full stop; of
sentences with and without a capital that breaks their first word.

A model that has learnt to copy names takes `Kitchen` for a name, while it knows `kitchen`. It knows `Good morning` with
a full stop. So short text without final punctuation is translated in each reading, and the likeliest translation wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.text.names.addressed import addressed_name
from service.text.names.common_names import common_names
from service.text.spans.normalise import NormalisedText

MAX_WORDS, MAX_HEADING_WORDS = 3, 9
"""Longest label, and longest heading whose words all begin with a capital."""
FINAL = re.compile(r"[\s.!?\u2026]+\Z")
ENDS = ".!?\u2026"
WORD = re.compile(r"\S+")
FIRST_WORD = re.compile(r"[^\W\d_]{2,}\b")
MOST_WORDS_KEPT = 4096
MIN_PIECES_TOO_MANY = 2
"""A sentence gets a second reading for a first word of at least so many subwords more than without its capital."""


class Reading(NamedTuple):
    """Another way to read a text."""

    normalised: NormalisedText
    is_decapitalised: bool
    """Whether its first letter lost its capital, which the translation gets back."""
    has_full_stop: bool
    """Whether a full stop was added, which the translation loses."""


class Readings:
    """The readings of texts for one vocabulary. What it found of a word is kept, because labels and sentences begin
    with few words."""

    def __init__(self, encode: Callable[[str], Sequence[int]], language: str = "") -> None:
        """`encode` gives the subword ids of a normalised text of that `language`."""
        self._encode, self._language = encode, language
        self._is_broken = lru_cache(MOST_WORDS_KEPT)(self._find_broken)
        self._without_capital = lru_cache(MOST_WORDS_KEPT)(self._find_without_capital)

    def of(self, normalised: NormalisedText) -> list[Reading]:
        """The readings of a label or heading beside the one that it has; none of any other text."""
        text = normalised.text
        if text[-1:] in ENDS and text.count(" ") >= MAX_WORDS:
            return []  # a sentence, as most texts are
        words = WORD.findall(text) if len(text) < 80 else []
        is_heading = len(words) <= MAX_HEADING_WORDS and all(w[0].isupper() or not w[0].isalpha() for w in words)
        if not words or not text[0].isalpha() or not (is_heading or len(words) <= MAX_WORDS) or text[-1] in ":;,":
            return []
        if not text[0].isupper():
            return [] if text[-1] in ENDS else [_ended(normalised)]
        names = common_names(text, self._language, self._language)
        kept = {addressed_name(text), *names, *(name + sign for name in names for sign in ENDS)}
        lower = WORD.sub(lambda word: word[0] if word[0] in kept else self._without_capital(word[0]), text)
        plain = Reading(NormalisedText(lower, normalised.starts, normalised.ends), lower[0] != text[0], False)
        if text[-1] in ENDS:
            is_short = plain.is_decapitalised and len(words) <= MAX_WORDS
            return [plain] if is_short and len(self._encode(lower)) < len(self._encode(text)) else []
        return [*([plain] if lower != text else []), _ended(normalised)]

    def without_first_capital(self, normalised: NormalisedText) -> list[Reading]:
        """The reading of a sentence without its first capital, if that breaks its first word into pieces that it does
        not have in lower case."""
        first = FIRST_WORD.match(normalised.text)
        if first is None or not self._is_broken(first[0]):
            return []
        lower = first[0].lower() + normalised.text[first.end() :]
        return [Reading(NormalisedText(lower, normalised.starts, normalised.ends), True, False)]

    def _find_broken(self, word: str) -> bool:
        lower = word.lower()
        if not word[0].isupper() or word[1:] != lower[1:] or len(lower) != len(word):
            return False
        return len(self._encode(word)) - len(self._encode(lower)) >= MIN_PIECES_TOO_MANY

    def _find_without_capital(self, word: str) -> str:
        """`word` with a small first letter, where the vocabulary knows it as well or better so."""
        lower = word[0].lower() + word[1:]
        if word == "I" or word.startswith("I'") or len(lower) != len(word) or not lower[1:].islower():
            return word
        return lower if len(self._encode(lower)) <= len(self._encode(word)) else word


def _ended(normalised: NormalisedText) -> Reading:
    """The text with a full stop."""
    end = normalised.ends[-1]
    ended = NormalisedText(normalised.text + ".", [*normalised.starts, end], [*normalised.ends, end])
    return Reading(ended, False, True)


def with_capital(text: str) -> str:
    """`text` with a capital first letter, where that is one code point too."""
    first = text[:1].upper()
    return first + text[1:] if len(first) == 1 else text


def without_full_stop(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """`text` without its final punctuation, and the spans of the subwords that are left."""
    bare = FINAL.sub("", text)
    if not bare:
        return text, list(spans)
    return bare, [(start, min(end, len(bare))) for start, end in spans if start < len(bare)]
