"""Times of day, as each language writes them: 5:30 pm, 17h30, 17.30 Uhr; between English and German also in words.

A model leaves out what it does not know, so that 5:30 pm became 5:30, and takes *half past six* for *halb sechs*. What
may be a length of time stays with the model: *après 2 h de route*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from service.text.dates import NO_MONTH_BEFORE, ZONE
from service.text.translated import Translated

HOUR, MINUTE = r"(?P<hour>[01]?\d|2[0-4])", r"(?P<minute>[0-5]\d)"
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
FRENCH = re.compile(
    r"(?<![\w:.,$\u20ac\u00a3])(?:(?<!\d-)|(?<=h\d\d-)|(?<=h \d\d-))"
    rf"(?P<time>{HOUR}\s?h(?:eures\b)?(?:\s?{MINUTE})?)(?!\w|\s?/\s?(?:24|[a-z]))"
)
"""Hours, of which *24h/24* and *8h/jour* are none."""
_FRENCH_DAY = r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
FRENCH_BEFORE = re.compile(
    r"(?:\A|(?i:\b(?P<word>\u00e0|vers|d\u00e8s|avant|apr\u00e8s|entre|jusqu'\u00e0|(?:\u00e0 partir|au lieu) de|de"
    rf"|{_FRENCH_DAY}|demain|hier|aujourd'hui|matin|soir|midi),?\s))\Z"
)
FRENCH_LABEL = re.compile(
    r"(?i:\b(?:il (?:est|\u00e9tait|sera)(?: environ| presque| d\u00e9j\u00e0)?\s"
    r"|(?:d\u00e9parts?|arriv\u00e9es?|ouverture|fermeture|d\u00e9but|horaires?|rendez-vous|rdv"
    rf"|lun\.|mar\.|mer\.|jeu\.|ven\.|sam\.|dim\.|{_FRENCH_DAY})(?:\s?:)?\s))\Z"
)
"""What stands before a time of day only: *Il est 8 h*, *D\u00e9part : 8 h*."""
IT_IS = re.compile(r"(?<![\w'\u2019-])(?P<it>[Ii])l (?P<be>est|\u00e9tait|sera)\s\Z")
IT_IS_IN_ENGLISH = {"est": "t's", "\u00e9tait": "t was", "sera": "t will be"}
"""*Il est 8 h*, where models take *il* for *he*."""
FRENCH_OF = re.compile(
    r"\b(?i:les?|la|du|aux?|ce|cette|mon|ma|ton|ta|son|sa|notre|votre|leur|premier|dernier|prochain)\s"
    r"(?i:trains?|tgv|ter|rer|bus|cars?|avions?|vols?|ferry|bateau|navette|m\u00e9tro|tram|s\u00e9ances?|messe|journal|jt|infos"
    r"|r\u00e9union|cours|d\u00e9part|rendez-vous)\sde\s\Z"
)
"""What has a time of day behind *de*: *le train de 7h45*, not *un film de 1h30*."""
OF_LENGTHS = frozenset(("avant", "apr\u00e8s", "entre", "jusqu'\u00e0", "\u00e0"))
"""Words that stand before lengths of time, too: *jusqu'\u00e0 24 h avant*."""
LONGEST_LENGTH = 8
"""Behind those, so many full hours or fewer may be a length."""
FIRST_HOUR = 6
"""From then on hours with minutes are a time of day, if nothing around them says what they are."""
FRENCH_LENGTH = re.compile(
    r"\b(?i:(?:limit|r\u00e9dui)\w*|port(?:er|era|ant|\u00e9)\w{0,2})\s(?:(?!de\b)[^\W\d_]+\s)?\Z"
    r"|\b(?i:dur(?:e|\u00e9|ent|er|era|ait|ant))\w{0,3}\s(?:(?!de\b)[^\W\d_]+\s)?\Z|\b(?i:dur\u00e9e)\b[^.,;\d]*\Z"
)
"""What stands before a length of time: *limit\u00e9e \u00e0 2 h*, *dure entre 1 h et 2 h*, *dur\u00e9e : 2 h*."""
FRENCH_MAY_BE_LENGTH = re.compile(r"\b(?i:estim|fix|pass|dur|limit|r\u00e9dui|port\u00e9)\w*\s(?:[^\W\d_]+\s)?\Z")
"""The same of a few hours only: *estim\u00e9 \u00e0 2 h*, not *fix\u00e9 \u00e0 14 h*."""
FRENCH_AMOUNT = re.compile(
    r"\b(?i:en|dans|pendant|durant|environ|(?:plus|moins|pr\u00e8s|bout) de|toutes les|il y a|faut|fallu"
    r"|pr(?:end|is|\u00e9v)\w*|compte[rz]?|mis|met\w*|dorm\w*|dort|travaill\w*|march\w*|roul\w*|atten\w*|rest[e\u00e9]|perd\w*|gagn\w*)"
    r"\s(?:environ\s|presque\s|pr\u00e8s de\s|plus de\s|moins de\s|de\s)?\Z"
    r"|\b(?i:temps|cuisson|pr\u00e9paration|repos|trajet|total|retard|attente|vid\u00e9o|film)\b[^.,;\d]*\Z"
)
"""What stands before a length of time, or says that there is one: *en 7h30*, *Temps de cuisson : 7h30*."""
FRENCH_AFTER = re.compile(
    rf"\s(?:de(?! (?:l['\u2019]apr\u00e8s-midi|janvier|mars|avril|mai|juin|juillet|septembre|octobre)\b)"
    rf"|du(?! (?:{_FRENCH_DAY}|lun|mar|mer|jeu|ven|sam|dim|matin(?! au)|soir|1er|\d+)\b)|par|plus|moins|avant|pr\u00e8s"
    r"|en(?! (?:semaine|\u00e9t\u00e9|hiver|saison|continu)\b)|l'une|\u00e0 pied|et (?:quart|demie))\b|\sd'"
)
"""What stands behind a length of time, but not behind hours of opening: *de 9h \u00e0 19h du lundi au samedi*."""
FRENCH_PART = re.compile(r"\s(?:du |de l['\u2019])(?P<part>matin|soir|apr\u00e8s-midi)\b(?! au\b)")
"""The part of the day, which a time in 24 hours has in it."""
LINK = re.compile(r"\s(?:\u00e0|et|ou|bis|und)\s|\s?[-\u2013]\s?")
"""What joins two times of which both are times of day, or neither is."""
FRENCH_RANGE = re.compile(rf"(?:\s\u00e0\s|\s?[-\u2013]\s?)(?={FRENCH.pattern.replace('(?P<time>', '(?:')})")
"""What stands between the first and the last hour of a stretch of time."""
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
UHR = re.compile(r"\s?[Uu]hr\b(?!\s\d)")
AFTERNOON = dict.fromkeys(("nachmittags", "abends", "soir", "apr\u00e8s-midi"), range(1, 12))
AFTERNOON |= {"mittags": range(1, 6), "nachts": range(6, 12)}
"""The hours of each part of the day that are 12 hours later in 24 hours: *10 Uhr nachts* is 22:00."""
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
    return source in HINTS and target in HINTS and any(hint in text for hint in HINTS[source])


def times(text: str, source: str, target: str) -> list[Translated]:
    """The times of day of a `source` text, in order, as `target` writes them; none of languages that are not known."""
    if source not in FINDERS or target not in SIGNS:
        return []
    found = list(FINDERS[source](text))
    if may_have_words(text, source, target):
        words = [(match.span("time"), *_time_in_words(match, source)) for match in IN_WORDS[source].finditer(text)]
        found = [one for one in found if all(one[0][1] <= start or end <= one[0][0] for (start, end), *_ in words)]
        found += words
    return [_with_words(text, source, target, *each) for each in sorted(found)]


Found = tuple[tuple[int, int], int, int]
"""The code points of a time, its hour and its minute."""


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


def _french(text: str) -> Iterator[Found]:
    matches = list(FRENCH.finditer(text))
    if not matches:
        return
    are_times = [_is_time(match) for match in matches]
    links = [LINK.fullmatch(text, one.end("time"), other.start("time")) is not None for one, other in pairwise(matches)]
    for at, is_linked in enumerate(links):  # what one is the other is, too: from 9 h to 12 h
        if is_linked:
            follows = are_times[at] and FRENCH_AFTER.match(text, matches[at + 1].end()) is None
            are_times[at + 1] = follows and _may_follow(matches[at + 1])
    for at, is_linked in reversed(list(enumerate(links))):
        if is_linked and not are_times[at + 1]:
            are_times[at] = False
    last: tuple[str, int, int] | None = None
    found: list[Found] = []
    for match, is_time, is_linked in reversed(list(zip(matches, are_times, [*links, False], strict=True))):
        if is_time:
            start, end = match.span("time")
            hour, minute = int(match["hour"]), int(match["minute"] or 0)
            last = last if is_linked else None
            if part := FRENCH_PART.match(text, end):
                hour, end = _in_24_hours(hour, part["part"]), part.end()
                last = part["part"], hour, minute
            elif last:
                hour = _before(hour, minute, *last)
            found.append(((start, end), hour, minute))
    yield from reversed(found)


def _may_follow(match: re.Match[str]) -> bool:
    """Whether hours may be a time of day by what they are, and by the part of the day behind them."""
    part = FRENCH_PART.match(match.string, match.end())
    if part and (match["hour"] in ("12", "24") or (part["part"] != "matin" and "heures" in match["time"])):
        return False
    return match["hour"] != "24" or match["minute"] is not None


def _is_time(match: re.Match[str]) -> bool:
    """Whether hours of a French text are a time of day, not a length of time, by the words around them."""
    text, start = match.string[max(0, match.start() - MOST_BEFORE) : match.end()], min(match.start(), MOST_BEFORE)
    if FRENCH_AFTER.match(match.string, match.end()) or not _may_follow(match):
        return False
    if FRENCH_LABEL.search(text, 0, start) or FRENCH_PART.match(match.string, match.end()):
        return True
    hour, has_minute, are_words = int(match["hour"]), match["minute"] is not None, "heures" in match["time"]
    last = FRENCH_RANGE.match(match.string, match.end())
    before = FRENCH_BEFORE.search(text, 0, start)
    if before is None:
        return not are_words and _is_time_alone(text, start, match, last)
    word, is_few = (before["word"] or "").lower(), max(hour, int(last["hour"]) if last else 0) <= LONGEST_LENGTH
    is_length = word != "jusqu'à" and _is_length(text, start if word == "de" else before.start(), is_few)
    if word == "de" and last is None:  # le train de 7h45, not un film de 2 h
        return hour >= FIRST_HOUR and not are_words and FRENCH_OF.search(text, 0, start) is not None
    if word in OF_LENGTHS and not has_minute and is_few:
        return word == "à" and not is_length
    is_before = not are_words or has_minute or word in ("à", "vers", "dès", "jusqu'à") or " " in word
    is_amount = is_few and word == "de" and FRENCH_AMOUNT.search(text, 0, start) is not None
    return (is_before or word == "de") and not is_length and not is_amount


def _is_time_alone(text: str, start: int, match: re.Match[str], last: re.Match[str] | None) -> bool:
    """Whether hours that no word calls a time are one: 8h15, 9h-18h, and 19h behind a colon."""
    hour = int(match["hour"])
    is_likely = last is not None or text[:start].rstrip().endswith(":")
    is_likely = is_likely and max(hour, int(last["hour"]) if last else 0) > LONGEST_LENGTH
    is_likely = is_likely or (match["minute"] is not None and hour >= FIRST_HOUR)
    return is_likely and not _is_length(text, start, is_few=True) and FRENCH_AMOUNT.search(text, 0, start) is None


def _is_length(text: str, end: int, is_few: bool) -> bool:
    patterns = (FRENCH_LENGTH, FRENCH_MAY_BE_LENGTH) if is_few else (FRENCH_LENGTH,)
    return any(pattern.search(text, 0, end) for pattern in patterns)


def _in_24_hours(hour: int, part: str) -> int:
    return hour + 12 if hour in AFTERNOON.get(part, ()) else hour


def _before(hour: int, minute: int, part: str, last_hour: int, last_minute: int) -> int:
    """The hour of a time, in 24 hours, from which it goes on to the last one, whose part of the day is known."""
    first = _in_24_hours(hour, part)
    is_later = part != "nachts" and (first, minute) >= (last_hour, last_minute)
    return (first + 12) % 24 if is_later and hour < 12 else first


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
            hour = _before(hour, minute, part, _in_24_hours(last_hour, part), last_minute)
        elif not match["last"] and (behind or part):
            hour, minute = _in_24_hours(hour, part or ""), int(behind or minute)
            end = match.end("part") if part else match.end("behind")
        is_second = before and LINK.fullmatch(text, before.end("time"), match.start("time"))
        begins = begins if is_second else match.start()
        word = UHR.match(text, end)
        if word is not None and BEHIND.search(text[max(0, begins - MOST_BEFORE) : begins]) is None:
            end = word.end()
        yield (start, end), hour, minute
        before = match


FINDERS: dict[str, Callable[[str], Iterator[Found]]] = {"en": _english, "fr": _french, "de": _german}
MOST_BEFORE = 40
"""Code points before a time that say what it is."""


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
