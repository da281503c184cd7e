"""Words that a translation must not lose: numbers, months, days of the week, well-known countries, negations.

A beam may find a translation without one of them a little likelier: *Is it cold in Chile in March?* had no Chile in
German. What has lost one is searched again with a coverage penalty, see `service/translation/repair.py`.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from service.text.mending.negations import has_negation, lost_negation

FILE = "facts.toml"
LANGUAGES = ("en", "fr", "de")
NEGATION = "not"
WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*")

Facts = dict[str, tuple[str, ...]]
"""Words of one language in lower case, and those of another of which its translation has one."""


def has_facts(text: str, source: str, target: str) -> bool:
    """Whether `text` has words that `lost_facts` may find."""
    return has_negation(text, source) or not facts_of(source, target).keys().isdisjoint(WORD.findall(text.lower()))


def lost_facts(text: str, translation: str, source: str, target: str) -> list[str]:
    """The words of `text` that `translation` has nothing for, in order, and NEGATION where it is lost; none where a
    language is not known."""
    facts, written = facts_of(source, target), translation.lower()
    found = (word for word in dict.fromkeys(WORD.findall(text.lower())) if word in facts)
    lost = [word for word in found if not any(other in written for other in facts[word])]
    return lost + [NEGATION] * lost_negation(text, translation, source, target)


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
