"""The beginning, the middle or the end of a month: *in early May*, *mid-October*, *fin mars 2025*.

Models take *late* for being late, *mid-* for nothing, and often another month.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS
from service.text.spans.stretches import Translated, as_capital

_YEAR = r"(?P<year>,? (?:19|20)\d\d\b)?"
_NO_NOUN = (
    r"(?! (?:morning|afternoon|evening|night|day|sun|sunshine|weather|frost|deadline|meeting|election)s?\b"
    r"| \d{1,2}(?:st|nd|rd|th)?\b)"
)
"""A month is a date, where no noun has it before it."""
PATTERNS = {
    "en": re.compile(
        r"(?:\b(?P<before>(?i:at|in|by|until|till|from|since|to|of)) )?\b"
        r"(?:(?<=\w )the (?P<half>beginning|start|middle|end) of "
        r"|(?<!\b[Aa] )(?<!\b[Aa]n )(?<!\b[Tt]he )(?<!\b[Tt]his )(?<!\btoo )(?<!\bso )"
        r"(?P<part>[Ee]arly|[Mm]id|[Ll]ate)[ -])"
        rf"(?P<month>{'|'.join(MONTHS['en'])})\b{_YEAR}{_NO_NOUN}(?!['\u2019-]\w)"
    ),
    "fr": re.compile(
        r"(?:\b(?P<before>(?i:d'ici|jusqu'\u00e0|depuis|\u00e0)) )?\b"
        r"(?:(?:(?<=\u00e0 )|(?<=ici )|(?<=depuis )|(?<=\b[Dd]e ))la "
        r"|(?<!\b[Ll]a )(?<!\b[Ll]e )(?<!\b[Uu]ne )(?<!\b[Uu]n ))"
        r"(?P<part>[Dd]\u00e9but|[Mm]i|[Ff]in)[ -]"
        rf"(?P<month>(?i:{'|'.join(MONTHS['fr'])}))\b{_YEAR}(?!['\u2019-]\w)"
    ),
}
MAY_HAVE = {
    "en": re.compile(r"(?:[Ee]arly|\b[Mm]id|[Ll]ate)[ -][A-Z]|the (?:beginning|start|middle|end) of [A-Z]"),
    "fr": re.compile(r"(?:[Dd]\u00e9but|\b[Mm]i|\b[Ff]in)[ -][adfjmnosADFJMNOS]"),
}
"""Found quickly in every text with such a one."""
BEFORE = {
    ("en", "fr"): {
        "at": "", "in": "", "by": "d'ici ", "until": "jusqu'\u00e0 ", "till": "jusqu'\u00e0 ", "from": "de ",
        "since": "depuis ", "to": "\u00e0 ", "of": "de ", "": "",
    },
    ("en", "de"): {
        "at": "", "in": "", "by": "bis ", "until": "bis ", "till": "bis ", "from": "von ", "since": "seit ",
        "to": "bis ", "of": "von ", "": "",
    },
    ("fr", "en"): {"d'ici": "by ", "jusqu'\u00e0": "until ", "depuis": "since ", "\u00e0": "in ", "": "in "},
    ("fr", "de"): {"d'ici": "bis ", "jusqu'\u00e0": "bis ", "depuis": "seit ", "\u00e0": "", "": ""},
}  # fmt: skip
"""Prepositions, by the languages of text and translation."""
WRITTEN = {
    "en": ("early {}", "mid-{}", "late {}"),
    "fr": ("d\u00e9but {}", "mi-{}", "fin {}"),
    "de": ("Anfang {}", "Mitte {}", "Ende {}"),
}
PARTS = {
    "early": 0,
    "beginning": 0,
    "start": 0,
    "mid": 1,
    "middle": 1,
    "late": 2,
    "end": 2,
    "d\u00e9but": 0,
    "mi": 1,
    "fin": 2,
}
FROM_TO = {"en": ("from ", "to "), "de": ("von ", "bis ")}
"""*de ... \u00e0 ...*"""
FRENCH_PREPOSITION = re.compile(
    r"(?:\b(?i:de|d\u00e8s|vers|pour|avant|apr\u00e8s|courant|entre|et|ou|en|notre|nos|votre|vos|mon|ma|son|sa|leur|ce|cet"
    r"|cette)|[:;(\u2013-]) \Z"
)
"""What needs no English *in* behind it."""


def may_have_month_parts(text: str, source: str) -> bool:
    """Whether a `source` text may have one, found quickly."""
    pattern = MAY_HAVE.get(source)
    if pattern is None or (source == "en" and text[1:].islower()):  # as most texts: a month has a capital
        return False
    return pattern.search(text) is not None


def month_parts(text: str, source: str, target: str) -> list[Translated]:
    """Where a `source` text has one, and how `target` writes it with its preposition."""
    words = BEFORE.get((source, target))
    if words is None or not may_have_month_parts(text, source):
        return []  # as most texts
    names = [month.lower() for month in MONTHS[source]]
    found: list[Translated] = []
    for match in PATTERNS[source].finditer(text):
        groups = match.groupdict()
        before = (groups["before"] or "").lower()
        if not before and groups["part"] is None:
            continue  # the end of May, as a noun
        part = groups["part"] or groups["half"]
        preposition = words[before]
        if source == "fr" and not before and FRENCH_PREPOSITION.search(text, 0, match.start()):
            preposition = ""
        if (
            source == "fr"
            and not before
            and not text[: match.start()].strip()
            and text[match.end() : match.end() + 1] != ","
        ):
            preposition = ""  # a subject
        month = MONTHS[target][names.index(groups["month"].lower())]
        written = WRITTEN[target][PARTS[part.lower()]].format(month) + (groups["year"] or "").lstrip(",")
        first = found[-1] if found else None
        if (
            before == "\u00e0"
            and first
            and text[: first.start].lower().endswith("de ")
            and first.end + 1 == match.start()
        ):
            since, to = FROM_TO[target]
            since = since.capitalize() if text[first.start - len("de ")].isupper() else since
            found[-1] = Translated(first.start - len("de "), first.end, since + first.translated)
            preposition = to
        written = preposition + written
        found.append(Translated(*match.span(), as_capital(written, match.group())))
    return found
