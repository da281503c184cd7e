"""What of a text is for people, and how its characters are read: the same for texts and for their translations."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from service.text.formats.calendars import calendar_parts
from service.text.formats.code import between, code_blocks, without_code
from service.text.formats.entities import without_references
from service.text.formats.escapes import CALENDAR, android_parts, unfolded, without_folds
from service.text.formats.messages import may_have_branches, with_branches
from service.text.formats.quoting import unescaped
from service.text.formats.strings import for_people, strings_of
from service.text.formats.tables import table_of
from service.text.formats.yaml_strings import front_matter
from service.text.sentences.wrapped import without_quotation_signs
from service.text.spans.normalise import NormalisedText, normalise


class TextParts(NamedTuple):
    """The parts of a text that sentences are looked for in."""

    stretches: Sequence[tuple[int, int]] | None
    """Where they lie; None is all of it."""
    quotes: Sequence[str] = ()
    """The quotation mark of a file of strings that each stands in, if any; empty where no part is of such a file."""

    def quote(self, at: int) -> str:
        """The quotation mark that the part at code point `at` stands in, if any."""
        if not self.quotes or self.stretches is None:
            return ""
        return self.quotes[bisect_right(self.stretches, at, key=itemgetter(0)) - 1]


def parts_of(text: str) -> TextParts:
    """The strings of a file of strings, the values before a page and the page, else what blocks of code leave; branches
    of messages by themselves."""
    found = _parts_of(text)
    if not may_have_branches(text):
        return found  # as most texts
    stretches = [(0, len(text))] if found.stretches is None else found.stretches
    quotes = found.quotes or [""] * len(stretches)
    parts = with_branches(text, [(*each, quote) for each, quote in zip(stretches, quotes, strict=True)])
    return found if parts is None else TextParts(*_apart(parts))


def _parts_of(text: str) -> TextParts:
    matter = front_matter(text)
    if matter is not None:
        (_, end), values = matter
        page = text[end:]
        rest = [(end + first, end + last, "") for first, last in between(page, code_blocks(page))]
        return TextParts(*_apart([*for_people(text, values), *rest]))
    strings = strings_of(text) or table_of(text)
    if strings is not None:
        return TextParts(*strings)
    stretches = without_code(text)
    parts = calendar_parts(text) or android_parts(text, [(0, len(text))] if stretches is None else stretches)
    return TextParts(stretches) if parts is None else TextParts(*_apart(parts))


def _apart(parts: Sequence[tuple[int, int, str]]) -> tuple[list[tuple[int, int]], list[str]]:
    """Stretches, and the quotation marks that they stand in."""
    return [(first, last) for first, last, _ in parts], [quote for *_, quote in parts]


def as_read(original: str, quote: str = "") -> NormalisedText:
    """The normal form of a part of a text, without the escapes of a string between `quote` and the signs of a quoted
    mail."""
    normalised = without_references(normalise(original))
    if quote == CALENDAR:
        normalised = without_folds(normalised, original)
    return unescaped(normalised, quote) if quote else without_quotation_signs(normalised, original)


def unfolded_for(text: str, parts: TextParts) -> str:
    """A `text` of the `parts`, of the same length, in which a calendar's folded lines are whole."""
    return unfolded(text) if CALENDAR in parts.quotes else text
