"""French ordinal numbers: centuries, *le XIXe si\u00e8cle*, and those behind an article, *le 3e \u00e9tage*."""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS
from service.text.expressions.ordinals import ordinal
from service.text.expressions.weekdays import WRITTEN_WORDS
from service.text.spans.stretches import Translated

ORDINAL = re.compile(
    r"(?i:(?<=\b(?:la|le|au|du|un|ma|sa|ta|ce) )|(?<=\b(?:une|mon|son|ton|les|des|aux) ))"
    rf"(?P<number>[1-9]\d{{0,2}})(?:er|re|\u00e8re|e|\u00e8me|nde?)\b(?![-\u2013.,]\w|\s(?:{'|'.join(MONTHS['fr'])}))"
)
"""A French one behind an article, but for the days of dates; *20e* by itself may be an amount."""
ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI",
)  # fmt: skip
"""The numbers of centuries."""
CENTURY = re.compile(
    r"\b(?:(?P<first>[IVX]+)(?:er|e|\u00e8me) (?P<word>et|ou)(?: l[ea]| au| du)? )?(?P<last>[IVX]+)(?:er|e|\u00e8me)"
    r"\ssi\u00e8cle(?P<plural>s)?\b"
)
"""One or two centuries of a French text."""


def french_ordinals(text: str, target: str) -> list[Translated]:
    """Those of a French text as `target` writes them; only centuries where that is no English."""
    found: list[Translated] = []
    if "si\u00e8cle" in text:
        centuries = ((match, _century(match, target)) for match in CENTURY.finditer(text))
        found += [Translated(*match.span(), written) for match, written in centuries if written is not None]
    if target == "en":
        found += [Translated(*match.span(), ordinal(int(match["number"]))) for match in ORDINAL.finditer(text)]
    return found


def _century(match: re.Match[str], target: str) -> str | None:
    """Centuries that French has in Roman numbers; nothing if they are none."""
    numbers = [ROMAN.index(match[each]) + 1 for each in ("first", "last") if match[each] in ROMAN]
    if len(numbers) < 1 + (match["first"] is not None):
        return None
    ordinals = [ordinal(number) if target == "en" else f"{number}." for number in numbers]
    word = f"centur{'ies' if match['plural'] else 'y'}" if target == "en" else "Jahrhundert"
    link = f" {WRITTEN_WORDS[target][{'et': 'and', 'ou': 'or'}[match['word']]]} " if match["word"] else ""
    return f"{link.join(ordinals)} {word}"
