"""Whole files as texts of a size that a request may have: what is asked for, and the file with the answers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.text.code import between, code_blocks
from service.text.strings import strings_of

CUTS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[.!?\u2026]\s"), re.compile(r"\s"))
"""Where a long text is cut, the best first: between paragraphs, lines, sentences, words."""
QUOTED = '"text" = "', '";'
"""What makes a file of strings of a string."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The code points `start`..`end` of a document, which are translated together."""

    start: int
    end: int
    is_string: bool = False
    """Whether it is a string of a file of strings."""

    def text(self, document: str) -> str:
        """What to ask for."""
        inner = document[self.start : self.end]
        return inner.join(QUOTED) if self.is_string else inner

    def translation(self, answer: str) -> str:
        """What takes the piece's place, from the answer."""
        return answer.removeprefix(QUOTED[0]).removesuffix(QUOTED[1]) if self.is_string else answer


def pieces(document: str, most: int) -> list[Piece]:
    """What to translate of a document, in pieces of at most `most` code points: the strings of a file of strings, or
    what stands between blocks of code."""
    strings = strings_of(document)
    if strings is None:
        stretches = between(document, code_blocks(document))
        return [Piece(*part) for start, end in stretches for part in _cut(document, start, end, most)]
    room = most - len("".join(QUOTED))
    parts = [part for start, end in strings.stretches for part in _cut(document, start, end, room)]
    return [Piece(*part, is_string=strings.are_quoted) for part in parts]


def joined(document: str, found: Sequence[Piece], translations: Sequence[str]) -> str:
    """The document with translations in place of its pieces."""
    done, at = [], 0
    for piece, answer in zip(found, translations, strict=True):
        done += [document[at : piece.start], piece.translation(answer)]
        at = piece.end
    return "".join([*done, document[at:]])


def _cut(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """The parts of `text[start:end]`, of at most `most` code points each, that hold something."""
    while end - start > most:
        at = next((cut for pattern in CUTS if (cut := _last(pattern, text, start, start + most))), start + most)
        yield from _cut(text, start, at, most)
        start = at
    if text[start:end].strip():
        yield start, end


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> int | None:
    """Where the last of `pattern` ends in `text[start:end]`."""
    return max((match.end() for match in pattern.finditer(text, start, end)), default=None)
