"""Articles and prepositions before the names of countries that were copied into a translation: *au Ghana*, *im Sudan*.

A model has read a placeholder, and does not know which article its name has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from service.text.countries import TABLES, without_article

VOWELS = "AEIOU\u00c9\u00ce"
FRENCH = {without_article(name): name for name in TABLES["en", "fr"].values()}
"""Names with their articles, by those without."""
GERMAN = {without_article(name): name for name in TABLES["en", "de"].values()}
ENGLISH_WITHOUT = frozenset(
    name
    for of in ("de", "fr")
    for name in TABLES[of, "en"].values()
    if name not in ("Comoros", "Seychelles", "Central African Republic")
)
"""Names that have no article in English."""
BEHIND_EN = ("Isra\u00ebl",)
"""Names without an article in French that stand behind *en*; others stand behind *\u00e0*."""
ISLANDS = ("\u00cele Maurice", "\u00eeles Salomon")
"""Islands by their names: one is *\u00e0 l'\u00eele*, not *en*."""
BEFORE_FRENCH = re.compile(
    r"(?i:\b(?:(?P<at>\u00e0 la |\u00e0 l'|\u00e0 |en |aux? |dans (?:la |les? |l')?)|(?P<of>de la |de l'|des? |du |d')"
    r"|la |les? |l'))\Z|\Z"
)
"""What a French model writes before such a name."""
TOWN = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]*, \Z")
"""A town and a comma, behind which a country has no article: *Accra, Ghana*."""
NO_LIST = re.compile(r"[.!?;:)]|\Z|, [a-z\u00df-\u00ff]")
"""What does not follow a name of a list."""
FURTHER = re.compile(r",? ?(?:et |ou |und |oder |and |or )?")
"""What stands before a further name of a list."""
PLURALS = {
    "est": "sont",
    "\u00e9tait": "\u00e9taient",
    "sera": "seront",
    "a": "ont",
    "avait": "avaient",
    "aura": "auront",
}
VERB = re.compile(rf"(?<= )(?:{'|'.join(PLURALS)})\b")
BEFORE_GERMAN = re.compile(
    r"(?i:\b(?:(?P<at>in|im|in dem|in der)|(?P<to>nach|in den|in die|zu|zum|zur)|(?P<of>von|vom|von dem|von der)"
    r"|(?P<dative>aus|mit|bei|seit|gegen\u00fcber)(?: dem| der)?|beim"
    r"|(?P<accusative>f\u00fcr|durch|gegen|ohne|\u00fcber)(?: den| die)?|(?P<subject>der|die)) )\Z|(?P<first>\A)\Z"
)
"""The same of German; behind other words the name stays without an article."""
BEFORE_ENGLISH = re.compile(r"\b[Tt]he \Z")


class Change(NamedTuple):
    """Words beside a name and what belongs there."""

    span: tuple[int, int]
    written: str
    kind: str = ""
    """The group of the pattern that they are of, such as *at*: the next name of a list has the same preposition."""


def around_countries(language: str, text: str, copies: Sequence[tuple[str, str]]) -> list[Change]:
    """The changes beside the countries of a translation, in order. `copies` are each placeholder of `text` and what it
    stands for."""
    find = _RULES.get(language)
    if find is None:
        return []
    waiting: dict[str, list[str]] = {}
    for sign, copy in copies:
        waiting.setdefault(sign, []).append(copy.partition(",")[0])  # of several, which are copied together
    found: list[Change] = []
    behind, kind = -1, ""
    for at, sign in enumerate(text):
        if sign not in waiting:
            continue
        name = waiting[sign].pop(0) if len(waiting[sign]) > 1 else waiting[sign][0]
        is_further = behind >= 0 and FURTHER.fullmatch(text, behind, at) is not None
        change = find(text, at, name, kind if is_further else "")
        if change is None:
            behind, kind = -1, ""
            continue
        found.append(change)
        behind, kind = at + 1, change.kind
        verb = VERB.match(text, at + 2) if language == "fr" and change.written == "Les " else None
        if verb is not None:
            found.append(Change(verb.span(), PLURALS[verb.group()]))
    return found


def _before_french(text: str, at: int, name: str, kind: str) -> Change | None:
    whole = FRENCH.get(name)
    match = BEFORE_FRENCH.search(text, 0, at) if whole else None
    if whole is None or match is None or (not kind and _is_apposition(match, at)):
        return None
    kind = "at" if match["at"] else "of" if match["of"] else kind if not match.group() else ""
    article = whole.removesuffix(name)
    written = article
    if kind == "at":
        is_bare = not article and name not in BEHIND_EN
        written = {"le ": "au ", "les ": "aux "}.get(article, "\u00e0 " if is_bare else "en ")
        if name in ISLANDS and article == "l'":
            written = "\u00e0 l'"
    elif kind == "of":
        is_from = (match["of"] or "de ").lower() in ("de ", "d'") and article != "les " and name not in ISLANDS
        from_it = "d'" if name[0] in VOWELS else "de "
        written = {"le ": "du ", "les ": "des "}.get(article, from_it if is_from or not article else f"de {article}")
    return Change(match.span(), _as_first(written, match, at), kind)


def _is_apposition(match: re.Match[str], at: int) -> bool:
    text = match.string
    return not match.group() and TOWN.search(text, 0, at) is not None and NO_LIST.match(text, at + 1) is not None


def _before_german(text: str, at: int, name: str, kind: str) -> Change | None:
    whole = GERMAN.get(name)
    if whole is None or whole == name:
        return None
    match = BEFORE_GERMAN.search(text, 0, at)
    if match is None:
        return None
    is_feminine = whole.startswith("die ")
    dative, accusative, nominative = ("der", "die", "die") if is_feminine else ("dem", "den", "der")
    if match["at"]:
        written = "in der" if is_feminine else "im"
    elif match["to"]:
        written = f"in {accusative}"
    elif match["of"]:
        written = "von der" if is_feminine else "vom"
    elif match["dative"]:
        written = f"{match['dative']} {dative}"
    elif match["accusative"]:
        written = f"{match['accusative']} {accusative}"
    elif match["subject"] or match["first"] is not None:
        written = nominative
    else:
        written = f"bei {dative}"
    return Change(match.span(), _as_first(f"{written} ", match, at))


def _before_english(text: str, at: int, name: str, kind: str) -> Change | None:
    match = BEFORE_ENGLISH.search(text, 0, at) if name in ENGLISH_WITHOUT else None
    return Change(match.span(), "") if match else None


def _as_first(written: str, match: re.Match[str], at: int) -> str:
    """`written` with a capital where what it replaces has one, or where the text begins."""
    is_first = match.group()[:1].isupper() if match.group() else at == 0
    return written[:1].upper() + written[1:] if is_first else written


_RULES: Mapping[str, Callable[[str, int, str, str], Change | None]] = {
    "fr": _before_french,
    "de": _before_german,
    "en": _before_english,
}
