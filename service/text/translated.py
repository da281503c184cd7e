"""Stretches that a rule translates, not the model: times of day (`service/text/clock.py`), *etc.*, decades, weekdays
from one to another, ordinal numbers, post office boxes.

Corpora of sentences hardly have them, so that models leave them out or leave them as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress

from model_store.contract.calendar import MONTHS
from service.text.fixed import free

ET_CETERA = re.compile(r"\b(?:etc|usw)\b(?:\.(?=[\s,;)]*[^\s,;)]))?")
"""With its full stop, unless that ends the text."""
WRITTEN = {"en": "etc", "fr": "etc", "de": "usw"}
YEARS = r"(?P<decade>(?:1[6-9]|20)\d0)"
DECADE = {
    "en": re.compile(
        rf"(?<![-\w])(?:(?P<before>[Ii]n|[Oo]f|[Dd]uring|[Ss]ince) )?(?P<the>[Tt]he) {YEARS}s\b(?!-)"
        r"(?(before)|(?=[.,;!?)]|\Z| (?:and|or|was|were|had|are|to)\b))"
    ),
    "fr": re.compile(rf"\bann\u00e9es {YEARS}\b(?!\s?[-\u2013]| (?:et|ou) \d)"),
    "de": re.compile(rf"\b{YEARS}(?:er[- ]Jahren?|ern)\b"),
}
"""One that stands before a noun is left alone: *a 1960s car*."""
BEFORE_DECADE = {
    "fr": {
        "in": "dans les", "of": "des", "during": "pendant les", "since": "depuis les", "the": "les",
    },
    "de": {
        "in": "in den", "of": "der", "during": "w\u00e4hrend der", "since": "seit den", "the": "die",
    },
}  # fmt: skip
"""Prepositions with the article behind them, which agrees with what the decade becomes."""
DAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "fr": ("lun", "mar", "mer", "jeu", "ven", "sam", "dim"),
    "de": ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
}
_ANY = {language: "|".join(names) for language, names in DAYS.items()}
STOP = r"(?:\.(?=[,)]|\s+[a-z\u00df-\u00ff\d]))?"
"""A full stop that does not end the sentence."""
TO = {"en": " to ", "fr": " au ", "de": " bis "}
FROM_TO = {
    "en": re.compile(
        rf"(?<!-)\b(?:[Ff]rom )?(?P<first>{_ANY['en']})(?:s|rs?)?\.?(?:\s?[-\u2013\u2014]\s?|\sto\s)"
        rf"(?P<last>{_ANY['en']})(?:s|rs?)?\b{STOP}"
    ),
    "fr": re.compile(
        r"(?<!-)\b(?:(?P<du>[Dd]u )?(?P<first>[Ll]un|[Mm]ar|[Mm]er|[Jj]eu|[Vv]en|[Ss]am|[Dd]im))(?P<stop>\.)?"
        rf"(?:\s?[-\u2013\u2014]\s?|\sau\s)(?P<last>(?i:{_ANY['fr']}))\b"
        rf"(?(du)|(?(stop)|(?<=lun.ven)))(?!\s?-){STOP}"
    ),
    "de": re.compile(
        rf"(?<!-)\b(?:[Vv]on )?(?P<first>{_ANY['de']})\.?(?:\s?[-\u2013\u2014]\s?|\sbis\s)"
        rf"(?P<last>{_ANY['de']})\b{STOP}"
    ),
}
"""French days without a full stop are words, too: *une mer*, *le jeu*."""
ORDINAL = re.compile(
    r"(?:(?<=\b(?:la|le|au|du|un|ma|sa|ta|ce) )|(?<=\b(?:une|mon|son|ton|les|des|aux) ))"
    rf"(?P<number>[1-9]\d{{0,2}})(?:er|re|\u00e8re|e|\u00e8me|nde?)\b(?![-\u2013.,]\w|\s(?:{'|'.join(MONTHS['fr'])}))"
)
"""A French one behind an article, but for the days of dates; *20e* by itself may be an amount."""
BOX_NUMBER = r"\s?(?P<number>\d(?:\d| (?=\d))*)\b"
BOX = {
    "en": re.compile(rf"\b(?:P\.\s?O\.|PO|Post Office)\s?[Bb]ox{BOX_NUMBER}"),
    "fr": re.compile(rf"\b(?:B\.\s?P\.|BP|[Bb]o\u00eete postale){BOX_NUMBER}"),
    "de": re.compile(rf"\bPostfach{BOX_NUMBER}"),
}
WRITTEN_BOX = {"en": "P.O. Box", "fr": "BP", "de": "Postfach"}
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class Translated:
    """A stretch of a text."""

    start: int
    end: int
    """The code points that it takes."""
    translated: str
    """As the other language writes it."""


def may_have_translated(text: str, source: str) -> bool:
    """Whether a `source` text without digits may have something that `translated` finds, found quickly."""
    if "etc" in text or "usw" in text:
        return True
    if "-" not in text and TO.get(source, "-") not in text:
        return False
    return source in DAYS and any(map(text.__contains__, DAYS[source]))


def translated(text: str, source: str, target: str) -> list[Translated]:
    """What a rule translates of a `source` text, but for times of day; none of languages that are not known."""
    if source == target or not {source, target} <= WRITTEN.keys():
        return []
    found: list[Translated] = []
    if "etc" in text or "usw" in text:
        found += _found(ET_CETERA, text, lambda match: WRITTEN[target] + "." * match.group().endswith("."))
    if "0" in text:
        found += _found(DECADE[source], text, lambda match: _decade(match, target))
    if any(map(text.__contains__, DAYS[source])):
        found += _found(FROM_TO[source], text, lambda match: _days(match, source, target))
    if any(map(str.isdigit, text)):
        found += _found(BOX[source], text, lambda match: f"{WRITTEN_BOX[target]} {match['number']}")
    if (source, target) == ("fr", "en"):
        found += _found(ORDINAL, text, lambda match: _ordinal(int(match["number"])))
    return list(compress(found, free(text, [(each.start, each.end) for each in found])))


def _found(pattern: re.Pattern[str], text: str, written: Callable[[re.Match[str]], str]) -> list[Translated]:
    return [Translated(*match.span(), written(match)) for match in pattern.finditer(text)]


def _decade(match: re.Match[str], target: str) -> str:
    decade, words = match["decade"], match.groupdict()
    if target == "en":
        return f"{decade}s"
    before, article = words.get("before"), words.get("the")
    is_dative = article is None or (before or "").lower() in ("in", "since")
    written = f"ann\u00e9es {decade}" if target == "fr" else f"{decade}er-Jahre{'n' if is_dative else ''}"
    if article is None:
        return written
    first = before or article
    written = f"{BEFORE_DECADE[target][first.lower()]} {written}"
    return written[0].upper() + written[1:] if first[0].isupper() else written


def _days(match: re.Match[str], source: str, target: str) -> str:
    names = [name.lower() for name in DAYS[source]]
    first, last = (DAYS[target][names.index(match[each].lower())] for each in ("first", "last"))
    if target != "fr":
        return f"{first}\u2013{last}"
    is_stopped = match.string[match.end() : match.end() + 1] == "."
    return f"{first}.\u2013{last}{'' if is_stopped else '.'}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"
