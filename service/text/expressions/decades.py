"""Decades: *the 1960s and 1970s*, *les ann\u00e9es 1960*, *in den 1960er-Jahren*; their beginning, middle and end."""

from __future__ import annotations

import re

from service.text.expressions.weekdays import WRITTEN_WORDS
from service.text.spans.stretches import Translated, as_capital

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


def decades(text: str, source: str, target: str) -> list[Translated]:
    """Those of a `source` text as `target` writes them."""
    found = [each for match in DECADE[source].finditer(text) for each in _apart(match, _decade(match, target), target)]
    if source == "en":
        found += [Translated(*match.span(), _part(match, target)) for match in PART.finditer(text)]
    return found


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
    return as_capital(f"{BEFORE_DECADE[target][first.lower()]} {written}", first)


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
    return as_capital(written, match.group())
