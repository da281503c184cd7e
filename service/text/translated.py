"""Stretches that a rule translates, not the model: times of day (`service/text/clock.py`) and *etc.*"""

from __future__ import annotations

import re
from dataclasses import dataclass

ET_CETERA = re.compile(r"\b(?:etc|usw)\b(?:\.(?=[\s,;)]*[^\s,;)]))?")
"""With its full stop, unless that ends the text."""
WRITTEN = {"en": "etc", "fr": "etc", "de": "usw"}


@dataclass(frozen=True, slots=True)
class Translated:
    """A stretch of a text."""

    start: int
    end: int
    """The code points that it takes."""
    translated: str
    """As the other language writes it."""


def may_have_et_cetera(text: str) -> bool:
    """Whether `text` may have one of those, found quickly."""
    return "etc" in text or "usw" in text


def et_ceteras(text: str, target: str) -> list[Translated]:
    """Each *etc.* and *usw.* of `text`, in order, as the language `target` writes it; none of languages that are not
    known. Corpora of sentences hardly have them, so that models leave them out."""
    if target not in WRITTEN:
        return []
    return [
        Translated(*match.span(), WRITTEN[target] + "." * match.group().endswith("."))
        for match in ET_CETERA.finditer(text)
    ]
