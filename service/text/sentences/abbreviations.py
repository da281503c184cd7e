"""Abbreviations with a full stop, written out: *tgl.*, *dept.*, *pers.* A model takes the full stop for the end of the
sentence, and what is before it for another word."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from service.text.spans.normalise import NormalisedText, replaced

FILE = "abbreviations.toml"
PLACES = {
    "anywhere": r"(?<![\w./@-])(?:{any})\.(?![\w./@-])",
    "behind_number": r"(?:(?<=\d\s)|(?<=\d)|(?<=\d[e.]\s))(?:{any})\.(?![\w./@-])",
    "before_number": r"(?<![\w./@-])(?<!\d\s)(?:{any})\.(?=\s?\d)",
}
"""By table of FILE, what is round its abbreviations."""


NAME = re.compile(r"[a-z\u00df-\u00ff,]\s\Z")
"""What stands before a capital that is not the beginning's."""
NUMBER = re.compile(r"\s?\d")


class _Abbreviations(NamedTuple):
    words: Mapping[str, str]
    """By abbreviation without its last full stop and without spaces."""
    pattern: re.Pattern[str] | None
    forms: frozenset[str]
    """The last words of abbreviations, as they may end a text."""


def without_abbreviations(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with its abbreviations written out. A full stop that ends the text stays, but
    for that of a label."""
    text = normalised.text
    known = _abbreviations(language)
    if known.pattern is None or (text.find(".", 0, -1) < 0 and text[text.rfind(" ") + 1 :] not in known.forms):
        return normalised  # as most texts
    found = [(match.span(), _words(match, known.words)) for match in known.pattern.finditer(text)]
    return replaced(normalised, [span for span, _ in found], [words for _, words in found]) if found else normalised


def any_abbreviation(language: str) -> str:
    """A pattern of all abbreviations of a language without their last full stops; empty for none."""
    return "|".join(map(_pattern, sorted(_abbreviations(language).words, key=len, reverse=True)))


def _words(match: re.Match[str], words: Mapping[str, str]) -> str:
    short = re.sub(r"(?<=\.)\s", "", match.group()[:-1])
    found = words.get(short)
    if found is None:
        found = words[short[0].lower() + short[1:]]
        if NAME.search(match.string[: match.start()]) and NUMBER.match(match.string, match.end()):
            return match.group()  # Max. 3 years ago ...
        found = found[0].upper() + found[1:]
    is_last = not match.string[match.end() :].strip()
    is_label = match.string[:1].isdigit() or " " not in match.string
    return f"{found}." if is_last and not is_label else found


def _pattern(short: str) -> str:
    first = f"[{short[0]}{short[0].upper()}]" if short[0].islower() else short[0]
    return first + short[1:].replace(".", r"\.\s?")


@lru_cache
def _abbreviations(language: str) -> _Abbreviations:
    tables = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")).get(language, {})
    words = {short: written for table in tables.values() for short, written in table.items()}
    patterns = [PLACES[place].format(any="|".join(map(_pattern, table))) for place, table in tables.items()]
    ends = [short[short.rfind(" ") + 1 :] + "." for short in words]
    return _Abbreviations(
        words, re.compile("|".join(patterns)) if patterns else None, frozenset([*ends, *map(str.capitalize, ends)])
    )
