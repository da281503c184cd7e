"""Countries that texts for training hardly name, so that models copied them, made words of them, or gave them a wrong
article: *Malta*, *Zambia*, *à Ghana*; and towns. Their articles are written by `country_articles.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

from service.text.translated import Translated

FILE = "countries.toml"
ARTICLE = re.compile(r"(?:l[ae]s? |l'|d(?:er|ie|as) )(?=\S)")
"""Of a country; that of a town has a capital."""
PEOPLE = ("Chad", "Jordan")
"""Names of people, too: they are countries behind words that say so."""
_PLACED = tuple(
    f"{word} {preposition}"
    for preposition, words in {
        "in": "live lives lived living born work works worked Made made years time place",
        "from": "am is are was were 'm 's come comes came refugees",
        "to": "fly flew go went travel travelled moved trip flight flights",
        "of": "capital king president government people north south east west country Kingdom Republic",
    }.items()
    for word in words.split()
)
"""Those words. *Mail from Chad* may be one of his."""
_SAID = (
    r" (?:is|was) (?:an? |the )(?:\w+ ){0,3}(?:country|nation|kingdom|republic|state)\b"
    r"|['\u2019]s (?:capital|king|president|government|population|economy|border)\b"
)
"""What follows them where it says so."""
_BEFORE = {
    "fr": r"(?:\b[Ll]'|\b[Ll]a |\b[Ll]e |\b[Ll]es |\b)",
    "en": r"\b",
    "de": r"\b",
}
"""A French article, which the other language has none for. One that stands with a preposition (*au*, *du*) remains, as
those of German do; what becomes of it is changed again, see `country_articles.py`."""
_BEHIND = r"\b(?![-'\u2019]\w| [A-Z\u00c0-\u00de])"
"""One with a further name behind it may be part of that: *Malta Airport*."""
_BEHIND_FRENCH = r"\b(?!-\w|['\u2019](?!s\b)\w| [A-Z\u00c0-\u00de])"
"""The same for French, which writes *du Ghana* for *Ghana's*."""

WITH_THE = re.compile(r"(?:s|Republic|Congo)\Z")
"""Names that have an article in English."""
DETERMINER = re.compile(r"\b(?i:the|an?|our|their|my|your|his|her|this|that|new|whole) \Z")
PREDICATE = re.compile(r" (?:is|was|has|and|or|in|on|at|to|from|with|by|for|as|but|of)\b")
"""What no noun begins with."""


def without_article(name: str) -> str:
    """The name of a country without its article: `Ghana` of `le Ghana`."""
    return ARTICLE.sub("", name, count=1)


def _tables() -> dict[tuple[str, str], dict[str, str]]:
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    rows = [dict(zip(("en", "fr", "de"), (name, *others), strict=True)) for name, others in read.pop("towns").items()]
    found: dict[tuple[str, str], dict[str, str]] = {}
    for pair, names in read.items():
        source, target = pair.split("-")
        towns = {row[source]: row[target] for row in rows if row[source] != row[target]}
        found[source, target] = names | towns
    return found


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _pattern(source: str, target: str, names: Iterable[str]) -> re.Pattern[str]:
    people = [name for name in PEOPLE if source == "en" and name in names]
    any_name = _any(name for name in names if name not in people)
    if people:
        placed = "|".join(f"(?<=(?<![a-z]){re.escape(words)} )" for words in _PLACED)
        any_name = f"{any_name}|(?:{placed})(?:{_any(people)})|(?:{_any(people)})(?={_SAID})"
    return re.compile(rf"{_BEFORE[source]}(?P<name>{any_name}){_BEHIND_FRENCH if target == 'fr' else _BEHIND}")


TABLES = _tables()
"""Names, with the articles of the language of the translation, by the languages of text and translation."""
PATTERNS = {languages: _pattern(*languages, names) for languages, names in TABLES.items()}
HINTS = {languages: re.compile(_any(names)) for languages, names in TABLES.items()}
"""The names wherever they stand: without a condition before them they are found several times as fast."""
FIRST_WORDS = frozenset(name.partition(" ")[0] for names in TABLES.values() for name in names)
"""Words that a text may begin with which has a country there and no further capital."""
FIRST_WORD = re.compile(r"\w*")


def may_have_countries(text: str, source: str, target: str, is_plain: bool = False) -> bool:
    """Whether a `source` text has one of them, found quickly; one that `is_plain` has no capital but its first."""
    hint = HINTS.get((source, target))
    if hint is None:
        return False
    if is_plain:
        first = FIRST_WORD.match(text)
        if first is None or first.group() not in FIRST_WORDS:
            return False
    return hint.search(text) is not None and PATTERNS[source, target].search(text) is not None


def countries(text: str, source: str, target: str) -> list[Translated]:
    """The countries of a `source` text as `target` writes them, without articles; none of languages that are not
    known."""
    pattern = PATTERNS.get((source, target))
    if pattern is None:
        return []
    names = TABLES[source, target]
    found = (match for match in pattern.finditer(text) if source != "en" or not _is_adjective(match))
    return [Translated(*match.span(), without_article(names[match["name"]])) for match in found]


def _is_adjective(match: re.Match[str]) -> bool:
    """Whether a country of an English text says which one of something: *the Ghana team*."""
    text, name = match.string, match["name"]
    if not text[match.end() : match.end() + 2].strip().islower() or WITH_THE.search(name):
        return False
    return DETERMINER.search(text, 0, match.start()) is not None and PREDICATE.match(text, match.end()) is None
