"""Hours of French texts that are times of day, told from lengths of time by the words around them: *à 17h30*, not
*en 7h30*."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from service.text.expressions.day_parts import HOUR, LINK, MINUTE, MOST_BEFORE, Found, hour_before, in_24_hours

TIME = re.compile(
    r"(?<![\w:.,$\u20ac\u00a3])(?:(?<!\d-)|(?<=h\d\d-)|(?<=h \d\d-))"
    rf"(?P<time>{HOUR}\s?h(?:eures\b)?(?:\s?{MINUTE})?)(?!\w|\s?/\s?(?:24|[a-z]))"
)
"""Hours, of which *24h/24* and *8h/jour* are none."""
_DAY = r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
BEFORE = re.compile(
    r"(?:\A|(?i:\b(?P<word>\u00e0|vers|d\u00e8s|avant|apr\u00e8s|entre|jusqu'\u00e0|(?:\u00e0 partir|au lieu) de|de"
    rf"|pour|{_DAY}|demain|hier|aujourd'hui|matin|soir|midi),?\s))\Z"
)
LABEL = re.compile(
    r"(?i:\b(?:il (?:est|\u00e9tait|sera)(?: environ| presque| d\u00e9j\u00e0)?\s"
    r"|(?:d\u00e9parts?|arriv\u00e9es?|ouverture|fermeture|d\u00e9but|horaires?|rendez-vous|rdv"
    rf"|lun\.|mar\.|mer\.|jeu\.|ven\.|sam\.|dim\.|{_DAY})(?:\s?:)?\s))\Z"
)
"""What stands before a time of day only: *Il est 8 h*, *D\u00e9part : 8 h*."""
OF = re.compile(
    r"\b(?i:les?|la|du|aux?|ce|cette|mon|ma|ton|ta|son|sa|notre|votre|leur|premier|dernier|prochain)\s"
    r"(?i:trains?|tgv|ter|rer|bus|cars?|avions?|vols?|ferry|bateau|navette|m\u00e9tro|tram|s\u00e9ances?|messe|journal|jt|infos"
    r"|r\u00e9union|cours|d\u00e9part|rendez-vous)\sde\s\Z"
)
"""What has a time of day behind *de*: *le train de 7h45*, not *un film de 1h30*."""
VEHICLE = re.compile(
    r"(?:\b(?i:les?|du|aux?|ce|mon|ton|son|notre|votre|leur|premier|dernier|prochain)\s|\b(?i:l['\u2019]|cet\s))"
    r"(?i:trains?|tgv|ter|rer|bus|cars?|avions?|ferry|bateau|m\u00e9tro|tram)\sde\s\Z"
)
"""What has a time of day behind *de* at any hour: *l'avion de 2h*, *le train de 8h en courant*."""
READY = re.compile(r"\b(?i:de retour|pr\u00eate?s?|rentr\w+|rendez-vous|rdv)\spour\s\Z")
"""What has a time of day with minutes behind *pour*: *de retour pour 2h30*."""
OF_LENGTHS = frozenset(("avant", "apr\u00e8s", "entre", "jusqu'\u00e0", "\u00e0"))
"""Words that stand before lengths of time, too, where hours are few or the morning's: *jusqu'\u00e0 2 h*, not
*avant 7h*."""
LONGEST_LENGTH = 8
"""Behind those, so many full hours or fewer may be a length."""
FIRST_HOUR = 6
"""From then on hours with minutes are a time of day, if nothing around them says what they are."""
LENGTH = re.compile(
    r"\b(?i:(?:limit|r\u00e9dui)\w*|port(?:er|era|ant|\u00e9)\w{0,2})\s(?:(?!de\b)[^\W\d_]+\s)?\Z"
    r"|\b(?i:dur(?:e|\u00e9|ent|er|era|ait|ant))\w{0,3}\s(?:(?!de\b)[^\W\d_]+\s)?\Z|\b(?i:dur\u00e9e)\b[^.,;\d]*\Z"
)
"""What stands before a length of time: *limit\u00e9e \u00e0 2 h*, *dure entre 1 h et 2 h*, *dur\u00e9e : 2 h*."""
MAY_BE_LENGTH = re.compile(r"\b(?i:estim|fix|pass|dur|limit|r\u00e9dui|port\u00e9)\w*\s(?:[^\W\d_]+\s)?\Z")
"""The same of a few hours only: *estim\u00e9 \u00e0 2 h*, not *fix\u00e9 \u00e0 14 h*."""
AMOUNT = re.compile(
    r"\b(?i:en|dans|pendant|durant|environ|(?:plus|moins|pr\u00e8s|bout) de|toutes les|il y a|faut|fallu"
    r"|pr(?:end|is|\u00e9v)\w*|compte[rz]?|mis|met\w*|dorm\w*|dort|travaill\w*|march\w*|roul\w*|atten\w*|rest[e\u00e9]|perd\w*|gagn\w*)"
    r"\s(?:environ\s|presque\s|pr\u00e8s de\s|plus de\s|moins de\s|de\s)?\Z"
    r"|\b(?i:temps|cuisson|pr\u00e9paration|repos|trajet|total|retard|attente|vid\u00e9o|film)\b[^.,;\d]*\Z"
)
"""What stands before a length of time, or says that there is one: *en 7h30*, *Temps de cuisson : 7h30*."""
AFTER = re.compile(
    rf"\s(?:de(?! (?:l['\u2019]apr\u00e8s-midi|janvier|mars|avril|mai|juin|juillet|septembre|octobre)\b)"
    rf"|du(?! (?:{_DAY}|lun|mar|mer|jeu|ven|sam|dim|matin(?! au)|soir|1er|\d+)\b)|par|plus|moins|avant|pr\u00e8s"
    r"|en(?! (?:semaine|\u00e9t\u00e9|hiver|saison|continu|salle|visio|mairie|amphi|direct)\b)|l'une|\u00e0 pied"
    r"|et (?:quart|demie))\b|\sd'"
)
"""What stands behind a length of time, but not behind hours of opening: *de 9h \u00e0 19h du lundi au samedi*."""
LEAVES = re.compile(
    r"\b(?i:part\w{0,6}|d\u00e9parts?|quitt\w+|arriv\w+|d\u00e9coll\w+|rendez-vous)\s(?:[^\W\d_]+\s){0,2}\Z"
)
"""Before *\u00e0 7h45*: then *du quai 3* and *de la gare* say where from."""
PART = re.compile(r"\s(?:du |de l['\u2019])(?P<part>matin|soir|apr\u00e8s-midi)\b(?! au\b)")
"""The part of the day, which a time in 24 hours has in it."""
NOON = re.compile(r"\s(?:\u00e0|et)\s(?:midi|minuit)\b")
"""What stands behind the first hour only: *de 9 h \u00e0 midi*."""
RANGE = re.compile(rf"(?:\s(?:\u00e0|et)\s|\s?[-\u2013]\s?)(?={TIME.pattern.replace('(?P<time>', '(?:')})")
"""What stands between the first and the last hour of a stretch of time."""


def french_times(text: str) -> Iterator[Found]:
    """The times of day of a French text, in order."""
    last: tuple[str, int, int] | None = None
    found: list[Found] = []
    for match, is_time, is_linked in reversed(_told_apart(text)):
        if is_time:
            start, end = match.span("time")
            hour, minute = int(match["hour"]), int(match["minute"] or 0)
            last = last if is_linked else None
            if part := PART.match(text, end):
                hour, end = in_24_hours(hour, part["part"]), part.end()
                last = part["part"], hour, minute
            elif last:
                hour = hour_before(hour, minute, *last)
            found.append(((start, end), hour, minute))
    yield from reversed(found)


def are_times(text: str) -> set[int]:
    """Where the times of day of a French text begin that have an *h*."""
    return {match.start("time") for match, is_time, _ in _told_apart(text) if is_time}


def _told_apart(text: str) -> list[tuple[re.Match[str], bool, bool]]:
    """Hours of a text, in order, whether each is a time of day, and whether it is linked to the next one."""
    matches = list(TIME.finditer(text))
    are = [_is_time(match) for match in matches]
    links = [LINK.fullmatch(text, one.end("time"), other.start("time")) is not None for one, other in pairwise(matches)]
    for at, is_linked in enumerate(links):  # what one is the other is, too: from 9 h to 12 h
        if is_linked:
            follows = are[at] and AFTER.match(text, matches[at + 1].end()) is None
            are[at + 1] = follows and _may_follow(matches[at + 1])
    for at, is_linked in reversed(list(enumerate(links))):
        if is_linked and not are[at + 1]:
            are[at] = False
    return list(zip(matches, are, [*links, False], strict=False))


def _may_follow(match: re.Match[str]) -> bool:
    """Whether hours may be a time of day by what they are, and by the part of the day behind them."""
    part = PART.match(match.string, match.end())
    if part and (match["hour"] in ("12", "24") or (part["part"] != "matin" and "heures" in match["time"])):
        return False
    return match["hour"] != "24" or match["minute"] is not None


def _is_time(match: re.Match[str]) -> bool:
    """Whether hours of a French text are a time of day, not a length of time, by the words around them."""
    text, start = match.string[max(0, match.start() - MOST_BEFORE) : match.end()], min(match.start(), MOST_BEFORE)
    if not _may_follow(match):
        return False
    is_word = "heures" in match["time"]
    if not is_word and (VEHICLE.search(text, 0, start) or (match["minute"] and READY.search(text, 0, start))):
        return True
    if AFTER.match(match.string, match.end()):
        before = BEFORE.search(text, 0, start)
        return before is not None and before["word"] == "à" and LEAVES.search(text, 0, before.start()) is not None
    if LABEL.search(text, 0, start) or PART.match(match.string, match.end()) or NOON.match(match.string, match.end()):
        return True
    hour, has_minute, are_words = int(match["hour"]), match["minute"] is not None, "heures" in match["time"]
    last = RANGE.match(match.string, match.end())
    before = BEFORE.search(text, 0, start)
    if before is None:
        return not are_words and _is_time_alone(text, start, match, last)
    word, is_few = (before["word"] or "").lower(), max(hour, int(last["hour"]) if last else 0) <= LONGEST_LENGTH
    is_length = word != "jusqu'à" and _is_length(text, start if word == "de" else before.start(), is_few)
    if word == "de" and last is None:  # le train de 7h45, not un film de 2 h
        return hour >= FIRST_HOUR and not are_words and OF.search(text, 0, start) is not None
    if word in OF_LENGTHS and not has_minute and is_few:
        is_morning = hour >= FIRST_HOUR and AMOUNT.search(text, 0, before.start()) is None
        return (word == "à" or is_morning) and not is_length
    if word == "pour" and (is_few or last is not None):  # louer pour 3h, rendez-vous pour 19h
        return False
    is_before = not are_words or has_minute or word in ("à", "vers", "dès", "jusqu'à") or " " in word
    is_amount = is_few and word == "de" and AMOUNT.search(text, 0, start) is not None
    return (is_before or word == "de") and not is_length and not is_amount


def _is_time_alone(text: str, start: int, match: re.Match[str], last: re.Match[str] | None) -> bool:
    """Whether hours that no word calls a time are one: 8h15, 9h-18h, and 19h behind a colon."""
    hour = int(match["hour"])
    is_likely = last is not None or text[:start].rstrip().endswith(":")
    is_likely = is_likely and max(hour, int(last["hour"]) if last else 0) > LONGEST_LENGTH
    is_likely = is_likely or (match["minute"] is not None and hour >= FIRST_HOUR)
    return is_likely and not _is_length(text, start, is_few=True) and AMOUNT.search(text, 0, start) is None


def _is_length(text: str, end: int, is_few: bool) -> bool:
    patterns = (LENGTH, MAY_BE_LENGTH) if is_few else (LENGTH,)
    return any(pattern.search(text, 0, end) for pattern in patterns)
