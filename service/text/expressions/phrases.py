"""Set phrases that say something else than their words: *What time is it?*, *Tant pis.* The table is `phrases.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from service.text.spans.stretches import Translated, as_capital

FILE = "phrases.toml"
SIGNS = ".!?\u2026"
"""What ends a sentence."""
COLON = ":"
"""What stands behind a phrase that begins a text."""
MARKS = "*_ "
"""What may stand round it: emphasis, a French space."""
BEHIND = ", "
"""What a phrase stands behind, where it is not the whole sentence."""
MOST_BEFORE = 40
"""Characters of a text beside its phrase."""


class SetPhrase(NamedTuple):
    """A phrase and what it is."""

    written: Mapping[str, str]
    """By language, in lower case where no word of it has a capital."""
    signs: str
    """One of these must follow; empty where anything may."""
    is_label: bool
    """Whether it begins with a capital, and nothing follows."""
    is_alone: bool
    """Whether nothing stands before it."""

    def fits(self, text: str, start: int, end: int) -> bool:
        """Whether `text[start:end]`, which has the words of this phrase, is it."""
        behind = text[end:].strip()
        if self.is_alone and start > 0:
            return False
        if self.is_label:
            return text[start].isupper() and not behind
        return not self.signs or (behind != "" and behind[0] in self.signs)


class _Known(NamedTuple):
    """The phrases of a language."""

    phrases: Mapping[str, SetPhrase]
    most_characters: int
    """The longest text that is looked at."""


def may_have_phrases(text: str, source: str) -> bool:
    """Whether a `source` text ends with a phrase, found quickly."""
    return _found(text, source) is not None


def phrases(text: str, source: str, target: str) -> list[Translated]:
    """The phrase that a `source` text is, or ends with, as `target` writes it."""
    found = _found(text, source)
    if found is None or target not in found[2].written:
        return []
    start, end, phrase = found
    written = phrase.written[target]
    if text[start:end].isupper() and phrase.signs != COLON:  # TL;DR
        written = written.upper()
    else:
        written = as_capital(written, text[start:end])
    return [Translated(start, end, written)]


def _found(text: str, source: str) -> tuple[int, int, SetPhrase] | None:
    """Where a phrase lies, and the phrase."""
    known = _phrases().get(source)
    if known is None:
        return None
    colon = text.find(COLON, 0, known.most_characters)
    if colon > 0:
        words = text[:colon].strip(MARKS)
        if (phrase := known.phrases.get(words.lower())) is not None and phrase.signs == COLON:
            start = text.index(words)
            return start, start + len(words), phrase
    if len(text) > known.most_characters:
        return None
    end = len(text.rstrip(SIGNS + ", "))
    comma = text.rfind(BEHIND, 0, end)
    for start in (0, comma + len(BEHIND)) if comma >= 0 else (0,):
        phrase = known.phrases.get(text[start:end].lower())
        if phrase is not None and phrase.fits(text, start, end):
            return start, end, phrase
    return None


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, _Known]:
    """By source language."""
    table = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return {
        language: _Known(
            {
                phrase: SetPhrase(
                    {to: text for to, text in entry.items() if len(to) == 2},
                    entry.get("signs", ""),
                    entry.get("label", False),
                    entry.get("alone", False),
                )
                for phrase, entry in entries.items()
            },
            max(map(len, entries)) + MOST_BEFORE,
        )
        for language, entries in table.items()
    }
