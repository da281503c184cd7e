"""Times of day, as each language writes them: 5:30 pm, 17h30, 17.30 Uhr; between English and German also in words.

A model leaves out what it does not know, so that 5:30 pm became 5:30, and takes *half past six* for *halb sechs*. What
may be a length of time stays with the model: *après 2 h de route*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from service.text.translated import Translated

HOUR, MINUTE = r"(?P<hour>[01]?\d|2[0-4])", r"(?P<minute>[0-5]\d)"
HALF = r"(?P<half>[AaPp])(?:[Mm]\b|\.\s?[Mm](?:\.(?!\s*\Z)|\b))(?!\sI\b)"
ENGLISH = re.compile(
    r"(?<![\w:.,$\u20ac\u00a3])(?<!\d-)(?:(?P<first>(?P<first_hour>1[0-2]|0?[1-9])(?:[:.](?P<first_minute>[0-5]\d))?)"
    r"(?:\s?[-\u2013]\s?|\s(?:to|and|or|until|till)\s))?"
    rf"(?P<time>(?P<hour>1[0-2]|0?[1-9])(?:[:.]{MINUTE})?\s?{HALF})"
)
"""A time of day, and the one before it that has the same *pm* or, where that would be later, the other half of the day:
*5 to 6 pm*, *9-5 pm*."""
FRENCH = re.compile(rf"(?<![\w:.,$\u20ac\u00a3])(?<!\d-)(?P<time>{HOUR}\s?h(?:eures\b|\s?{MINUTE})?)(?!\w)")
FRENCH_BEFORE = re.compile(
    r"(?:\A|(?i:\b(?P<word>\u00e0|vers|d\u00e8s|avant|apr\u00e8s|entre|jusqu'\u00e0|de|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|demain|hier|aujourd'hui|matin|soir|midi),?\s))\Z"
)
OF_LENGTHS = frozenset(("avant", "apr\u00e8s", "entre", "jusqu'\u00e0", "\u00e0"))
"""Words that stand before lengths of time, too: *jusqu'\u00e0 24 h avant*."""
LONGEST_LENGTH = 8
"""Behind those, so many full hours or fewer may be a length."""
FRENCH_LENGTH = re.compile(r"(?:limit|r\u00e9dui|port|estim|fix|dur|pass)\w*\s(?:[^\W\d_]+\s)?\Z")
"""What stands before a length of time: *limit\u00e9e \u00e0 2 h*, *dure entre 1 h et 2 h*."""
FRENCH_AFTER = re.compile(r"\s(?:de|du|par|plus|moins|avant|pr\u00e8s|en|l'une|\u00e0 pied|et (?:quart|demie))\b|\sd'")
FRENCH_LINK = re.compile(r"\s(?:\u00e0|et|ou)\s|\s?[-\u2013]\s?")
"""What joins two times of which both are times of day, or neither is."""
GERMAN = re.compile(
    r"(?<![\w:.,])(?<!halb )(?<!Halb )(?<!viertel nach )(?<!viertel vor )(?<!Viertel nach )(?<!Viertel vor )"
    rf"(?P<time>{HOUR}(?:[:.]{MINUTE})?)"
    r"(?=(?:(?:\s(?:bis|und)\s|\s?[-\u2013]\s?)\d\d?(?:[:.]\d\d)?)?\s?[Uu]hr\b"
    r"(?!\s(?:[0-5]\d\b|morgens|fr\u00fch|vormittags|mittags|nachmittags|abends|nachts)\b))"
)
"""It ends before *Uhr*, which models know how to translate behind a preposition: *um 8 Uhr*."""
BEHIND = re.compile(r"\b(?:um|gegen|ab|bis|von|nach|vor|seit|zwischen|kurz|oder)\s\Z", re.IGNORECASE)
"""Such prepositions. Elsewhere *Uhr* is a part of the time, as in *Mo 8:00-18:00 Uhr*."""
UHR = re.compile(r"\s?[Uu]hr\b(?!\s\d)")
GERMAN_LINK = re.compile(r"\s(?:bis|und)\s|\s?[-\u2013]\s?")
HOURS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
MINUTES = {
    "en": {"half past": 30, "a quarter past": 15, "quarter past": 15, "a quarter to": -15, "quarter to": -15},
    "de": {"halb": -30, "viertel nach": 15, "viertel vor": -15},
}
"""Minutes from an hour in words."""
_ANY_HOUR = {"en": "|".join(HOURS["en"]), "de": rf"{'|'.join(HOURS['de'])}|(?:1[0-2]|[1-9])(?:\sUhr\b)?"}
_PHRASES = {
    language: rf"(?P<time>(?P<phrase>(?i:{'|'.join(MINUTES[language])}))\s(?P<word>{hour}))\b"
    for language, hour in _ANY_HOUR.items()
}
IN_WORDS = {
    "en": re.compile(rf"\b{_PHRASES['en']}(?![-\u2019']|\s(?:of|people|[a-z]+(?<!thi)(?<!alway)s)\b)"),
    "de": re.compile(rf"(?<!\bein )(?<!\bEin )(?<!\bdrei )\b{_PHRASES['de']}(?![-\u2019']|\s[A-Z\u00c4\u00d6\u00dc])"),
}
"""A time in words, not a share: *a quarter to two of them*, *ein Viertel vor drei Monaten*. French has *six heures et
demie*, which models know from English."""
HINTS = {"en": ("alf past ", "uarter past ", "uarter to "), "de": ("alb ", "iertel ")}
"""One of these is in every text with a time in words."""
SIGNS = {"en": ":", "de": ":", "fr": "h"}
"""Between hour and minute."""


def may_have_words(text: str, source: str, target: str) -> bool:
    """Whether `text` may have a time in words that `times` finds, found quickly."""
    return source in HINTS and target in HINTS and any(hint in text for hint in HINTS[source])


def times(text: str, source: str, target: str) -> list[Translated]:
    """The times of day of a `source` text, in order, as `target` writes them; none of languages that are not known."""
    if source not in FINDERS or target not in SIGNS:
        return []
    sign = SIGNS[target]
    found = [Translated(*span, _written(hour, minute, sign)) for span, hour, minute in FINDERS[source](text)]
    if may_have_words(text, source, target):
        found += [
            Translated(*match.span("time"), _written(*_time_in_words(match, source), sign))
            for match in IN_WORDS[source].finditer(text)
        ]
    return sorted(found, key=lambda time: time.start)


Found = tuple[tuple[int, int], int, int]
"""The code points of a time, its hour and its minute."""


def _english(text: str) -> Iterator[Found]:
    for match in ENGLISH.finditer(text):
        hour = int(match["hour"]) % 12 + 12 * (match["half"] in "Pp")
        if match["first"]:
            first = int(match["first_hour"]) % 12 + 12 * (match["half"] in "Pp")
            first_minute = int(match["first_minute"] or 0)
            is_later = (first, first_minute) >= (hour, int(match["minute"] or 0))
            yield match.span("first"), (first + 12) % 24 if is_later else first, first_minute
        yield match.span("time"), hour, int(match["minute"] or 0)


def _french(text: str) -> Iterator[Found]:
    matches = list(FRENCH.finditer(text))
    are_times = [_is_time(match) for match in matches]
    links = [
        FRENCH_LINK.fullmatch(text, one.end("time"), other.start("time")) is not None
        for one, other in pairwise(matches)
    ]
    for at, is_linked in enumerate(links):  # what one is the other is, too: from 9 h to 12 h
        if is_linked:
            follows = are_times[at] and FRENCH_AFTER.match(text, matches[at + 1].end()) is None
            are_times[at + 1] = follows and _may_follow(matches[at + 1])
    for at, is_linked in reversed(list(enumerate(links))):
        if is_linked and not are_times[at + 1]:
            are_times[at] = False
    for match, is_time in zip(matches, are_times, strict=True):
        if is_time:
            yield match.span("time"), int(match["hour"]), int(match["minute"] or 0)


def _may_follow(match: re.Match[str]) -> bool:
    return match["hour"] != "24" or match["minute"] is not None


def _is_time(match: re.Match[str]) -> bool:
    """Whether hours of a French text are a time of day, not a length of time, by the words around them."""
    text, start = match.string[max(0, match.start() - MOST_BEFORE) : match.end()], min(match.start(), MOST_BEFORE)
    before = FRENCH_BEFORE.search(text, 0, start)
    if before is None or FRENCH_AFTER.match(match.string, match.end()) or not _may_follow(match):
        return False
    word = (before["word"] or "").lower()
    if word == "de":  # de 9 h à 12 h, not un film de 2 h
        rest = FRENCH_LINK.match(match.string, match.end())
        return rest is not None and FRENCH.match(match.string, rest.end()) is not None and not _is_length(text, start)
    if word in OF_LENGTHS and match["minute"] is None and int(match["hour"]) <= LONGEST_LENGTH:
        return word == "à" and not _is_length(text, before.start())
    if "heures" in match["time"]:
        return word in ("à", "vers", "dès", "jusqu'à") and not _is_length(text, before.start())
    return not _is_length(text, before.start())


def _is_length(text: str, end: int) -> bool:
    return FRENCH_LENGTH.search(text, 0, end) is not None


def _german(text: str) -> Iterator[Found]:
    before: re.Match[str] | None = None
    begins = 0
    for match in GERMAN.finditer(text):
        is_second = before and GERMAN_LINK.fullmatch(text, before.end("time"), match.start("time"))
        begins = begins if is_second else match.start()
        start, end = match.span("time")
        word = UHR.match(text, end)
        if word is not None and BEHIND.search(text[max(0, begins - MOST_BEFORE) : begins]) is None:
            end = word.end()
        yield (start, end), int(match["hour"]), int(match["minute"] or 0)
        before = match


FINDERS: dict[str, Callable[[str], Iterator[Found]]] = {"en": _english, "fr": _french, "de": _german}
MOST_BEFORE = 40
"""Code points before a time that say what it is."""


def _time_in_words(match: re.Match[str], language: str) -> tuple[int, int]:
    word = match["word"].split(" ")[0]
    hour = int(word) if word.isdigit() else HOURS[language].index(word) + 1
    minutes = 60 * hour + MINUTES[language][match["phrase"].lower()]
    return (minutes // 60 - 1) % 12 + 1, minutes % 60


def _written(hour: int, minute: int, sign: str) -> str:
    return f"{hour}{sign}" if sign.isalpha() and minute == 0 else f"{hour}{sign}{minute:02}"
