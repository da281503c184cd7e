"""Two dates that belong together, in German: *from Monday 3 to Wednesday 5 June*, *on Tuesday 9 and Thursday 11 May*.

Models of German lose the second one, or write its number behind the verb, where weekdays, ordinals, dashes or months
come before days.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.spans.stretches import Translated

_MONTH = rf"(?:{'|'.join(MONTHS['en'])}|(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_WEEKDAY = "|".join(WEEKDAYS["en"])
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?![\d:]|[.,]\d)(?:st|nd|rd|th)?"
_YEAR = r",? (?P<year{0}>(?:1[0-9]|20)\d\d)\b(?![.:]\d)"
_DATE = (
    rf"(?:(?P<weekday{{0}}>{_WEEKDAY}),? )?(?:(?:the )?(?P<day{{0}}>{_DAY})(?:(?: of)? (?P<month{{0}}>{_MONTH}))?"
    rf"|(?P<monthb{{0}}>{_MONTH}) (?P<dayb{{0}}>{_DAY}))(?:{_YEAR})?"
)
"""A day of a month, of which either may be first; the month may be left to the other date."""
PAIR = re.compile(
    r"(?:\b(?P<before>[Ff]rom|[Bb]etween|[Oo]n) |(?<![\w.,:/$\u20ac\u00a3+-])(?<!\d )(?<!\d, ))"
    rf"{_DATE.format(1)}(?:,? (?P<link>to|until|till|through|and|or) |\s?(?P<dash>[-\u2013])\s?)(?:on )?"
    rf"{_DATE.format(2)}\b"
    r"(?![-\u2013/:'\u2019]\w|[.,]\d| (?:be|have|not|only)\b)"
)
MAY_HAVE = re.compile(rf"day,? (?:the )?\d|\d(?:st|nd|rd|th)\b|{_MONTH} \d|\d\s?[-\u2013]\s?\d\d? [A-Z]")
"""What is in every text with one that models do not write rightly: weekdays, ordinals, months before days, dashes."""
DETERMINER = re.compile(r"\b(?i:the|an?|our|your|this|that|these|those|next|last|each|every)\s\Z")
"""What makes a noun's attribute of them: *the 3-5 June meeting*."""
ALONE = re.compile(r"(?:\A|[\n.!?:;,(|\u2022\u2013\u2014-])\s*\Z")
"""What stands before a heading or a cell, which have no preposition."""
MOST_BEFORE = 12
"""Code points before a pair that are looked at."""
_DIGITS = re.compile(r"\d+")


def date_ranges(text: str, source: str, target: str) -> list[Translated]:
    """The pairs of dates of an English text as German writes them; none of other languages."""
    if (source, target) != ("en", "de") or MAY_HAVE.search(text) is None:
        return []
    return [
        Translated(*match.span(), written) for match in PAIR.finditer(text) if (written := _written(match)) is not None
    ]


def _written(match: re.Match[str]) -> str | None:
    """The German of a match of PAIR; None where it is none, or a model knows it."""
    months = [_month(match, which) for which in (1, 2)]
    if months[1] is None and match["monthb1"] is not None:
        months.reverse()  # June 3 to 5
    if months[1] is None or not (match["weekday1"] or match["monthb1"] or match["dash"] or not match["day1"].isdigit()):
        return None
    before, link = match["before"] or "", match["link"] or "to"
    text = match.string[max(0, match.start() - MOST_BEFORE) : match.start()]
    if before[:1].isupper() or DETERMINER.search(text):
        return None  # a model turns the sentence round behind it
    first, second = (_date(match, which, month) for which, month in zip((1, 2), months, strict=True))
    comma = "," if match["weekday1"] else ""
    if (before, link) in (("on", "and"), ("on", "or")):
        return f"am {first}{comma} {'und' if link == 'and' else 'oder'} {second}"
    if (before, link) == ("between", "and"):
        article = "" if match["weekday1"] else "dem "
        return f"zwischen {article}{first}{comma} und {article if months[0] else ''}{second}"
    if before in ("between", "on") or link in ("and", "or"):
        return None
    if before or not ALONE.search(text):
        return f"{'von' if match['weekday1'] else 'vom'} {first}{comma} bis {second}"
    if match["weekday1"] or match["link"]:
        return f"{first}{comma} bis {second}"
    return f"{first} \u2013 {second}" if months[0] else f"{first}\u2013{second}"


def _date(match: re.Match[str], which: int, month: str | None) -> str:
    day, weekday, year = match[f"day{which}"] or match[f"dayb{which}"], match[f"weekday{which}"], match[f"year{which}"]
    parts = [f"{int(_DIGITS.match(day).group())}.", month, year]  # type: ignore[union-attr]
    date = " ".join(part for part in parts if part)
    return f"{WEEKDAYS['de'][WEEKDAYS['en'].index(weekday)]}, {date}" if weekday else date


def _month(match: re.Match[str], which: int) -> str | None:
    """The German month of one of the dates."""
    name = match[f"month{which}"] or match[f"monthb{which}"]
    if name is None:
        return None
    at = next(at for at, month in enumerate(MONTHS["en"]) if month.startswith(name.rstrip(".")[:3]))
    return MONTHS["de"][at]
