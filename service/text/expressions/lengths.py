"""Lengths of time that are written with *h*: *2h*, *1h30*, *48 h*. A model has read *2 hours*, and loses the *h*."""

from __future__ import annotations

import re

from service.text.expressions.french_clock import PART, are_times
from service.text.spans.stretches import Translated

LENGTH = re.compile(
    r"(?<![\w:.,/$\u20ac\u00a3-])(?P<hours>\d{1,3}(?:[.,]\d)?)\s?h(?:\s?(?P<minutes>[0-5]\d)(?:\s?min(?:utes|uten|s)?\b)?)?"
    r"(?![\w\u2019'-]|\s?/|\s(?:sur\s\d|et (?:quart|demie?)\b|du Mans))"
)
"""Hours, of which some are times of day in French and German."""
GERMAN_TIME = re.compile(r"\b(?i:um|ab|bis|gegen|von|zwischen|und|uhr)\s(?:\d\d?\s?(?:h\s)?(?:-|bis|und)\s)?\Z")
"""What stands before a time of day: *ab 10 h*."""
MOST_BEFORE = 24
"""Code points before hours that say what they are."""
WRITTEN = {"en": ("hour", "hours"), "fr": ("h", "h"), "de": ("Stunde", "Stunden")}


def lengths(text: str, source: str, target: str) -> list[Translated]:
    """The lengths of time of a `source` text as `target` writes them; none of languages that are not known."""
    if "h" not in text or source == target or not {source, target} <= WRITTEN.keys():
        return []
    found = list(LENGTH.finditer(text))
    if source == "fr" and found:
        times = are_times(text)
        found = [match for match in found if match.start() not in times and PART.match(text, match.end()) is None]
    if source == "de":
        found = [m for m in found if GERMAN_TIME.search(text[max(0, m.start() - MOST_BEFORE) : m.start()]) is None]
    if (source, target) == ("en", "fr"):  # which writes *2h* as English does
        found = [match for match in found if match["minutes"]]
    return [Translated(*match.span(), _written(match, target)) for match in found]


def _written(match: re.Match[str], target: str) -> str:
    hours, minutes = match["hours"], match["minutes"]
    one, several = WRITTEN[target]
    return f"{hours} h {minutes} min" if minutes else f"{hours} {one if hours == '1' else several}"
