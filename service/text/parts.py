"""What of a text is for people, and how its characters are read: the same for texts and for their translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.text.code import without_code
from service.text.entities import without_references
from service.text.normalise import NormalisedText, normalise
from service.text.strings import strings_of, unescaped
from service.text.wrapped import without_quotation_signs


class TextParts(NamedTuple):
    """The parts of a text that sentences are looked for in."""

    stretches: Sequence[tuple[int, int]] | None
    """Where they lie; None is all of it."""
    are_strings: bool
    """Whether they stand in quotation marks of a file of strings, so that their own are escaped."""


def parts_of(text: str) -> TextParts:
    """The strings of a file of strings, else what blocks of code leave."""
    strings = strings_of(text)
    return TextParts(without_code(text), False) if strings is None else TextParts(*strings)


def as_read(original: str, is_string: bool) -> NormalisedText:
    """The normal form of a part of a text, without the escapes of a string and the signs of a quoted mail."""
    normalised = without_references(normalise(original))
    return unescaped(normalised) if is_string else without_quotation_signs(normalised, original)
