"""Words that a translation must not lose: numbers, months, days of the week, well-known countries, negations.

A beam may find a translation without one of them a little likelier: *Is it cold in Chile in March?* had no Chile in
German. What has lost one is searched again with a coverage penalty, see `service/translation/repair.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from service.text.mending.negations import has_negation, says_no

FILE = "facts.toml"
LANGUAGES = ("en", "fr", "de")
NEGATION = "not"
WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*")

Facts = dict[str, tuple[str, ...]]
"""Words of one language in lower case, and those of another of which its translation has one."""


def facts_in(text: str, source: str, target: str) -> list[str]:
    """The words of `text` that its translation must not lose, in order, and NEGATION if it has one; none where a
    language is not known."""
    facts = facts_of(source, target)
    if not facts:
        return []
    words = WORD.findall(text.lower())
    found = [] if facts.keys().isdisjoint(words) else [word for word in dict.fromkeys(words) if word in facts]
    return [*found, NEGATION] if has_negation(text, source) else found


def lost_facts(found: Sequence[str], translation: str, source: str, target: str) -> list[str]:
    """Those of the facts `found` in a text that `translation` has nothing for."""
    facts, written = facts_of(source, target), translation.lower()
    return [
        fact
        for fact in found
        if not (says_no(translation, target) if fact == NEGATION else any(word in written for word in facts[fact]))
    ]


@lru_cache
def facts_of(source: str, target: str) -> Facts:
    """The facts of texts in `source`, from FILE."""
    if source == target or not {source, target} <= set(LANGUAGES):
        return {}
    read: dict[str, str] = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    at, to = LANGUAGES.index(source), LANGUAGES.index(target)
    found: Facts = {}
    for line in "".join(read.values()).splitlines():
        columns = line.split(" | ")
        word, *_ = columns[at].split(" / ")
        if WORD.fullmatch(word):
            found[word] = (*columns[to].removeprefix("-").split(" / "), *_digits(columns))
    return found


def _digits(columns: list[str]) -> list[str]:
    """The number in digits, which every language may write."""
    return [word for word in columns[0].split(" / ") if word[0].isdigit()]
