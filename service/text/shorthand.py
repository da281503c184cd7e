"""Shorthand of chats and notes, written out: *thx*, *gonna*, *bcp*, *vllt*. Models have read the words, not these."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from service.text.normalise import NormalisedText, replaced

FILE = "shorthand.toml"
WORD = re.compile(r"(?<![\w'\u2019.@/#-])\w+(?![\w'\u2019@/-]|\.\w)")
SIGNS = ("", ".", ",", "!", "?", "!!", "??", "...", "?!")
"""What may stand behind a word, for a quick look."""


class _Shorthand(NamedTuple):
    words: dict[str, str]
    capitals: frozenset[str]
    phrases: tuple[tuple[str, re.Pattern[str], str], ...]
    """A hint, what to look for where a text has it, and the words for it."""
    forms: frozenset[str]
    """All words as they may stand between spaces."""


def written_out(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with its shorthand written out; each word stands for the whole of its shorthand."""
    known, text = _shorthand(language), normalised.text
    hinted = [phrase for phrase in known.phrases if phrase[0] in text]
    if not hinted and known.forms.isdisjoint(text.split(" ")):
        return normalised  # as most texts
    found = {match.span(): words for _, pattern, words in hinted for match in pattern.finditer(text)}
    taken = {at for span in found for at in range(*span)}
    for match in WORD.finditer(text):
        words = _words(match, known)
        if words is not None and match.start() not in taken:
            found[match.span()] = words
    if not found:
        return normalised
    spans = sorted(found)
    return replaced(normalised, spans, [found[span] for span in spans])


def _words(match: re.Match[str], known: _Shorthand) -> str | None:
    """The words for a match of WORD, with a capital where it has one; None where it is no shorthand."""
    word = match.group()
    if word in known.words:
        return known.words[word]
    words = known.words.get(word.lower())
    if words is None:
        return None
    if word.isupper() and len(word) > 1:
        if match.string.isupper():
            return words.upper()
        if word.lower() not in known.capitals:
            return None  # an acronym
    elif match.start() > 0:
        return None  # a name
    return words if match.start() > 0 else words[0].upper() + words[1:]


@lru_cache
def _shorthand(language: str) -> _Shorthand:
    """The shorthand of a language, from FILE; none of others."""
    tables = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    table = tables.get(language, {"words": {}, "capitals": [], "phrases": {}})
    words, capitals = table["words"], frozenset(table["capitals"])
    cased = [*words, *map(str.capitalize, words), *map(str.upper, words)]
    phrases = ((hint, re.compile(each["pattern"]), each["words"]) for hint, each in table["phrases"].items())
    return _Shorthand(words, capitals, tuple(phrases), frozenset(word + sign for word in cased for sign in SIGNS))
