"""Short names of weekdays, from one to another or where they certainly are none of the words that look like them.

A model takes *Wed* for a wedding, *mer.* for the sea and *Do* for *there*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from model_store.contract.calendar import MONTHS
from service.text.expressions.dates import SHORT_MONTHS

DAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "fr": ("lun", "mar", "mer", "jeu", "ven", "sam", "dim"),
    "de": ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
}
DAY = {
    "en": r"(?:Mons?|Tues?|Weds?|Thu(?:rs?)?|Fris?|Sats?|Sun)\b",
    "fr": r"(?:[Ll]un|[Mm]ar|[Mm]er|[Jj]eu|[Vv]en|[Ss]am|[Dd]im)\b",
    "de": r"(?:M[oi]|D[io]|Fr|S[ao])\b",
}
"""A short weekday, without a full stop."""
RANGE = {
    "en": r"\s?[-\u2013\u2014]\s?|\sto\s",
    "fr": r"\s?[-\u2013\u2014]\s?|\sau\s",
    "de": r"\s?[-\u2013\u2014]\s?|\sbis\s",
}
"""What stands between the first weekday of a range and the last."""
LINKS = {
    "en": {"and": "and", "or": "or"},
    "fr": {"et": "and", "ou": "or"},
    "de": {"und": "and", "u.": "and", "oder": "or"},
}
"""Words between the weekdays of a list, in English."""
WRITTEN_WORDS = {"en": {"and": "and", "or": "or"}, "fr": {"and": "et", "or": "ou"}, "de": {"and": "und", "or": "oder"}}
MONTH = {language: rf"(?:{'|'.join(MONTHS[language])}|{short})\b" for language, short in SHORT_MONTHS.items()}
_WORDS = {language: "|".join(map(re.escape, links)) for language, links in LINKS.items()}
_NO_WORD = r"(?!(?<=,\s)So\s(?!(?:und|bis|oder|geschlossen)\b|(?:von|ab)\s\d)[a-z\u00df-\u00ff])"
"""Not *So* in *Mo-Fr, So ist es*."""
RUN = {
    language: re.compile(
        rf"\b{day}(?:\.?(?:{RANGE[language]}|\s?[,/+&]\s?|,?\s(?:{_WORDS[language]})\s){_NO_WORD}{day})*"
        rf"(?:\.(?=\s?[,)&+/:]|\s+(?:[a-z\u00df-\u00ff\d(]|{MONTH[language]}\.?\s\d)))?"
    )
    for language, day in DAY.items()
}
"""One weekday or several, with a full stop that does not end the sentence."""
PIECE = {
    language: re.compile(
        rf"(?P<day>{day})\.?|(?P<range>{RANGE[language]})|,?\s(?P<word>{_WORDS[language]})\s|(?P<sign>\s?[,/+&]\s?)"
    )
    for language, day in DAY.items()
}
"""A weekday of a run, or what stands between two."""
ON = {
    "en": re.compile(r"\b[Oo]n \Z"),
    "fr": re.compile(
        r"(?<!\bpour )(?<!\bavant )(?<!\bapr\u00e8s )(?<!\bd\u00e8s )(?<!\bdepuis )(?<!\bvers )(?<!\bentre )(?<!\bici )"
        r"(?<!\bet )(?<!\bou )(?<!\bque )(?<!\best )(?<!\bsera )\b[Ll]e \Z"
    ),
    "de": re.compile(r"\b[Aa]m \Z"),
}
"""A word before a weekday that is translated with it."""
WRITTEN_ON = {"en": "on ", "fr": "le ", "de": "am "}
FROM = {"en": re.compile(r"\b[Ff]rom \Z"), "fr": re.compile(r"\b[Dd]u \Z"), "de": re.compile(r"\b[Vv]on \Z")}
"""A word before a range that is not translated."""
HINTS = {
    "en": DAYS["en"],
    "fr": (
        "lun", "Lun", "dim", "Dim", "mar.", "Mar.", "mer.", "Mer.", "jeu.", "Jeu.", "ven.", "Ven.", "sam.", "Sam.",
        "mar au", "mer au", "jeu au", "ven au", "sam au",
    ),
    "de": DAYS["de"],
}  # fmt: skip
"""One of these is in every text with a short weekday and without digits."""
_D_M = r"\d\d?/\d\d?(?:/\d\d(?:\d\d)?)?(?![\w/%])|\d{4}-\d\d-\d\d\b"
DATE = {
    "en": rf",?\s\(?(?:the\s)?(?:\d\d?(?:st|nd|rd|th)?(?:\sof)?[\s-]{MONTH['en']}|{MONTH['en']}\.?\s\d\d?(?!\d)"
    rf"|{_D_M}|\d\d?\.\d\d?\.)",
    "fr": rf",?\s\(?(?:le\s)?(?:(?:1er|\d\d?)\s{MONTH['fr']}|{_D_M}|\d\d?\.\d\d?\.)",
    "de": rf",?\s\(?(?:den\s|dem\s)?(?:\d\d?\.\s?{MONTH['de']}|{_D_M}|\d\d?\.[01]?\d\.(?:\d\d|(?!\d)))",
}
"""A day and a month behind a weekday."""
_HOURS = r"\d\d?(?:[:.]\d\d)?(?:\s?[-\u2013]\s?|\s(?:to|bis|und)\s)\d\d?(?:[:.]\d\d)?"
TIME = {
    "en": rf"[,:]?\s\(?(?:at\s|from\s|@\s?)?(?:\d\d?:\d\d\b|(?:{_HOURS}|\d\d?(?:\.\d\d)?)\s?[AaPp]\.?[Mm]\b"
    rf"|{_HOURS}(?=\s*(?:[,;.)]|\Z)))",
    "fr": r"\s?[,:]?\s\(?(?:de\s|\u00e0\s|d\u00e8s\s|\u00e0 partir de\s)?\d\d?(?:\s?h(?:eures\b|\d\d\b|\b)|:\d\d\b)",
    "de": rf"[,:]?\s\(?(?:von\s|ab\s|um\s|bis\s)?(?:\d\d?:\d\d\b|(?:{_HOURS}|\d\d?(?:\.\d\d)?)\s?Uhr\b"
    rf"|{_HOURS}(?=\s*(?:[,;.)]|\Z)))",
}
"""A time of day behind a weekday."""
_ENDS = r"(?=\s*(?:[.,;!)]|\Z))"
CLOSED = {
    "en": r"\s?[:=\u2013-]?\s\(?[Cc]losed\b(?!\s(?:an?|the|its?|their|his|her|our|my|down|with|in)\b)",
    "fr": r"\s?[:=\u2013-]?\s\(?[Ff]erm\u00e9",
    "de": rf"\s?[:=\u2013-]?\s\(?(?:[Gg]eschlossen\b{_ENDS}|Ruhetag\b)",
}
AFTER = {language: re.compile(f"{DATE[language]}|{TIME[language]}|{CLOSED[language]}") for language in DAYS}
"""What stands behind a weekday only."""
_YEAR = r"(?:,?\s(?P<year>\d{4})\b(?!\s?[-\u2013:.]\d))?"
WHOLE_DATE = {
    "en": re.compile(
        rf",?\s(?:the\s)?(?:(?P<day>\d\d?)(?:st|nd|rd|th)?(?:\sof)?[\s-](?P<month>{MONTH['en']})"
        rf"|(?P<first_month>{MONTH['en']})\.?\s(?P<second_day>\d\d?)(?:st|nd|rd|th)?\b)(?!\d|:)"
        rf"(?:\.(?=\s?[,)]|\s+[a-z\d]))?{_YEAR}"
    ),
    "fr": re.compile(
        rf",?\s(?P<day>1er|\d\d?)\s(?P<month>{MONTH['fr']})(?:\.(?=\s?[,)]|\s+[a-z\u00df-\u00ff\d]))?{_YEAR}"
    ),
}
"""A date with a weekday before it, which French and English write in other ways."""
BEFORE = {
    "en": re.compile(
        r"\b(?:[Oo]n|[Bb]y|[Uu]ntil|[Tt]ill|[Nn]ext|[Ll]ast|[Tt]his|[Ee]very|[Ee]ach|[Cc]losed|[Oo]pen|[Ss]ee you"
        r"|\d\s?[AaPp]\.?[Mm]\.?|\d:\d\d),?\s\(?\Z"
    ),
    "de": re.compile(
        r"(?:\b(?:[Aa]m|[Bb]is|[Jj]eden|n\u00e4chsten|letzten|kommenden|diesen)|\d\.\d\d?\.(?:\d{2,4})?,?)\s\(?\Z"
    ),
}
"""What stands before a weekday, if PAUSE follows."""
PAUSE = {
    "en": re.compile(r"\s*(?:[.,;:!?)&]|\Z)|\s(?:and|or|at|from|to|morning|afternoon|evening|night|\d)"),
    "de": re.compile(r"\s*(?:[.,;:!?)&]|\Z)(?!\.\s[A-Z\u00c4\u00d6\u00dc])|\s(?:[a-z\u00e4\u00f6\u00fc]|\d)"),
}
BRACKETED = re.compile(r"\d[.,]?\s\(\Z")
"""What stands before a weekday in brackets."""
FRENCH_STOPPED = re.compile(r"\s(?:matin|soir|midi|apr\u00e8s-midi|prochain|dernier)\b")
DETERMINER = re.compile(r"\b(?:la|une?|ma|sa|ce|cette|mon|son|notre|votre|leur|de|en)\s\Z", re.IGNORECASE)
"""Behind these, *mer* and *jeu* are words."""
WORDS_TOO = frozenset((1, 2, 3, 5))
"""French weekdays that are other words without a full stop: *mer*, *jeu*, the names *Mar* and *Sam*."""
FRENCH_DATE = re.compile(rf"\s(?:1er|\d\d?)\s{MONTH['fr']}")
"""What makes even those weekdays, if DIRECTLY finds something."""
DIRECTLY = re.compile(r"(?:\A|\b[Ll]e\s)\Z")
"""The beginning of the text, or an article."""
LISTED = re.compile(r"\b[Ll]un\.?(?:\s?[-\u2013,/]|\sau\b)")
"""What makes them weekdays behind it, if a time follows: *Lun-Ven 9h-17h, Sam 10h-13h*."""
COMPOUND = re.compile(r"\s?-")
"""What no weekday of French has behind it."""
NUMBER_ALONE = re.compile(r"\s\d\d?(?=\s*(?:[.,;:)\u2013-]|\Z)|\s(?:et|ou|au)\b)")
"""A day of a month behind *jeu.* and *mer.*, not the beginning of a sentence: *le jeu. 10 joueurs*."""
NAMED = re.compile(r"\.\s?[A-Z\u00c4\u00d6\u00dc]")
"""A name behind *Fr*, which is no Friday: *Fr. M\u00fcller*."""
SO = re.compile(r",?\s(?:von|ab|um|bis)\b")
"""Behind the word *So*: *So um 9 Uhr*."""
FRANCS = re.compile(r"\s\d+\.\d+\.(?!\d|,)")
"""Behind the *Fr.* of Swiss francs, at the end of a sentence: *Fr. 12.10.*"""
MOST_BEFORE = 24
"""Code points before a weekday that say what it is."""
MAY_HAVE = {
    "en": re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:rs?|s)?\b"),
    "fr": re.compile(
        r"\b(?:(?:[Ll]un|[Dd]im|[Vv]en)(?:\s?[,\u2013-]|\s(?:au|et|ou)\b|\s[Ff]erm)"
        r"|(?:[Ll]un|[Mm]ar|[Mm]er|[Jj]eu|[Vv]en|[Ss]am|[Dd]im)(?:\.(?!\s*\Z|\s[A-Z])|\sau\b))"
    ),
    "de": re.compile(
        r"(?:M[oi]|D[io]|Fr|S[ao])\b(?:\.?\s?[-\u2013\u2014,/+&:]|\.?\s(?:bis|und|u\.|oder|[Gg]eschl|Ruhetag)"
        r"|(?<=\b[Aa]m ..)|(?<=\b[Bb]is ..)|(?<=[Jj]eden ..)|(?<=sten ..)|(?<=letzten ..)|(?<=enden ..)|(?<=diesen ..))"
    ),
}
"""The same, more exactly."""

Found = tuple[int, int, str]
"""The code points that a stretch takes, and how the other language writes it."""


def may_have_weekdays(text: str, source: str) -> bool:
    """Whether a `source` text without digits may have something that `weekdays` finds, found quickly."""
    hints = HINTS.get(source)
    if hints is None:
        return False
    if text[1:].islower() and source != "fr":  # as most texts: a weekday with a capital can but begin it
        return text.startswith(hints) and MAY_HAVE[source].search(text) is not None
    return any(map(text.__contains__, hints)) and MAY_HAVE[source].search(text) is not None


def weekdays(text: str, source: str, target: str) -> Iterator[Found]:
    """The short weekdays of a `source` text as `target` writes them, each list and each range as one."""
    for match in RUN[source].finditer(text):
        start, end = match.span()
        if start and text[start - 1] in "-'\u2019@#/":
            continue
        before = text[max(0, start - MOST_BEFORE) : start]
        pieces = list(PIECE[source].finditer(match.group()))
        is_range = len(pieces) > 1 and pieces[1]["range"] is not None
        word = FROM[source].search(before) if is_range else None
        if not _is_certain(match, pieces, before, source, word is not None):
            continue
        written = _written(match, pieces, source, target)
        on = None if word else ON[source].search(before)
        is_dated = (source, target) == ("en", "fr") or (on is not None and (source, target) == ("fr", "en"))
        if is_dated and (date := WHOLE_DATE[source].match(text, end)):
            written, end = f"{written} {_date(date, source, target)}", date.end()
        if on is not None:
            new = WRITTEN_ON[target]
            written = (new.capitalize() if on.group()[0].isupper() else new) + written
        taken = word or on
        yield start - (len(taken.group()) if taken else 0), end, written


def _number(day: str, language: str) -> int:
    """Which day of the week `day` is."""
    return [day.lower().startswith(name.lower()) for name in DAYS[language]].index(True)


def _is_certain(match: re.Match[str], pieces: list[re.Match[str]], before: str, language: str, is_from: bool) -> bool:
    """Whether a run of short weekdays is one, by its `pieces` and by the words around it."""
    text, end = match.string, match.end()
    days = [_number(piece["day"], language) for piece in pieces if piece["day"]]
    if len(days) > 1 and len(set(days)) == 1:
        return False
    if language == "fr":
        return _is_french(match, pieces, days, before, is_from)
    if language == "en" and match.group().startswith("Sun") and before.lower().endswith("the "):
        return False
    if language == "de" and match.group().endswith("Fr") and NAMED.match(text, end):
        return False
    if len(days) > 1:
        return True
    if AFTER[language].match(text, end):
        return not _is_other_german(match) if language == "de" else True
    if language == "en" and match.group().endswith("."):
        return True
    if before.endswith("(") and text[end : end + 1] == ")" and BRACKETED.search(before):
        return True
    return BEFORE[language].search(before) is not None and PAUSE[language].match(text, end) is not None


def _is_other_german(match: re.Match[str]) -> bool:
    """Whether a German *So* or *Fr.* before a date or a time is no weekday."""
    pattern = {"So": SO, "Fr.": FRANCS}.get(match.group())
    return pattern is not None and pattern.match(match.string, match.end()) is not None


def _is_french(match: re.Match[str], pieces: list[re.Match[str]], days: list[int], before: str, is_from: bool) -> bool:
    """The same for French, whose `days` are words with a full stop, too."""
    text, end = match.string, match.end()
    is_stopped = pieces[0].group().endswith(".")
    if len(days) > 1:
        if COMPOUND.match(text, end):
            return False
        is_range = any(piece["range"] for piece in pieces)
        return is_from or is_stopped or (days == [0, 4] if is_range else not WORDS_TOO.issuperset(days))
    if not is_stopped:
        if days[0] not in WORDS_TOO or LISTED.search(text, 0, match.start()):
            return AFTER["fr"].match(text, end) is not None
        return DIRECTLY.search(before) is not None and FRENCH_DATE.match(text, end) is not None
    if AFTER["fr"].match(text, end) or FRENCH_STOPPED.match(text, end):
        return True
    if days[0] in (2, 3) or match.group()[0].isupper():
        return NUMBER_ALONE.match(text, end) is not None and DETERMINER.search(before) is None
    return True


def _date(date: re.Match[str], source: str, target: str) -> str:
    """A date that WHOLE_DATE finds, in the other language."""
    words = date.groupdict()
    day, month = words["day"] or words["second_day"], words["month"] or words["first_month"]
    number = [name.startswith(month) for name in MONTHS[source]].index(True)
    day = day.removesuffix("er").removeprefix("0")
    year = f" {words['year']}" if words["year"] else ""
    return f"{'1er' if day == '1' and target == 'fr' else day} {MONTHS[target][number]}{year}"


def _written(match: re.Match[str], pieces: list[re.Match[str]], source: str, target: str) -> str:
    """A run of short weekdays, as `target` writes it."""
    written = []
    for piece in pieces:
        if piece["day"]:
            written.append(DAYS[target][_number(piece["day"], source)] + "." * (target == "fr"))
        elif piece["range"]:
            written.append("\u2013")
        elif piece["word"]:
            written.append(f" {WRITTEN_WORDS[target][LINKS[source][piece['word']]]} ")
        else:
            written.append(piece["sign"])
    text = "".join(written)
    if target == "fr" and match.string[match.end() : match.end() + 1] == ".":
        return text[:-1]
    return text
