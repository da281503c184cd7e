"""Times of day, as each language writes them: 5:30 pm, 17h30, 17.30 Uhr; between English and German also in words.

A model leaves out what it does not know, so that 5:30 pm became 5:30, and takes *half past six* for *halb sechs*. What
may be a length of time stays with the model: *après 2 h de route*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from service.text.expressions.dates import NO_MONTH_BEFORE, ZONE
from service.text.expressions.day_parts import HOUR, LINK, MINUTE, MOST_BEFORE, Found, hour_before, in_24_hours
from service.text.expressions.dotted_clock import times_with_points
from service.text.expressions.english_clock import times_in_digits
from service.text.expressions.french_clock import french_times
from service.text.spans.stretches import Translated

HALF = r"(?P<half>[AaPp])(?:[Mm]\b|\.\s?[Mm](?:\.(?!\s*\Z)|\b))(?!\sI\b)"
ENGLISH = re.compile(
    rf"(?<![\w:.,$\u20ac\u00a3])(?<!\d-)(?:{NO_MONTH_BEFORE}(?P<first>(?P<first_hour>1[0-2]|0?[1-9])(?:[:.](?P<first_minute>[0-5]\d))?)"
    r"(?:\s?[-\u2013]\s?|\s(?:to|and|or|until|till)\s))?"
    rf"(?P<time>(?P<hour>1[0-2]|0?[1-9])(?:[:.]{MINUTE})?\s?{HALF})"
)
"""A time of day, and the one before it that has the same *pm* or, where that would be later, the other half of the day:
*5 to 6 pm*, *9-5 pm*."""
ZONE_BEHIND = re.compile(rf"\s(?:\({ZONE}\)|{ZONE})")
"""A time zone behind a time of day, which models leave out: *6 pm EST*."""
IT_IS = re.compile(r"(?<![\w'\u2019-])(?P<it>[Ii])l (?P<be>est|\u00e9tait|sera)\s\Z")
IT_IS_IN_ENGLISH = {"est": "t's", "\u00e9tait": "t was", "sera": "t will be"}
"""*Il est 8 h*, where models take *il* for *he*."""
GERMAN = re.compile(
    r"(?<![\w:.,])(?<![Hh]alb )(?<!iertel )(?<!iertel nach )(?<!iertel vor )"
    rf"(?P<time>{HOUR}(?:[:.]{MINUTE})?)"
    r"(?=(?:(?:\s(?:bis|und)\s|\s?[-\u2013]\s?)(?P<last>(?P<last_hour>\d\d?)(?:[:.](?P<last_minute>\d\d))?))?\s?[Uu]hr\b"
    r"(?:\s(?P<behind>[0-5]\d)(?![\w%\u20ac]|[-:.,\u2013]\d|\s?[%\u20ac]|\s(?:[A-Z\u00c4\u00d6\u00dc]|(?:km|kg|m|g|l)\b)))?(?!\s[0-5]\d\b)"
    r"(?P<rest>\s(?P<part>morgens|fr\u00fch|vormittags|mittags|nachmittags|abends|nachts)\b)?)"
)
"""It ends before *Uhr*, which models know how to translate behind a preposition: *um 8 Uhr*. Minutes behind that word
and the part of the day belong to the time: *um 8 Uhr 30*, *um 8 Uhr abends*."""
BEHIND = re.compile(r"\b(?:um|gegen|ab|bis|von|nach|vor|seit|zwischen|kurz|oder)\s\Z", re.IGNORECASE)
"""Such prepositions. Elsewhere *Uhr* is a part of the time, as in *Mo 8:00-18:00 Uhr*."""
FROM, TO = re.compile(r"\bfrom\s\Z"), re.compile(r"\s(?:to|until|till)\s")
"""Around the first of two English times. A sentence that begins with them needs its verb behind them in German."""
UHR = re.compile(r"\s?[Uu]hr\b(?!\s\d)")
HOURS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
}
MINUTES = {
    "en": {"half past": 30, "a quarter past": 15, "quarter past": 15, "a quarter to": -15, "quarter to": -15},
    "de": {"halb": -30, "viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "drei viertel": -15},
}
"""Minutes from an hour in words."""
_ANY_HOUR = {"en": "|".join(HOURS["en"]), "de": rf"{'|'.join(HOURS['de'])}|(?:1[0-2]|[1-9])(?:\sUhr\b)?"}
_COUNT = (
    rf"(?:(?P<count>(?i:{'|'.join(HOURS['de'])})|1[0-4]|[1-9])\s(?:Minuten\s)?(?P<side>vor|nach)\s"
    r"(?=[Hh]alb\b|[Dd]reiviertel\b))?"
)
"""Minutes before or after those: *f\u00fcnf nach halb drei* is 2:35."""
_PHRASES = {
    language: rf"(?P<time>{_COUNT if language == 'de' else ''}(?P<phrase>(?i:{'|'.join(MINUTES[language])}))"
    rf"\s(?P<word>{hour}))\b"
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
    return source in HINTS and target in HINTS and any(map(text.__contains__, HINTS[source]))


def times(text: str, source: str, target: str) -> list[Translated]:
    """The times of day of a `source` text, in order, as `target` writes them; none of languages that are not known."""
    if source not in FINDERS or target not in SIGNS:
        return []
    found = list(FINDERS[source](text))
    if (source, target) == ("en", "fr"):
        found += times_in_digits(text)
    if may_have_words(text, source, target):
        words = [(match.span("time"), *_time_in_words(match, source)) for match in IN_WORDS[source].finditer(text)]
        found = [one for one in found if all(one[0][1] <= start or end <= one[0][0] for (start, end), *_ in words)]
        found += words
    written = [_with_words(text, source, target, *each) for each in sorted(found)]
    return _as_stretches_of_time(text, written) if (source, target) == ("en", "de") else written


def _as_stretches_of_time(text: str, found: Sequence[Translated]) -> list[Translated]:
    """The German times of an English text, two with *from* and *to* as one, of which models change the order."""
    joined: list[Translated] = []
    for each in found:
        before = joined[-1] if joined else None
        preposition = before and FROM.search(text, max(0, before.start - MOST_BEFORE), before.start)
        if before and preposition and TO.fullmatch(text, before.end, each.start) and each.translated[-1].isdigit():
            german = f"von {before.translated} bis {each.translated} Uhr"
            joined[-1] = Translated(preposition.start(), each.end, german)
        else:
            joined.append(each)
    return joined


def _with_words(text: str, source: str, target: str, span: tuple[int, int], hour: int, minute: int) -> Translated:
    """A time as `target` writes it, with the words around it that models lose."""
    (start, end), written = span, _written(hour, minute, SIGNS[target])
    if source == "en" and (zone := ZONE_BEHIND.match(text, end)):
        return Translated(start, zone.end(), f"{written}{' Uhr' if target == 'de' else ''}{zone.group()}")
    if (source, target) == ("fr", "en") and (it := IT_IS.search(text, max(0, start - MOST_BEFORE), start)):
        return Translated(it.start(), end, f"{it['it']}{IT_IS_IN_ENGLISH[it['be']]} {written}")
    return Translated(start, end, written)


def _english(text: str) -> Iterator[Found]:
    for match in ENGLISH.finditer(text):
        hour = int(match["hour"]) % 12 + 12 * (match["half"] in "Pp")
        if match["first"]:
            first = int(match["first_hour"]) % 12 + 12 * (match["half"] in "Pp")
            first_minute = int(match["first_minute"] or 0)
            is_later = (first, first_minute) >= (hour, int(match["minute"] or 0))
            yield match.span("first"), (first + 12) % 24 if is_later else first, first_minute
        yield match.span("time"), hour, int(match["minute"] or 0)
    yield from times_with_points(text)


def _german(text: str) -> Iterator[Found]:
    before: re.Match[str] | None = None
    begins = 0
    for match in GERMAN.finditer(text):
        part, behind = match["part"], match["behind"]
        hour, last_hour = int(match["hour"]), int(match["last_hour"] or match["hour"])
        if (behind and not (match["last"] or match["time"]).isdigit()) or (part and last_hour in (12, 24)):
            continue  # 12 Uhr nachts is 0:00, and 12 Uhr mittags has a word of its own
        minute, (start, end) = int(match["minute"] or 0), match.span("time")
        if match["last"] and part:
            last_minute = int(behind or match["last_minute"] or 0)
            hour = hour_before(hour, minute, part, in_24_hours(last_hour, part), last_minute)
        elif not match["last"] and (behind or part):
            hour, minute = in_24_hours(hour, part or ""), int(behind or minute)
            end = match.end("part") if part else match.end("behind")
        is_second = before and LINK.fullmatch(text, before.end("time"), match.start("time"))
        begins = begins if is_second else match.start()
        word = UHR.match(text, end)
        if word is not None and BEHIND.search(text[max(0, begins - MOST_BEFORE) : begins]) is None:
            end = word.end()
        yield (start, end), hour, minute
        before = match


FINDERS: dict[str, Callable[[str], Iterator[Found]]] = {"en": _english, "fr": french_times, "de": _german}


def _time_in_words(match: re.Match[str], language: str) -> tuple[int, int]:
    word = match["word"].split(" ")[0]
    hour = int(word) if word.isdigit() else HOURS[language].index(word) + 1
    minutes = 60 * hour + MINUTES[language][match["phrase"].lower()]
    groups = match.groupdict()
    if count := (groups.get("count") or "").lower():
        more = int(count) if count.isdigit() else HOURS[language].index(count) + 1
        minutes += more if groups["side"] == "nach" else -more
    return (minutes // 60 - 1) % 12 + 1, minutes % 60


def _written(hour: int, minute: int, sign: str) -> str:
    return f"{hour}{sign}" if sign.isalpha() and minute == 0 else f"{hour}{sign}{minute:02}"
