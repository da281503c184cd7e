"""Numbers with the separators of another language, where the way they are written leaves no doubt."""

from __future__ import annotations

import re

SEPARATORS = {"en": (",", "."), "fr": ("\u202f", ","), "de": (".", ",")}
"""Between thousands, and before the fraction."""
GROUPED = {
    "en": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:,\d{3}){2,}|\d+\.(?:\d{1,2}|\d{4,})"),
    "fr": re.compile(r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?|\d+,(?:\d{1,2}|\d{4,})"),
    "de": re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,(?:\d{1,2}|\d{4,})"),
}
"""Numbers of each language that can be read in one way only, and are no dates, times, versions or addresses."""
CURRENCY = re.compile(r"([$\u20ac\u00a3\u00a5]?\s?)(.+?)(\s?[$\u20ac\u00a3\u00a5]?)")


def localised(copy: str, source: str, target: str) -> str:
    """`copy`, a number of language `source`, as `target` writes it; itself when it is anything else or in doubt."""
    found = CURRENCY.fullmatch(copy)
    known = source in GROUPED and target in SEPARATORS
    if found is None or not known or not GROUPED[source].fullmatch(found[2]):
        return copy
    fraction = SEPARATORS[source][1]
    whole, point, rest = found[2].partition(fraction)
    digits = re.sub(r"\D", "", whole)
    is_grouped = digits != whole
    thousands, sign = SEPARATORS[target]
    grouped = f"{int(digits):,}".replace(",", thousands) if is_grouped else digits
    return f"{found[1]}{grouped}{sign + rest if point else ''}{found[3]}"
