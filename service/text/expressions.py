"""Expressions of notices and price tags that no model has read: *24/7*, *7j/7*, *24h/24*, *TTC*, *HT*."""

from __future__ import annotations

import re

from service.text.translated import Translated

_PRICE = r"(?:\u20ac|[Ee]uros?|[Pp]rix|[Mm]ontant|[Tt]otal|[Tt]arifs?|[Bb]udget)\s"
EXPRESSIONS = {
    "en": ((re.compile(r"(?<![\d/])24/7(?![\d/])"), {"fr": "24h/24 et 7j/7", "de": "rund um die Uhr"}),),
    "fr": (
        (
            re.compile(r"(?<![\d/])24\s?h(?:eures?)?\s?(?:/|sur\s)\s?24(?:\s?h)?(?![\w/])"),
            {"en": "24 hours a day", "de": "rund um die Uhr"},
        ),
        (
            re.compile(r"(?<![\d/])7\s?j(?:ours)?\s?(?:/|sur\s)\s?7(?:\s?j)?(?![\w/])"),
            {"en": "7 days a week", "de": "an 7 Tagen die Woche"},
        ),
        (
            re.compile(rf"(?:(?<=\u20ac\s)|{_PRICE})(?P<tax>TTC)\b"),
            {"en": "incl. VAT", "de": "inkl. MwSt."},
        ),
        (re.compile(rf"(?:(?<=\u20ac\s)|{_PRICE})(?P<tax>HT)\b"), {"en": "excl. VAT", "de": "zzgl. MwSt."}),
    ),
}
"""What to look for in each language, and how others write it."""


def expressions(text: str, source: str, target: str) -> list[Translated]:
    """The expressions of a `source` text as `target` writes them; none of languages that are not known."""
    return [
        Translated(*match.span("tax" if "tax" in pattern.groupindex else 0), written[target])
        for pattern, written in EXPRESSIONS.get(source, ())
        if target in written
        for match in pattern.finditer(text)
    ]
