"""Stretches that a rule translates, not the model: *etc.*, decades, ordinal numbers, centuries, post office boxes.
Finders for others, such as weekdays, have files of their own.

Corpora of sentences hardly have them, so that models leave them out or leave them as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from model_store.contract.calendar import MONTHS
from service.text.expressions.eras import eras
from service.text.expressions.key_names import key_names
from service.text.expressions.mail_headers import mail_headers
from service.text.expressions.month_parts import may_have_month_parts, month_parts
from service.text.expressions.ordinals import ordinal
from service.text.expressions.weekdays import WRITTEN_WORDS, may_have_weekdays, weekdays
from service.text.names.fields import headers
from service.text.names.titles import french_titles, may_have_titles
from service.text.spans.stretches import Translated

ET_CETERA = re.compile(r"\b(?:etc|usw)\b(?:\.(?=[\s,;)]*[^\s,;)]))?")
"""With its full stop, unless that ends the text."""
WRITTEN = {"en": "etc", "fr": "etc", "de": "usw"}
YEAR = r"(?:(?:1[6-9]|20)\d|['\u2018][1-9])0"
"""The first year of a decade, maybe without its century: *'90*."""
APOSTROPHES = "'\u2018"
NO_NOUN = r"(?=[.,;!?)]|\Z| (?:and|or|was|were|saw|had|have|brought|are|to)\b)"
DECADE = {
    "en": re.compile(
        r"(?<![-\w])(?:(?P<before>[Ii]n|[Oo]f|[Dd]uring|[Ss]ince|[Ff]rom|[Tt]o|[Uu]ntil|[Bb]etween) )?(?P<the>[Tt]he) "
        rf"(?P<decades>{YEAR}s\b(?:(?:,|,? and|,? or) {YEAR}s\b)*+)(?!-)(?(before)|{NO_NOUN})"
    ),
    "fr": re.compile(
        rf"\bann\u00e9es (?P<decades>{YEAR}(?:(?:,| et| ou) {YEAR})*)\b(?!\s?[-\u2013]\s?\d| (?:et|ou) \d|,\d)"
    ),
    "de": re.compile(rf"\b(?P<decades>(?:{YEAR}er-?(?:,| und| oder) )*{YEAR})(?:er[- ]Jahren?|ern)\b"),
}
"""One or several. What stands before a noun is left alone: *a 1960s car*."""
LINK = re.compile(r",? (?P<word>and|or) ")
"""What joins the last of several in English."""
ANY_LINK = re.compile(r" (?:(?P<or>or|ou|oder)|and|et|und) ")
"""The same in any language."""
PART = re.compile(
    r"(?<![-\w])(?<!- )(?<!- to )(?:(?P<before>[Ii]n|[Oo]f|[Dd]uring|[Ss]ince|[Bb]y|[Uu]ntil|[Tt]ill|[Ff]rom|[Tt]o) )?"
    r"(?:(?P<the>[Tt]he) )?"
    rf"(?P<part>[Ee]arly(?= )|[Ll]ate(?= )|[Mm]id)[ -](?P<decades>{YEAR})s\b(?!-)(?(before)|{NO_NOUN})"
)
"""The beginning, the end or the middle of one, in English."""
PARTS = {
    "fr": {"early": ("le", "d\u00e9but"), "late": ("la", "fin"), "mid": ("le", "milieu")},
    "de": {"early": ("fr\u00fchen", "Anfang"), "late": ("sp\u00e4ten", "Ende"), "mid": ("mittleren", "Mitte")},
}
BEFORE_PART = {
    "le": {
        "": "", "the": "le ", "of": "du ", "from": "du ", "since": "depuis le ", "until": "jusqu'au ",
        "till": "jusqu'au ",
    },
    "la": {
        "": "", "the": "la ", "of": "de la ", "from": "de la ", "since": "depuis la ", "until": "jusqu'\u00e0 la ",
        "till": "jusqu'\u00e0 la ",
    },
}  # fmt: skip
"""French prepositions by the article of what follows; others become *au* or *\u00e0 la*."""
GERMAN_BEFORE_PART = {"since": "seit ", "until": "bis ", "till": "bis ", "from": "von ", "to": "bis "}
"""Those of German; others are left out."""
BEFORE_DECADE = {
    "fr": {
        "in": "dans les", "of": "des", "during": "pendant les", "since": "depuis les", "the": "les",
        "from": "des", "to": "aux", "until": "jusqu'aux", "between": "entre les",
    },
    "de": {
        "in": "in den", "of": "der", "during": "w\u00e4hrend der", "since": "seit den", "the": "die",
        "from": "von den", "to": "bis zu den", "until": "bis zu den", "between": "zwischen den",
    },
}  # fmt: skip
"""Prepositions with the article behind them, which agrees with what the decade becomes."""
ORDINAL = re.compile(
    r"(?i:(?<=\b(?:la|le|au|du|un|ma|sa|ta|ce) )|(?<=\b(?:une|mon|son|ton|les|des|aux) ))"
    rf"(?P<number>[1-9]\d{{0,2}})(?:er|re|\u00e8re|e|\u00e8me|nde?)\b(?![-\u2013.,]\w|\s(?:{'|'.join(MONTHS['fr'])}))"
)
"""A French one behind an article, but for the days of dates; *20e* by itself may be an amount."""
ROMAN = (
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI",
)  # fmt: skip
"""The numbers of centuries."""
CENTURY = re.compile(
    r"\b(?:(?P<first>[IVX]+)(?:er|e|\u00e8me) (?P<word>et|ou)(?: l[ea]| au| du)? )?(?P<last>[IVX]+)(?:er|e|\u00e8me)"
    r"\ssi\u00e8cle(?P<plural>s)?\b"
)
"""One or two centuries of a French text."""
BOX_NUMBER = r"\s?(?P<number>\d(?:\d| (?=\d))*)\b"
BOX = {
    "en": re.compile(rf"\b(?:P\.\s?O\.|PO|Post Office)\s?[Bb]ox{BOX_NUMBER}"),
    "fr": re.compile(rf"\b(?:B\.\s?P\.|BP|[Bb]o\u00eete postale){BOX_NUMBER}(?=\s*(?:[,.;)-]|\Z)|\s\d{{5}}\b|\s[A-Z])"),
    "de": re.compile(rf"\bPostfach{BOX_NUMBER}"),
}
EXTENSION = re.compile(
    r"(?:\b(?P<at>(?i:at|on)) |(?<=[,;(] )|(?<=[Cc]all )|(?<=[Dd]ial )|(?<=\d )|(?<=\bor )|\A)(?i:extension|ext\.)\s?"
    r"(?P<number>\d{1,5})\b(?![.,:]\d|\s?[%\u20ac]|\s(?:days?|weeks?|months?|years?|hours?|minutes?|times?)\b)"
)
"""Of an English telephone number."""
WRITTEN_EXTENSION = {"fr": ("au ", "poste"), "de": ("unter der ", "Durchwahl")}
_KEYS = "Alt|Backspace|Ctrl|Delete|Enter|Esc|Escape|Shift|Space|Tab|Windows|F\\d\\d?"
KEY = re.compile(rf"(?:\b(?i:press|hit|hold|down|use|release|and|push)\s|\A)(?P<the>[Tt]he)\s(?P<key>{_KEYS})\skey\b")
"""One of a keyboard, in English."""
KEY_NAMES = {
    "Space": ("espace", "Leertaste"), "Enter": ("Entr\u00e9e", "Enter-Taste"), "Delete": ("Suppr", "Entf-Taste"),
}  # fmt: skip
WRITTEN_BOX = {"en": "P.O. Box", "fr": "BP", "de": "Postfach"}
HINTS = {
    "fr": ("si\u00e8cle", "TTC", "HT", "agr\u00e9er"),
    "de": ("zur Verf\xfcgung", "verbleibe", "melden Sie sich"),
    "en": ("ntil then", "what time it is", " key", " VAT"),
}
"""What is in texts with centuries, and with notices (`service/text/expressions/notices.py`) that have no digits."""
FORMULAS = ("Que ", "Stimmt, ", "H\u00e4", "Nice try", "nice try", "Dear S", "Dear M", "Sehr geehrte D", "Madame, M")
"""How texts begin that are a formula, see `service/text/expressions/notices.py`."""


def may_have_translated(text: str, source: str) -> bool:
    """Whether a `source` text without digits may have something that `translated` finds, found quickly."""
    if "etc" in text or "usw" in text or ":" in text[:5] or text.startswith(FORMULAS):
        return True
    if (source == "fr" and may_have_titles(text)) or may_have_month_parts(text, source):
        return True
    return may_have_weekdays(text, source) or any(map(text.__contains__, HINTS.get(source, ())))


def translated(text: str, source: str, target: str) -> list[Translated]:
    """What a rule translates of a `source` text, but for times of day; none of languages that are not known."""
    if source == target or not {source, target} <= WRITTEN.keys():
        return []
    found: list[Translated] = []
    if "etc" in text or "usw" in text:
        found += _found(ET_CETERA, text, lambda match: WRITTEN[target] + "." * match.group().endswith("."))
    if "0" in text:
        for match in DECADE[source].finditer(text):
            found += _apart(match, _decade(match, target), target)
        if source == "en":
            found += _found(PART, text, lambda match: _part(match, target))
    found += [Translated(*each) for each in weekdays(text, source, target)]
    found += [*month_parts(text, source, target), *(Translated(*each) for each in headers(text, source, target))]
    found += [*eras(text, source, target), *key_names(text, source, target), *mail_headers(text, source, target)]
    if source == "fr" and may_have_titles(text):
        found += [Translated(*each) for each in french_titles(text, target)]
    if any(map(str.isdigit, text)):
        found += _found(BOX[source], text, lambda match: f"{WRITTEN_BOX[target]} {match['number']}")
        if source == "en":
            found += _found(EXTENSION, text, lambda match: _extension(match, target))
    if source == "en" and " key" in text:
        found += [_key(match, target) for match in KEY.finditer(text)]
    if source == "fr" and "si\u00e8cle" in text:
        found += _found(CENTURY, text, lambda match: _century(match, target))
    if (source, target) == ("fr", "en"):
        found += _found(ORDINAL, text, lambda match: ordinal(int(match["number"])))
    return found


def _found(pattern: re.Pattern[str], text: str, written: Callable[[re.Match[str]], str | None]) -> list[Translated]:
    return [Translated(*match.span(), new) for match in pattern.finditer(text) if (new := written(match)) is not None]


def _decade(match: re.Match[str], target: str) -> str:
    words = match.groupdict()
    decades = _decades(words["decades"], target)
    if target == "en":
        return decades
    before, article = words.get("before"), words.get("the")
    is_dative = article is None or (before or "the").lower() not in ("of", "during", "the")
    written = f"ann\u00e9es {decades}" if target == "fr" else f"{decades}{'n' if is_dative else ''}"
    if article is None:
        return written
    first = before or article
    return _as_capital(f"{BEFORE_DECADE[target][first.lower()]} {written}", first)


def _extension(match: re.Match[str], target: str) -> str:
    at, word = WRITTEN_EXTENSION[target]
    return f"{at if match['at'] else ''}{word} {match['number']}"


def _key(match: re.Match[str], target: str) -> Translated:
    """A key with its article."""
    french, german = KEY_NAMES.get(match["key"], (match["key"], f"{match['key']}-Taste"))
    written = f"la touche {french}" if target == "fr" else f"die {german}"
    return Translated(match.start("the"), match.end(), _as_capital(written, match["the"]))


def _apart(match: re.Match[str], written: str, target: str) -> list[Translated]:
    """Decades of a subject as two, so that the model sees a plural: *the 1960s* and *1970s*."""
    words = match.groupdict()
    link = LINK.search(match.group())
    if words.get("the") is None or words.get("before") is not None or link is None:
        return [Translated(*match.span(), written)]
    first, _, last = written.rpartition(f" {WRITTEN_WORDS[target][link['word']]} ")
    at = match.start()
    return [Translated(at, at + link.start(), first), Translated(at + link.end(), match.end(), last)]


def _decades(source: str, target: str) -> str:
    """Decades, with or without endings, as `target` writes them, without *ann\u00e9es*: *1960s and 1970s*."""
    years = [year.lstrip(APOSTROPHES) for year in re.findall(YEAR, source)]
    word = ANY_LINK.search(source)
    first, between, last = {"en": ("s", ", ", "s"), "fr": ("", ", ", ""), "de": ("er-", ", ", "er-Jahre")}[target]
    if word is None:
        return between.join([*(year + first for year in years[:-1]), years[-1] + last])
    link = WRITTEN_WORDS[target]["or" if word["or"] else "and"]
    return f"{between.join(year + first for year in years[:-1])} {link} {years[-1]}{last}"


def _part(match: re.Match[str], target: str) -> str:
    """The early, late or middle years of a decade."""
    before = (match["before"] or match["the"] or "").lower()
    which, noun = PARTS[target][match["part"].lower()]
    decades = match["decades"].lstrip(APOSTROPHES)
    if target == "fr":
        at = {"le": "au ", "la": "\u00e0 la "}[which]
        written = f"{BEFORE_PART[which].get(before, at)}{noun} des ann\u00e9es {decades}"
    elif before in ("the", "of"):
        written = f"{'die' if before == 'the' else 'der'} {which} {decades}er-Jahre"
    else:
        written = f"{GERMAN_BEFORE_PART.get(before, '')}{noun} der {decades}er-Jahre"
    return _as_capital(written, match.group())


def _as_capital(written: str, source: str) -> str:
    """`written` with a capital if `source` has one."""
    return written[0].upper() + written[1:] if source[0].isupper() else written


def _century(match: re.Match[str], target: str) -> str | None:
    """Centuries that French has in Roman numbers; nothing if they are none."""
    numbers = [ROMAN.index(match[each]) + 1 for each in ("first", "last") if match[each] in ROMAN]
    if len(numbers) < 1 + (match["first"] is not None):
        return None
    ordinals = [ordinal(number) if target == "en" else f"{number}." for number in numbers]
    word = f"centur{'ies' if match['plural'] else 'y'}" if target == "en" else "Jahrhundert"
    link = f" {WRITTEN_WORDS[target][{'et': 'and', 'ou': 'or'}[match['word']]]} " if match["word"] else ""
    return f"{link.join(ordinals)} {word}"
