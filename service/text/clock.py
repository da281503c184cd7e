"""Times of day, as each language writes them: 5:30 pm, 17h30, 17.30 Uhr; between English and German also in words.

A model leaves out what it does not know, so that 5:30 pm became 5:30, and takes *half past six* for *halb sechs*. What
may be a length of time stays with the model: *après 2 h de route*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HOUR, MINUTE = r"(?P<hour>[01]?\d|2[0-4])", r"(?P<minute>[0-5]\d)"
FRENCH_BEFORE = (
    r"(?:\A|(?i:\b(?:\u00e0|vers|d\u00e8s|avant|apr\u00e8s|entre|jusqu'\u00e0|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|demain|hier|aujourd'hui|matin|soir|midi),?\s)|(?:(?<=h)|(?<=h\d\d))(?:\s(?:et|\u00e0)\s|\s?[-\u2013]\s?)"
    r"|\bde\s(?=\d\d?\s?h(?:\s?\d\d)?\s\u00e0\s))"
)
FRENCH_AFTER = r"(?!\w|\s(?:de|du|par|plus|moins)\b|\sd')"
TIMES = {
    "en": (
        re.compile(
            rf"(?<![\w:.,$\u20ac\u00a3-])(?P<time>(?P<hour>1[0-2]|0?[1-9])(?:[:.]{MINUTE})?\s?"
            r"(?P<half>[AaPp])(?:[Mm]\b|\.\s?[Mm](?:\.(?!\s*\Z)|\b)))"
        ),
    ),
    "fr": (
        re.compile(rf"{FRENCH_BEFORE}(?P<time>{HOUR}\s?h(?:\s?{MINUTE})?){FRENCH_AFTER}"),
        re.compile(rf"(?i:\b(?:\u00e0|vers|d\u00e8s|jusqu'\u00e0)\s)(?P<time>{HOUR}\sheures){FRENCH_AFTER}"),
    ),
    "de": (
        re.compile(
            rf"(?<![\w:.,])(?P<time>{HOUR}(?:[:.]{MINUTE})?)"
            r"(?=(?:(?:\s(?:bis|und)\s|\s?[-\u2013]\s?)\d\d?(?:[:.]\d\d)?)?\s?Uhr\b"
            r"(?!\s(?:morgens|fr\u00fch|vormittags|mittags|nachmittags|abends|nachts)\b))"
        ),
    ),
}
"""Times of day, by language. A German one ends before *Uhr*, which models know how to translate."""
HOURS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
MINUTES = {
    "en": {"half past": 30, "a quarter past": 15, "quarter past": 15, "a quarter to": -15, "quarter to": -15},
    "de": {"halb": -30, "viertel nach": 15, "viertel vor": -15},
}
"""Minutes from an hour in words."""
IN_WORDS = {
    language: re.compile(
        rf"\b(?P<time>(?P<phrase>(?i:{'|'.join(MINUTES[language])}))\s(?P<word>{'|'.join(HOURS[language])}))\b(?![-’'])"
    )
    for language in HOURS
}
"""A time in words. French has *six heures et demie*, which models know from English."""
HINTS = {"en": ("alf past ", "uarter past ", "uarter to "), "de": ("alb ", "iertel ")}
"""One of these is in every text with a time in words."""
SIGNS = {"en": ":", "de": ":", "fr": "h"}
"""Between hour and minute."""


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day in a text."""

    start: int
    end: int
    """The code points that it takes."""
    translated: str
    """As the other language writes it."""


def may_have_words(text: str, source: str, target: str) -> bool:
    """Whether `text` may have a time in words that `times` finds, found quickly."""
    return source in HINTS and target in HINTS and any(hint in text for hint in HINTS[source])


def times(text: str, source: str, target: str) -> list[Time]:
    """The times of day of a `source` text, in order, as `target` writes them; none of languages that are not known."""
    if source not in TIMES or target not in SIGNS:
        return []
    found = [
        Time(*match.span("time"), _written(*_time(match), SIGNS[target]))
        for pattern in TIMES[source]
        for match in pattern.finditer(text)
    ]
    if may_have_words(text, source, target):
        found += [
            Time(*match.span("time"), _written(*_time_in_words(match, source), SIGNS[target]))
            for match in IN_WORDS[source].finditer(text)
        ]
    return sorted(found, key=lambda time: time.start)


def _time(match: re.Match[str]) -> tuple[int, int]:
    """Hour and minute of a time in digits."""
    found = match.groupdict()
    hour = int(found["hour"])
    if half := found.get("half"):
        hour = hour % 12 + 12 * (half in "Pp")
    return hour, int(found.get("minute") or 0)


def _time_in_words(match: re.Match[str], language: str) -> tuple[int, int]:
    hour = HOURS[language].index(match["word"]) + 1
    minutes = 60 * hour + MINUTES[language][match["phrase"].lower()]
    return (minutes // 60 - 1) % 12 + 1, minutes % 60


def _written(hour: int, minute: int, sign: str) -> str:
    return f"{hour}{sign}" if sign.isalpha() and minute == 0 else f"{hour}{sign}{minute:02}"
