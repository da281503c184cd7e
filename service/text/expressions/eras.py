"""Years and centuries of an era: *500 BC*, *vers 50 av. J.-C.*, *um 79 n. Chr.*, *the 3rd century BC*.

Models know none of these abbreviations, and take *c.*, *vers* and *um* before such a year for something else.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from service.text.spans.hints import Hints
from service.text.spans.stretches import Translated, disjoint

_NUMBER = r"(?:\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+|\d{1,5})"
_YEARS = rf"(?<![\w.,/:$\u20ac\u00a3-])(?P<years>{_NUMBER}(?:\s?[-\u2013]\s?{_NUMBER})?)"
_STOP = r"(?:\.(?!\s*\Z))"
"""The last full stop of an abbreviation, unless it ends the text, too."""


class _Words(NamedTuple):
    """How a language says it."""

    hints: tuple[str, ...]
    """One of these is in every text with an era."""
    eras: tuple[str, str, str, str]
    """Before and after Christ, and the same without his name, as regular expressions."""
    before: str
    """What stands before the years: groups `within` and `about`."""
    centuries: str
    """Words that an era stands behind as it does behind years."""


WORDS = {
    "en": _Words(
        ("BC", "B.C", "B. C", "AD", "A.D", "A. D", "CE", "C.E"),
        (
            rf"BC(?![\w-])|B\.\s?C\b{_STOP}?(?!\s?E\b)",
            rf"AD(?![\w-])|A\.\s?D\b{_STOP}?",
            rf"BCE(?![\w-])|B\.\s?C\.\s?E\b{_STOP}?",
            rf"CE(?![\w-])|C\.\s?E\b{_STOP}?",
        ),
        r"(?:\b(?P<within>[Ii]n(?: the year)?)\s)?"
        r"(?:(?<![\w.])(?P<about>(?i:c|ca)\.\s?|(?i:circa|around|about|approximately)\s))?",
        r"centur(?:y|ies)|millenni(?:um|a|ums)",
    ),
    "fr": _Words(
        ("J.", "J\u00e9sus-Christ", "n. \u00e8", "notre \u00e8re"),
        (
            rf"av(?:\.|ant)\s?(?:J\.?[\s-]{{0,2}}C(?:hrist)?\b{_STOP}?|J\u00e9sus-Christ\b)",
            rf"apr?(?:\.|\u00e8s)\s?(?:J\.?[\s-]{{0,2}}C(?:hrist)?\b{_STOP}?|J\u00e9sus-Christ\b)",
            rf"av(?:\.|ant) (?:n\. \u00e8(?!\w){_STOP}?|notre \u00e8re\b)",
            rf"de (?:n\. \u00e8(?!\w){_STOP}?|notre \u00e8re\b)",
        ),
        r"(?:\b(?P<within>(?i:en(?: l['\u2019]an(?:n\u00e9e)?)?))\s)?"
        r"(?:\b(?P<about>(?i:vers(?: l['\u2019]an)?|environ|autour de|circa)\s|(?i:env|ca|v)\.\s?))?",
        r"si\u00e8cles?|mill\u00e9naires?",
    ),
    "de": _Words(
        ("Chr", "Z.", "Zeitrechnung"),
        (
            rf"(?:v\.|vor)\s?Chr(?:istus\b|isti\sGeburt\b|\b{_STOP}?)",
            rf"(?:n\.|nach)\s?Chr(?:istus\b|isti\sGeburt\b|\b{_STOP}?)",
            rf"v\.\s?u\.\s?Z\b{_STOP}?|vor unserer Zeitrechnung\b",
            rf"(?:n\.\s?)?u\.\s?Z\b{_STOP}?|(?:nach )?unserer Zeitrechnung\b",
        ),
        r"(?:\b(?P<within>[Ii]m Jahre?)\s)?"
        r"(?:\b(?P<about>(?i:um(?: das Jahr)?|gegen|etwa|circa|ungef\u00e4hr|rund)\s|(?i:ca)\.\s?))?",
        r"Jahrhunderts?|Jahrtausends?",
    ),
}
YEARS_WRITTEN = {
    "en": ("{} BC", "{} AD", "{} BCE", "{} CE"),
    "fr": ("{} av. J.-C.", "{} apr. J.-C.", "{} avant notre \u00e8re", "{} de notre \u00e8re"),
    "de": ("{} v. Chr.", "{} n. Chr.", "{} v. u. Z.", "{} u. Z."),
}
WITHIN = {"en": "in ", "fr": "en ", "de": "im Jahr "}
ABOUT = {"en": "around ", "fr": "vers ", "de": "um "}
_ANY = {
    language: "|".join(f"(?P<era_{at}>{era})" for at, era in enumerate(words.eras)) for language, words in WORDS.items()
}
YEAR = {language: re.compile(rf"{words.before}{_YEARS}\s?(?:{_ANY[language]})") for language, words in WORDS.items()}
CENTURY = {
    language: re.compile(rf"\b(?:{words.centuries})\s(?P<era>{_ANY[language]})") for language, words in WORDS.items()
}
HINTS = {language: Hints(words.hints) for language, words in WORDS.items()}
BEFORE_YEAR = re.compile(
    rf"{WORDS['en'].before}\b(?P<era_1>A\.?\s?D\.?)\s?(?P<years>\d{{1,4}}(?:\s?[-\u2013]\s?\d{{1,4}})?)\b(?![.,]\d|[-/%])"
)
"""English has one of them before the year, too: *AD 79*."""
NO_IN = re.compile(
    r"(?:\b(?i:von|bis|seit|ab|nach|vor|zwischen|und|oder|aus|ins?|im|vom|zum|das|dem|der|des|jahre?s?|sp\u00e4testens"
    r"|fr\u00fchestens)|[(/:;*\u2020\u2013-])\s?\Z"
)
"""What German years stand behind without being an adverb: *seit 44 v. Chr.*, not *Er starb 44 v. Chr.*"""
MOST_BEFORE = 16
"""Code points before a year that are looked at."""


def may_have_eras(text: str, source: str) -> bool:
    """Whether a `source` text may have an era, found quickly."""
    return source in HINTS and HINTS[source].are_in(text)


def eras(text: str, source: str, target: str) -> list[Translated]:
    """The years with an era, and the eras behind centuries, of a `source` text as `target` writes them."""
    if target not in YEARS_WRITTEN or not may_have_eras(text, source):
        return []  # as most texts
    years = {match.span(): match for match in YEAR[source].finditer(text)}
    if source == "en":  # a year with an era before it, and one behind, is one of them
        years = {match.span(): match for match in BEFORE_YEAR.finditer(text)} | years
    found = [_years(years[span], source, target) for span in disjoint(years)]
    return found + [_era(match, target) for match in CENTURY[source].finditer(text)]


def _years(match: re.Match[str], source: str, target: str) -> Translated:
    groups = match.groupdict()
    written = _shortened(match, YEARS_WRITTEN[target][_which(groups)].format(groups["years"]))
    before, is_first = "", match.start("years") == match.start() or match.group()[0].isupper()
    if groups["about"]:
        before = ABOUT[target]
    elif groups["within"] or (source == "de" and not _is_bound(match)):
        before = WITHIN[target]
    is_capital = is_first and not match.string[: match.start()].strip() and before != ""
    return Translated(*match.span(), (before[0].upper() + before[1:] if is_capital else before) + written)


def _era(match: re.Match[str], target: str) -> Translated:
    written = YEARS_WRITTEN[target][_which(match.groupdict())].format("").strip()
    return Translated(*match.span("era"), _shortened(match, written))


def _which(groups: dict[str, str | None]) -> int:
    """Which of the eras a match has."""
    return next(int(name[-1]) for name, era in groups.items() if name.startswith("era_") and era is not None)


def _shortened(match: re.Match[str], written: str) -> str:
    """`written` without its last full stop where the text has one behind it."""
    return written.removesuffix(".") if match.string.startswith(".", match.end()) else written


def _is_bound(match: re.Match[str]) -> bool:
    return NO_IN.search(match.string[max(0, match.start() - MOST_BEFORE) : match.start()]) is not None
