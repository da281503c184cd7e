"""Names that a small model may garble: rare ones, and those that somebody is addressed by or signs with."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from model_store.contract.calendar import CALENDAR

Encode = Callable[[str], Sequence[int]]

CAPITALISED = re.compile(r"\b[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
MIN_LETTERS, MIN_PIECES, MIN_LOWER_PIECES = 4, 3, 3
"""Shortest rare name, in letters, in subwords, and in subwords of its lower-case form."""
MIN_FIRST_PIECES = 4
"""Shortest one at the beginning of a text or behind punctuation, where any word may have a capital, in subwords."""
BEGINS = re.compile(r"(?:^|[^\w\s])\s*\Z")
"""What stands before such a place."""
COMMON_PIECES = 2
"""A word of at most so many subwords is a common one."""
CAPITAL_NOUNS = ("de",)
"""Languages that write nouns with a capital."""
ADDRESSED = re.compile(r"(?P<before>[^\W\d_]+)[.!?]?,\s+(?P<name>[^\W\d_]+)\s*[.!?\u2026]*\s*\Z")
"""A word behind the last comma, as in `Good morning, Anna!` and `Best regards, Peter`."""
TITLES = frozenset(
    word
    for words in (
        "sir madam mom mum mummy dad daddy doctor father mother grandma grandpa god lord professor captain world",
        "herr frau mama papa oma opa doktor gott welt",
    )
    for word in words.split(" ")
)
"""Words that people, and the world, are addressed by and that are translated."""

TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Monsieur|Madame|Mademoiselle|Mme|Mlle|Herrn?|Frau)\b\.?\s+"
    r"(?P<name>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)"
)
"""A title, and the word behind it."""
OFFICES = frozenset(
    word
    for words in (
        "president minister chairman chairwoman speaker mayor ambassador secretary chancellor director prime vice",
        "président présidente ministre maire ambassadeur directeur directrice",
        "präsident präsidentin ministerin kanzler kanzlerin bundeskanzler bundeskanzlerin direktor direktorin",
        "bürgermeister bürgermeisterin botschafter botschafterin",
    )
    for word in words.split(" ")
)
"""Words behind a title that are translated."""


def rare_names(text: str, encode: Encode) -> list[str]:
    """The rare names of `text`, in order; then those behind a title, and the one that somebody is addressed by at the
    end."""
    found = (
        (match.group().removesuffix("'s"), BEGINS.search(text, 0, match.start()) is not None)
        for match in CAPITALISED.finditer(text)
    )
    names = [word for word, begins in found if _is_rare(word, encode, MIN_FIRST_PIECES if begins else MIN_PIECES)]
    addressed = addressed_name(text)
    further = [*titled_names(text), addressed] if addressed is not None else titled_names(text)
    return [*names, *(name for name in further if name not in names)]


def titled_names(text: str) -> list[str]:
    """The names of `text` behind a title: Dupont of *Monsieur Dupont*."""
    names = (match["name"].removesuffix("'s") for match in TITLED.finditer(text))
    return [name for name in names if name.istitle() and name.lower() not in OFFICES | TITLES | CALENDAR]


def addressed_name(text: str) -> str | None:
    """The name behind the last comma of `text`; None where that may be a title, a day, part of a place's name, or one
    of a list of headings."""
    match = ADDRESSED.search(text)
    if match is None:
        return None
    name, before = match["name"], match["before"]
    is_capitalised = before[0].isupper() and before.lower() not in CALENDAR
    may_be_listed = match.start("before") > 0 or text[-1].isalpha()  # I live in Paris, France; Name, Address
    if (is_capitalised and may_be_listed) or not name.istitle() or name.lower() in CALENDAR | TITLES:
        return None
    return name


def _is_rare(word: str, encode: Encode, least: int) -> bool:
    if len(word) < MIN_LETTERS or not word[0].isupper() or word.isupper() or word.lower() in CALENDAR:
        return False
    return len(encode(word)) >= least and len(encode(word.lower())) >= MIN_LOWER_PIECES


def garbled_names(source: str, target: str, encode: Encode, language: str) -> list[str]:
    """Rare names of `source` that `target`, of a `language`, has not, unless it has as many common names for them.

    Switzerland becomes Suisse, which is a common word; Mbappe becomes Mbape, which is none. In a language that writes
    nouns with a capital there is no telling, so every missing name is garbled, as one behind a title is in every
    language. A genitive's s is allowed.
    """
    missing = [name for name in rare_names(source, encode) if not re.search(rf"\b{re.escape(name)}s?\b", target)]
    if not missing:
        return []
    if language in CAPITAL_NOUNS:
        return missing
    own = [word for word in CAPITALISED.findall(target)[1:] if word[0].isupper() and word not in source]
    common = [word for word in own if len(encode(word)) <= COMMON_PIECES]
    if len(common) < len(missing):
        return missing
    titled = titled_names(source)
    return [name for name in missing if name in titled]


def stretches_of(names: Collection[str]) -> Callable[[str], list[tuple[int, int]]]:
    """A finder of all places where one of `names` stands in a text as a word."""
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True)))
    return lambda text: [match.span() for match in pattern.finditer(text)] if names else []
