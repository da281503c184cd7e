"""English ordinals of two words as numbers: *the twenty-fifth floor* is read as *the 25th floor*, and *World War II* as
*the Second World War*. Models know few of them, and write others or none: *im einundzwanzigsten Stock*.
"""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced

TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ONES = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th",
}  # fmt: skip
_ORDERED = r"anniversary|birthday|century|edition|floor|of|president|street|time|week|year"
ORDINAL = re.compile(
    rf"(?<![\w'-])(?<!\b[Oo]ne )(?<!\b[Aa] )(?<!\b[Tt]wo )(?<!\b[Tt]hree )(?P<tens>(?i:{'|'.join(TENS)}))[- ]"
    rf"(?P<ones>(?!second)(?:{'|'.join(ONES)})|second(?=\s(?:{_ORDERED})\b))(?![\w'-])"
)
"""No fraction (*one twenty-fifth*), and no number of seconds (*the thirty-second break*)."""
WAR = re.compile(
    r"(?:(?P<begins>\A)|(?<![\w-])(?:[Ii]n|[Dd]uring|[Aa]fter|[Bb]efore|[Ss]ince|[Uu]ntil|of|from|through|by|and) )"
    r"(?P<war>World War (?:(?P<first>I|1|One)|II|2|Two)|WW ?(?:(?P<one>I|1)|II|2))"
    r"(?=\s*(?:[.,;:!?)]|\Z)|\s(?:and|as|began|broke|but|ended|for|had|he|in|is|it|she|started|that|they|to|was|we|when)\b)"
)
"""One that is no adjective: *a WWII veteran*."""
HINTS = tuple(tens[2:] for tens in TENS)


def with_ordinals_as_numbers(normalised: NormalisedText, language: str) -> NormalisedText:
    """An English text with its ordinals from 21st to 99th in digits, but for those of whole tens, and the World Wars
    with theirs in words."""
    text = normalised.text
    if language != "en":
        return normalised
    if "WW" in text or "World War " in text:
        wars = list(WAR.finditer(text))
        normalised = replaced(normalised, [match.span("war") for match in wars], [_war(match) for match in wars])
        text = normalised.text
    if not any(map(text.__contains__, HINTS)):
        return normalised  # as most texts
    found = list(ORDINAL.finditer(text))
    written = [f"{TENS.index(match['tens'].lower()) + 2}{ONES[match['ones']]}" for match in found]
    return replaced(normalised, [match.span() for match in found], written) if found else normalised


def _war(match: re.Match[str]) -> str:
    which = "First" if match["first"] or match["one"] else "Second"
    return f"{'T' if match['begins'] is not None else 't'}he {which} World War"
