"""Numbers with the separators of another language, where the way they are written leaves no doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_store.contract.calendar import MONTHS
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

SEPARATORS = {"en": (",", "."), "fr": ("\u202f", ","), "de": (".", ",")}
"""Between thousands, and before the fraction."""
GROUPED = {
    "en": re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+\.(?:\d{1,2}|\d{4,})"),
    "fr": re.compile(r"[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?|\d+,(?:\d{1,2}|\d{4,})"),
    "de": re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}|\d+,(?:\d{1,2}|\d{4,})"),
}
"""Numbers of each language that can be read in one way only, and are no dates, times or addresses."""
DECIMAL = re.compile(r"\d+\.\d+")
"""In English also a version, or the number of a chapter."""
NUMBERED = re.compile(
    r"(?:\b[A-Z][\w.+#-]*|\b(?:version|release|update|chapter|section|part|clause|article|figure|table|page|v))\s?$"
)
"""What stands before such a number: a name (*Python 3.11*), or a word for a part of a text."""
BETWEEN = re.compile(r"(,\s+|\s*[;/|+&]\s*|\s+[-\u2013]\s+|(?<=\d)[-\u2013](?=\d))")
"""What stands between numbers that were protected as one stretch."""
DIGITS = re.compile(r"\d+")
CURRENCY = re.compile(r"([$\u20ac\u00a3\u00a5]?\s?)(.+?)(\s?[$\u20ac\u00a3\u00a5%\u2030]?)")
ORDINAL = re.compile(r"1(?P<ending>er|\xe8re|re|\xe9e|e)\b")
CARDINAL = re.compile(rf"1 (?!(?:{'|'.join(MONTHS['en'])})\b)")
"""What an English text begins with that counts one thing, and is no date."""
ONE = re.compile(r"(?<![\d.,:/-])(?<!\d )\b1 (?:hour|minute|second|day|week|night|year|person|tablet)\b")
PLURAL = re.compile(
    r"(?<![\d.,:/-])(?<!\d )\b1 (?:an|heure|minute|seconde|jour|semaine|nuit|ann\xe9e|personne|comprim\xe9)"
    r"(?P<plural>s)\b"
)
"""One thing, and what models write for it."""


def with_cardinal(text: str, spans: Sequence[Stretch], language: str, read: str) -> tuple[str, Sequence[Stretch]]:
    """A French translation of a text that was `read` that begins with *1*, where models write *1er* for *1 missed
    call*, and with one hour in the singular."""
    if language == "fr" and "1 " in text and ONE.search(read):
        found = [match.span("plural") for match in PLURAL.finditer(text)]
        text, spans = rewritten(text, spans, found, [""] * len(found))
    match = ORDINAL.match(text) if language == "fr" and CARDINAL.match(read) else None
    return (text, spans) if match is None else rewritten(text, spans, [match.span("ending")], [""])


def localised(copy: str, source: str, target: str, before: str = "") -> str:
    """`copy`, a number or several of language `source`, as `target` writes them; itself when it is anything else or any
    of them is in doubt. `before` is the text before it."""
    parts = BETWEEN.split(copy)
    if not parts[1:]:
        return _one_localised(copy, source, target, before)
    changed = [_one_localised(part, source, target, before) for part in parts[::2]]
    if any(new == part for new, part in zip(changed, parts[::2], strict=True)):
        return copy
    return "".join([piece for pair in zip(changed, [*parts[1::2], ""], strict=True) for piece in pair])


def _one_localised(copy: str, source: str, target: str, before: str) -> str:
    found = CURRENCY.fullmatch(copy)
    known = source in GROUPED and target in SEPARATORS
    if found is None or not known or not GROUPED[source].fullmatch(found[2]):
        return copy
    if source == "en" and copy == found[2] and DECIMAL.fullmatch(copy) and NUMBERED.search(before):
        return copy
    fraction = SEPARATORS[source][1]
    whole, point, rest = found[2].partition(fraction)
    digits = re.sub(r"\D", "", whole)
    is_grouped = digits != whole
    thousands, sign = SEPARATORS[target]
    grouped = f"{int(digits):,}".replace(",", thousands) if is_grouped else digits
    return f"{found[1]}{grouped}{sign + rest if point else ''}{found[3]}"


def lost_numbers(source: str, target: str) -> bool:
    """Whether a number in digits of `source` is missing in `target`, or one is there that the source has not."""
    return sorted(DIGITS.findall(source)) != sorted(DIGITS.findall(target))
