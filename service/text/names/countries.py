"""Countries that texts for training hardly name, so that models copied them, made words of them, or gave them a wrong
article: *Malta*, *Zambia*, *à Ghana*; and towns. Their articles are written by `country_articles.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

from service.text.names.common_names import everyday_names
from service.text.spans.stretches import Translated
from service.text.spans.word_sets import word_set

FILE = "countries.toml"
ARTICLE = re.compile(r"(?:l[ae]s? |l'|d(?:er|ie|as) )(?=\S)")
"""Of a country; that of a town has a capital."""
MOST_BEFORE = 40
"""Code points before a name that are looked at."""
PEOPLE = ("Chad", "Jordan")
"""Names of people, too: they are countries behind words that say so."""
_PLACED = tuple(
    f"{word} {preposition}"
    for preposition, words in {
        "in": "live lives lived living born work works worked Made years made time place",
        "from": "am are were 'm come comes refugees Greetings",
        "to": "fly flew travel travelled trip flight flights",
        "of": "capital king president government people north south east west country Kingdom Republic",
    }.items()
    for word in words.split()
) + tuple(
    f"{who} {verb}"
    for who in ("I", "we", "he", "she", "they")
    for verb in ("is from", "was from", "came from", "went to", "moved to")
)
"""Those words. *Mail from Chad* may be one of his."""
_SAID = (
    r" (?:is|was) (?:an? |the )(?:\w+ ){0,3}(?:country|nation|kingdom|republic|state)(?:[.,;!?]| in\b| of\b| with\b)"
    r"|['\u2019]s (?:capital|king|president|population)\b"
)
"""What follows them where it says so."""
PERSON = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Sir|Lady|Herr|Frau|[Mm]onsieur|[Mm]adame|Mme|M|[Dd]\u00e9put\u00e9e?|Miss|Prince|Princess|Mlle)\.?"
    r"|(?P<name>\b[A-Z\u00c0-\u00de][\w'\u2019-]*)) \Z"
)
"""A title, or another name, before one that may be a person's or a company's: *Kathy Ireland*, *Vodafone Ghana*."""
NO_NAMES = word_set(
    "in from to of and or the a an at for with by is are but if as i we he she they you about into via near between",
    "en à au aux de du des et ou la le les vers pour par sur dans avec sans contre entre depuis mais si que",
)
"""Words in headings, where any may have a capital."""
BEGINS = re.compile(r"(?:\A|[.!?:;\n])[\s\"'(\u00ab\u201c-]*\Z")
TRADE = re.compile(r" (?:shorts|hats?|sole|rum|coffee)\b")
"""What stands behind a name that is none of a place of its own: *Panama hat*."""
_BEFORE = r"(?<![-\w])"
_BEFORE_IN_FRENCH = rf"(?:\b[Ll]'|\b[Ll]a |\b[Ll]e |\b[Ll]es |{_BEFORE})"
"""An article, which the other language has none for. One that stands with a preposition (*au*, *du*) remains, as those
of German do; what becomes of it is changed again, see `country_articles.py`."""
_BEHIND = r"\b(?!-\w|['\u2019]{genitive}\w| [A-Z\u00c0-\u00de])"
"""One with a further name behind it may be part of that: *Malta Airport*."""
_GENITIVE = r"(?!s\b)"
"""What may stand there for French, which writes *du Ghana* for *Ghana's*."""

WITH_THE = re.compile(r"(?:s|Republic|Congo)\Z")
"""Names that have an article in English."""
DETERMINER = re.compile(r"\b(?i:the|an?|our|their|my|your|his|her|this|that|new|whole) \Z")
PREDICATE = re.compile(r" (?:is|was|has|and|or|in|on|at|to|from|with|by|for|as|but|of)\b")
"""What no noun begins with."""
OF_ORGANISATION = re.compile(
    r" (?:reports?|president|agents?|director|members?|troops|chief|officials?|spokes\w+|stud(?:y|ies)|data|summit"
    r"|mission|forces|leaders?|secretary|budget|resolutions?|headquarters|staff|vote|polic(?:y|ies)|experts?|team|countr(?:y|ies)|allies|bases?"
    r"|soldiers?|allian\w+|buildings?|charter|inspectors?|observers?)"
    r"\b(?! (?:that|the|an?)\b)"
)
"""What organisations have."""


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
        begun = {f"T{name[1:]}": written for name, written in names.items() if name.startswith("the ")}
        found[source, target] = names | begun | towns
    return found


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _pattern(source: str, target: str, names: Iterable[str]) -> re.Pattern[str]:
    people = [name for name in PEOPLE if source == "en" and name in names]
    any_name = _any(name for name in names if name not in people)
    if people:
        placed = "|".join(f"(?<=(?<![a-z]){re.escape(words)} )" for words in _PLACED)
        any_name = f"{any_name}|(?:{placed})(?:{_any(people)})|(?:{_any(people)})(?={_SAID})"
    before = _BEFORE_IN_FRENCH if source == "fr" else _BEFORE
    return re.compile(f"{before}(?P<name>{any_name}){_BEHIND.format(genitive=_GENITIVE if target == 'fr' else '')}")


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
    found = (match for match in pattern.finditer(text) if _is_place(match, source))
    return [Translated(*match.span(), without_article(names[match["name"]])) for match in found]


def _is_place(match: re.Match[str], source: str) -> bool:
    """Whether the name stands for a place, and not for a person or a thing."""
    text, start = match.string, match.start()
    if source != "de" and _is_of_person(text, start, source):  # any noun has a capital there
        return False
    return source != "en" or not (TRADE.match(text, match.end()) or _is_adjective(match))


def _is_of_person(text: str, start: int, language: str) -> bool:
    person = PERSON.search(text, max(0, start - MOST_BEFORE), start)
    if person is None or person["name"] is None:
        return person is not None
    if BEGINS.search(text[: person.start("name")][-MOST_BEFORE:]):
        return person["name"] in everyday_names(language, language).given
    return person["name"].lower() not in NO_NAMES


def _is_adjective(match: re.Match[str]) -> bool:
    """Whether a country of an English text says which one of something: *the Ghana team*, *NATO troops*."""
    text, name = match.string, match["name"]
    if not text[match.end() : match.end() + 2].strip().islower() or WITH_THE.search(name):
        return False
    if name.isupper() or name.lower().startswith("the "):
        return OF_ORGANISATION.match(text, match.end()) is not None
    if PREDICATE.match(text, match.end()) is not None:
        return False
    near = max(0, match.start() - MOST_BEFORE)
    return DETERMINER.search(text, near, match.start()) is not None
