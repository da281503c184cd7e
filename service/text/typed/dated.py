"""Days with words in place of what models do not see in them: German ones in digits (*am 12.3.*) get the month, short
English weekdays behind *next* and the like their whole name.

*Am 12.3. kommen wir* was taken for a proposal, *next Tues.* for a place.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import DIGIT

DAY = re.compile(
    r"\b[Aa]m (?:3[01]|[12]\d|0?[1-9])\.(?P<month>\s?(?P<number>1[0-2]|0?[1-9])"
    r"(?:\.(?!\s?[\d/\u2013-]|\s(?:bis|oder|sowie|und)\s(?:zum\s)?\d|\Z)|(?=\.\Z)))"
)
"""Without its year: a whole date comes out digit for digit. What ends the text keeps its full stop."""
FIRST_DAY = re.compile(
    r"\AAm (?:3[01]|[12]\d|0?[1-9])\.(?P<month>\s?(?P<number>1[0-2]|0?[1-9])\.\s?)(?=(?:19|20)\d\d\b(?![.:/-]\d))"
)
"""With its year, where a sentence begins: models lose the subject behind its digits."""
WEEKDAY = re.compile(
    r"\b(?:[Nn]ext|[Ll]ast|[Tt]his|[Ee]very) "
    r"(?P<day>(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b(?:\.(?=\s+[a-z\d]|,))?)"
    r"(?![-\u2013/'\u2019]|\s(?:to|and)\s[A-Z])"
)
HINTS = (" Mon", " Tue", " Wed", " Thu", " Fri", " Sat", " Sun")


def with_days(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with such days as words."""
    text = normalised.text
    if language == "de" and ("am " in text or "Am " in text) and DIGIT.search(text) is not None:
        found = [(match.span("month"), f" {_month(match)}") for match in DAY.finditer(text)]
        found += [(match.span("month"), f" {_month(match)} ") for match in FIRST_DAY.finditer(text)]
    elif language == "en" and any(map(text.__contains__, HINTS)):
        found = [(match.span("day"), _weekday(match["day"])) for match in WEEKDAY.finditer(text)]
    else:
        return normalised
    return replaced(normalised, [span for span, _ in found], [words for _, words in found]) if found else normalised


def _month(match: re.Match[str]) -> str:
    return MONTHS["de"][int(match["number"]) - 1]


def _weekday(short: str) -> str:
    return next(day for day in WEEKDAYS["en"] if day.startswith(short[:3]))
