"""German infinitives and participles behind the day, the time or the price that they go with: *Wir werden uns am 3. Mai
treffen*, not *Wir werden uns treffen am 3. Mai*.

Models leave what they copy where English has it. What is moved stands directly behind a verb that ends its clause,
which is certain where the clause has an auxiliary before it, or the verb a *zu*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.spans.moving import moved
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

_DAY = rf"(?:{'|'.join(WEEKDAYS['de'])})"
_MONTH = rf"(?:{'|'.join(MONTHS['de'])})"
_WHICH = r"(?:(?:diesen|diesem|kommenden|letzten|n\xe4chsten|vergangenen) )?"
_NUMBER = r"(?:\d+(?:[.,:]\d+)*|[{signs}])"
_DATE = rf"(?:{_DAY},? (?:den |dem )?)?{_NUMBER}\.? {_MONTH}(?: {_NUMBER})?"
_ON = rf"(?:{_DATE}|{_WHICH}{_DAY}(?:abend|mittag|morgen|nachmittag|vormittag)?)"
_TIME = rf"(?:{_NUMBER} Uhr|{_NUMBER}(?=[.?!,]|\s*\Z| Uhr))"
_MANY = r"(?:(?:etwa|genau|h\xf6chstens|mindestens|nur|rund|ungef\xe4hr) )?"
_MONEY = rf"(?:{_NUMBER} ?(?:\u20ac|[$\xa3]|Cent|Dollar|Euro|Pfund)|[\u20ac$\xa3] ?{_NUMBER}|[{{money}}])"
_WHILE = rf"{_NUMBER} (?:Sekunden|Minuten|Stunden|Tagen?|Wochen|Monaten?|Jahren?)"
_ONE = (
    rf" (?:(?:vom|von) (?:{_NUMBER}\.|{_ON}) bis(?: zum)? {_ON}"
    rf"|(?:am|ab|ab dem|bis|bis zum|seit|seit dem|vom|vor|vor dem|zum) {_ON}"
    rf"|(?:diesen|kommenden|letzten|n\xe4chsten|vergangenen) {_DAY}"
    r"|(?:diese|kommende|letzte|n\xe4chste|vergangene) Woche"
    rf"|von {_NUMBER} bis {_TIME}|zwischen {_NUMBER}(?: Uhr)? und {_TIME}|(?:ab|bis|gegen|seit|um|von|vor) {_TIME}"
    rf"|(?:f\xfcr {_MANY})?{_MONEY}|(?:(?:f\xfcr|innerhalb von|seit|vor) {_MANY})?{_WHILE}(?: lang| im Voraus)?)"
)
"""A day, a time, a price or a while, with its preposition."""
PHRASES = rf"(?<=[a-z\xdf-\xff])(?P<phrases>(?:{_ONE})+)(?=[.!?,;]|\s*\Z| (?:aber|oder|und|unter|wegen|weil) )"
"""One or more behind what may be a verb, at the end of a clause."""
_LOW = r"[a-z\xdf-\xff]"
_FINAL = (
    rf"(?:{_LOW}*ge{_LOW}+(?:t|en)|(?:be|ent|er|ver|zer|\xfcber|unter){_LOW}+(?:t|en)|{_LOW}+iert|{_LOW}{{2,}}(?:en|ern|eln)"
    r"|sein|tun)"
)
VERBS = re.compile(
    rf"(?: nicht(?: mehr)?)?(?: nach Hause)?(?: (?:angefangen|aufgeh\xf6rt|begonnen))?(?: zu)?(?P<verb> {_FINAL})"
    r"(?: (?:d\xfcrfen|haben|k\xf6nnen|lassen|m\xfcssen|sein|sollen|werden|wollen|worden))?\Z"
)
"""Infinitives and participles that end a clause, and what belongs directly before them."""
NO_VERBS = word_set(
    "allen anderen au\xdfen bereit bestimmt bislang drau\xdfen dr\xfcben drinnen eben einen eigenen entfernt erst",
    "gegen genannten gesamten gestern hinten ihnen ihren innen insgesamt jeden jenen keinen meinen meisten mitten",
    "morgen neben nebenan oben seinen selten \xfcberhaupt unten unseren vermehrt verbreitet vorn wegen wenigen",
    "zusammen zwischen beiden dritten ersten ganzen guten kommenden letzten n\xe4chsten vergangenen vielen weiteren",
    "zweiten",
)
"""Words that look like them."""
PREFIX = re.compile(r" (?:ab|an|auf|aus|ein|fest|heim|her|hin|los|statt|teil|weg|weiter|zur\xfcck)\Z")
"""What ends the clause of a separable verb."""
NO_PREFIX = re.compile(r"\b[Vv]o[mn]\b")
"""What such a word may belong to: *von Montag an*."""
WITH_PREPOSITION = re.compile(r" (?:ab|am|bis|f\xfcr|gegen|innerhalb|seit|um|vom|von|zwischen)\b")
PREDICATE = re.compile(r" (?:erh\xe4ltlich|f\xe4llig|frei|g\xfcltig|krank|offen|verf\xfcgbar)\Z")
BE = re.compile(r"\b(?:[Ii]st|[Ss]ind|[Ww]aren?)\b")
CLAUSE = re.compile(rf"[,;:!?()\u2013\u2014\"\u201e\u201c]|\.(?! {_MONTH})| (?:aber|denn|oder|sondern|und) ")
BRACKET = re.compile(
    r"\b(?:[Hh]abe?|[Hh]aben|[Hh]abt|[Hh]ast|[Hh]at|[Hh]atten?|[Hh]\xe4tten?|[Bb]in|[Bb]ist|[Ii]st|[Ss]ind|[Ss]eid|[Ww]aren?"
    r"|[Ww]erden?|[Ww]irst|[Ww]ird|[Ww][u\xfc]rden?|[Kk]ann|[Kk]annst|[Kk]\xf6nn(?:en|t|ten?|test)|[Kk]onnten?"
    r"|[Mm][u\xfc]ss(?:en|t|ten?)|[Mm]uss|[Mm]usst|[Ss]oll(?:en|st|t|ten?|test)?|[Ww]ill|[Ww]illst|[Ww]oll(?:en|t|ten?)"
    r"|[Dd]arf|[Dd]arfst|[Dd][u\xfc]rf(?:en|t|ten?)|[Mm]\xf6chte[nt]?|[Mm]\xf6chtest)\b"
)
"""A finite verb that makes another end its clause."""
HINTS = (" am ", " ab ", " bis ", " f\xfcr ", " gegen ", " innerhalb ", " seit ", " um ", " vo", " zum ", " zwischen ",
         " diese", " kommende", " letzte", " n\xe4chste", " vergangene")  # fmt: skip
MOST = 200
"""Code points before a phrase that are looked at."""
WHOLE = re.compile(r"(?:ab|am|bis|gegen|seit|um|vom|von|zwischen) .*\d")
"""A copy that has its preposition."""
MONEY = re.compile(r"[\u20ac$\xa3] ?\d|\d[\d.,]* ?[\u20ac$\xa3]")


def with_verbs_last(
    text: str, spans: Sequence[Stretch], target: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A German translation with its final verbs behind days, times and prices. `copies` are each placeholder that
    it may have, and the text that it stands for."""
    if target != "de":
        return text, spans
    whole = "".join(sign for sign, copy in copies if WHOLE.match(copy))
    money = whole + "".join(sign for sign, copy in copies if MONEY.match(copy))
    if not money and not any(map(text.__contains__, HINTS)):
        return text, spans  # as most
    signs = "".join(sorted({sign for sign, _ in copies}))
    for match in reversed(list(_phrases(signs, money).finditer(text))):
        to = _before_verbs(text, match.span("phrases"), whole)
        if to is not None:
            text, spans = moved(text, spans, match.span("phrases"), to)
    return text, spans


def _before_verbs(text: str, phrases: Stretch, whole: str) -> int | None:
    """Where what ends its clause begins, directly before the `phrases` of a text; None where nothing does.
    `whole` are placeholders of phrases."""
    end = phrases[0]
    first = max(0, end - MOST)
    before = text[first:end]
    verbs, needed = VERBS.search(before), BRACKET
    if verbs is None:
        verbs, needed = PREDICATE.search(before), BE
    elif verbs["verb"].strip() in NO_VERBS:
        return None
    has_preposition = text[end + 1] in whole or WITH_PREPOSITION.match(text, end) is not None
    prefix = PREFIX.search(before) if verbs is None and has_preposition else None
    found = verbs or prefix
    if found is None:
        return None
    start = max((mark.end() for mark in CLAUSE.finditer(before, 0, found.start())), default=0)
    if start == 0 < first:
        return None
    if prefix is not None:
        rest = before[start : prefix.start()]
        is_last = " " in rest.strip() and not (BRACKET.search(rest) or NO_PREFIX.search(rest))
    else:
        is_last = " zu " in found.group() or needed.search(before, start, found.start()) is not None
    return first + found.start() if is_last else None


@lru_cache(maxsize=256)
def _phrases(signs: str, money: str) -> re.Pattern[str]:
    return re.compile(PHRASES.format(signs=re.escape(signs) or "\\0", money=re.escape(money) or "\\0"))
