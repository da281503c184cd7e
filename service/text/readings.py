"""Several readings of labels and headings: as they stand, without their capitals, and with a full stop.

A model that has learnt to copy names takes `Kitchen` for a name, while it knows `kitchen`. It knows `Good morning` with
a full stop. So short text without final punctuation is translated in each reading, and the likeliest translation wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.text.names import addressed_name
from service.text.normalise import NormalisedText

MAX_WORDS, MAX_HEADING_WORDS = 3, 9
"""Longest label, and longest heading whose words all begin with a capital."""
FINAL = re.compile(r"[\s.!?\u2026]+\Z")
WORD = re.compile(r"\S+")


class Reading(NamedTuple):
    """Another way to read a text."""

    normalised: NormalisedText
    is_decapitalised: bool
    """Whether its first letter lost its capital, which the translation gets back."""
    has_full_stop: bool
    """Whether a full stop was added, which the translation loses."""


def further_readings(normalised: NormalisedText, encode: Callable[[str], Sequence[int]]) -> list[Reading]:
    """The readings of a label or heading beside the one that it has; none of any other text."""
    text = normalised.text
    words = WORD.findall(text) if len(text) < 80 else []
    is_heading = len(words) <= MAX_HEADING_WORDS and all(w[0].isupper() or not w[0].isalpha() for w in words)
    if not words or not text[0].isupper() or not (is_heading or len(words) <= MAX_WORDS) or text[-1] in ".!?:;,\u2026":
        return []
    addressed = addressed_name(text)
    lower = WORD.sub(lambda word: word[0] if word[0] == addressed else _without_capital(word[0], encode), text)
    readings = []
    if lower != text:
        plain = NormalisedText(lower, normalised.starts, normalised.ends)
        readings.append(Reading(plain, lower[0] != text[0], False))
    end = normalised.ends[-1]
    ended = NormalisedText(text + ".", [*normalised.starts, end], [*normalised.ends, end])
    return [*readings, Reading(ended, False, True)]


def _without_capital(word: str, encode: Callable[[str], Sequence[int]]) -> str:
    """`word` with a small first letter, where the vocabulary knows it as well or better so."""
    lower = word[0].lower() + word[1:]
    if word == "I" or word.startswith("I'") or len(lower) != len(word) or not lower[1:].islower():
        return word
    return lower if len(encode(lower)) <= len(encode(word)) else word


def with_capital(text: str) -> str:
    """`text` with a capital first letter, where that is one code point too."""
    first = text[:1].upper()
    return first + text[1:] if len(first) == 1 else text


def without_full_stop(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """`text` without its final punctuation, and the spans of the subwords that are left."""
    bare = FINAL.sub("", text)
    return (bare, [span for span in spans if span[0] < len(bare)]) if bare else (text, list(spans))
