"""The form of text that models are trained on, with the way back to the client's own code points."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model_store.contract import normalisation
from model_store.contract.normalisation import APOSTROPHES, FORM

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """Normalised text; code point i of it stands for `starts[i]`..`ends[i]` of the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the original that `start`..`end` of the normalised text stand for."""
        if start < end:
            return self.starts[start], self.ends[end - 1]
        at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
        return at, at

    def original_spans(self, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """`original_span` of each subword; one that begins with a space begins behind what was taken out there."""
        if isinstance(self.starts, range):  # each code point stands for itself
            return spans
        return [self.original_span(start + self._has_gap(start, end), end) for start, end in spans]

    def _has_gap(self, start: int, end: int) -> bool:
        """Whether there is a space at `start`, and behind it something that the normalised text has not: a tag."""
        return end - start > 1 and self.text[start] == " " and self.starts[start + 1] > self.ends[start]


def replaced(normalised: NormalisedText, stretches: Sequence[tuple[int, int]], texts: Sequence[str]) -> NormalisedText:
    """`normalised` with one of `texts` in place of each of its `stretches`, which are in order and apart; each code
    point of such a text stands for all of the stretch."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for (start, end), text in zip(stretches, texts, strict=True):
        pieces += [normalised.text[at:start], text]
        first = normalised.starts[start]
        last = normalised.ends[end - 1] if start < end else first
        starts += [*normalised.starts[at:start], *[first] * len(text)]
        ends += [*normalised.ends[at:start], *[last] * len(text)]
        at = end
    pieces.append(normalised.text[at:])
    starts += normalised.starts[at:]
    ends += normalised.ends[at:]
    return NormalisedText("".join(pieces), starts, ends)


def without_surrogates(text: str) -> str:
    """Lone surrogates, which no UTF-8 encoder takes, become U+FFFD one for one: offsets stay."""
    return text if text.isascii() else LONE_SURROGATE.sub(REPLACEMENT, text)


def normalise(text: str) -> NormalisedText:
    """The contract's normalisation, with the way back; a property test holds both to the same text."""
    text = without_surrogates(text)
    if unicodedata.is_normalized(FORM, text):
        plain = normalisation.normalise(text)
        if len(plain) == len(text):  # every white-space run was one space already: one code point for one
            return NormalisedText(plain, range(len(text)), range(1, len(text) + 1))
    return _mapped(text)


def _mapped(text: str) -> NormalisedText:
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for character, start, end in _nfc(text):
        if character.isspace():
            if characters and characters[-1] == " ":
                ends[-1] = end
                continue
            if not characters:
                continue
            character = " "
        characters.append(APOSTROPHES.get(character, character))
        starts.append(start)
        ends.append(end)
    if characters and characters[-1] == " ":
        del characters[-1], starts[-1], ends[-1]
    return NormalisedText("".join(characters), starts, ends)


def _nfc(text: str) -> Iterator[tuple[str, int, int]]:
    """NFC code points with the original code points of the composition that each comes from."""
    if unicodedata.is_normalized(FORM, text):
        yield from ((c, i, i + 1) for i, c in enumerate(text))
        return
    for start, end in _compositions(text):
        original = text[start:end]
        composed = unicodedata.normalize(FORM, original)
        if composed == original:
            yield from ((c, start + i, start + i + 1) for i, c in enumerate(composed))
        else:
            yield from ((c, start, end) for c in composed)


def _compositions(text: str) -> Iterator[tuple[int, int]]:
    """Shortest stretches whose normal forms are independent of each other (Unicode Standard Annex 15)."""
    start = 0
    for position in range(1, len(text)):
        if not _joins(text, start, position):
            yield start, position
            start = position
    if text:
        yield start, len(text)


def _joins(text: str, start: int, position: int) -> bool:
    """Whether the character at `position` may change with the stretch that begins at `start`."""
    character = text[position]
    if character < "\u0300":  # nothing below composes with what comes before it
        return False
    if unicodedata.combining(unicodedata.normalize("NFD", character)[0]):
        return True
    before = text[start:position]
    both = unicodedata.normalize(FORM, before + character)
    return both != unicodedata.normalize(FORM, before) + unicodedata.normalize(FORM, character)
