"""The space before a semicolon or a colon, as each language sets it: one in French, none in English and German."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

NO_SPACE = re.compile(r" +(?=[;:](?:\s|\Z))")
PATTERNS = {"fr": re.compile(r"(?<=[^\s;:])(?=[;:](?:\s|\Z))"), "en": NO_SPACE, "de": NO_SPACE}
"""What gives way to SPACES, by language: nothing where a space is missing, or spaces that should not be there. A sign
with something right behind it belongs to a time, an address or a face."""
SPACES = {"fr": " ", "en": "", "de": ""}
Stretch = tuple[int, int]


def with_spaces(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """`text` with its semicolons and colons as a `language` spaces them, and what each subword covers of it then; as it
    is in languages that are not known."""
    if (";" not in text and ":" not in text) or language not in PATTERNS:
        return text, spans  # as most texts
    pattern, space = PATTERNS[language], SPACES[language]
    found = [match.span() for match in pattern.finditer(text)]
    if not found:
        return text, spans
    shifts = [(start, len(space) - (end - start)) for start, end in found]
    moved = [
        (_moved(start, (shift for shift in shifts if shift[0] <= start)),
         _moved(end, (shift for shift in shifts if shift[0] < end)))
        for start, end in spans
    ]  # fmt: skip
    return pattern.sub(space, text), moved


def _moved(place: int, shifts: Iterable[tuple[int, int]]) -> int:
    """Where a code point is after the `shifts` before it; the place of the shift where it is one of those taken out."""
    return place + sum(max(by, at - place) for at, by in shifts)
