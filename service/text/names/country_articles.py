"""Articles and prepositions before the names of countries that were copied into a translation: *au Ghana*, *im Sudan*.

A model has read a placeholder, and does not know which article its name has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from service.text.names.countries import TABLES, without_article

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
BEHIND_EN = ("Isra\u00ebl", "Ha\u00efti")
"""Names without an article in French that stand behind *en*; others stand behind *\u00e0*."""
NO_COUNTRIES = ("\u00cele Maurice", "Grenade", "OTAN", "OMS", "FMI", "BCE", "CIA")
"""Islands and organisations: one is *\u00e0 l'\u00eele*, *\u00e0 la Grenade*, *\u00e0 l'OMS*, not *en*."""
BEFORE_FRENCH = re.compile(
    r"(?i:\b(?:(?P<at>\u00e0 la |\u00e0 l'|\u00e0 |en |aux? |dans (?:la |les? |l')?)|(?P<of>de la |de l'|des? |du |d')"
    r"|(?P<all>tou(?:te?s?|s) )?(?:la |les? |l')?(?P<that>que )?))\Z|\Z"
)
"""What a French model writes before such a name; it may be nothing."""
TO = re.compile(
    r"\b(?i:gr\u00e2ce|face|compar\w*|contrairement|rapport|quant|apparten\w*|appartien\w*|pens\w*|perdu?e?s?|li\u00e9e?s?"
    r"|semblables?|oppos\u00e9e?s?|favorables?|donn\w*|vend\w*) \Z"
)
"""Words before an *\u00e0* that is no place: *gr\u00e2ce \u00e0 la Malaisie*, not *en Malaisie*."""
ABOUT = re.compile(r"\b(?i:parl\w*|pr\u00e8s|loin|autour|besoin|dehors|\u00e9conomie|histoire) \Z")
"""Words before a *de* that has the article behind it: *parler de la Zambie*, not *venir de Zambie*."""
NO_ARTICLE = re.compile(
    r"(?:[-\u2013]|\b(?i:une?|notre|nos|votre|vos|mon|ma|son|sa|leur|ce|cette|cet|mot|nom|Miss|bel|belle|beau|cher|ch\u00e8re|pays)"
    r"(?: \w+)? )\Z"
)
"""What an article does not stand behind: *le mot Ghana*, *notre cher Liban*."""
TOWN = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]*, \Z")
"""A town and a comma, behind which a country has no article: *Accra, Ghana*."""
NO_LIST = re.compile(r"[.!?;:)]|\Z|, [a-z\u00df-\u00ff\d]| [-\u2013]")
"""What does not follow a name of a list."""
FURTHER = re.compile(r"(?P<bare>, )|,? (?:et|ou) (?:la |les? |l')?")
"""What stands before a further name of a list; behind one that has a `bare` comma before it stands IN_LIST."""
IN_LIST = re.compile(r"\s*(?:[.;,!?)]|\Z|et\b|ou\b)")
LABEL = re.compile(r"(?::|\A-|\n-)\s\Z")
"""What stands before a value that is no part of a sentence."""
AUXILIARIES = {
    "est": "sont",
    "\u00e9tait": "\u00e9taient",
    "sera": "seront",
    "a": "ont",
    "avait": "avaient",
    "aura": "auront",
}
"""In the singular, and in the plural."""
VERB = re.compile(rf"(?<= )(?:{'|'.join(AUXILIARIES)})\b")
BEFORE_GERMAN = re.compile(
    r"(?i:\b(?:(?P<at>in|im|in dem|in der)|(?P<into>nach|in den|in die)|(?P<to>zu|zum|zur)"
    r"|(?P<of>von|vom|von dem|von der)|(?P<dative>aus|mit|bei|seit|gegen\u00fcber)(?: dem| der)?|beim"
    r"|(?P<accusative>f\u00fcr|durch|gegen|ohne|\u00fcber|lieb\w*|mag|besuch\w*|verl[ai]\w*)(?: den| die)?"
    r"|(?P<subject>der|die)) )\Z|(?P<first>\A)\Z"
)
"""The same of German; behind other words the name stays without an article."""
PART_OF_WORD = re.compile(r"s\b|-| [A-Z\u00c4\u00d6\u00dc]")
"""What stands behind a name that is a genitive or a part of another name: *Sudans Armee*."""
BEFORE_ENGLISH = re.compile(r"\b[Tt]he \Z")
NO_NOUN = re.compile(
    r"[.,;:!?)]|\Z| (?:is|was|are|were|has|had|will|would|can|and|or|but|in|on|at|to|from|with|by|for|as|since|after"
    r"|before|when|where|who|which|that)\b"
)
"""What follows where an English article is that of the country: *in the Sudan*, not *the Malta team*."""


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
        link = FURTHER.fullmatch(text, behind, at) if behind >= 0 else None
        is_further = link is not None and (link["bare"] is None or IN_LIST.match(text, at + 1) is not None)
        change = find(text, at, name, kind if is_further else "")
        if change is None:
            behind, kind = -1, ""
            continue
        found.append(change)
        behind, kind = at + 1, change.kind
        verb = VERB.match(text, at + 2) if language == "fr" and change.written == "Les " else None
        if verb is not None:
            found.append(Change(verb.span(), AUXILIARIES[verb.group()]))
    return found


def _before_french(text: str, at: int, name: str, kind: str) -> Change | None:
    whole = FRENCH.get(name)
    match = BEFORE_FRENCH.search(text, 0, at) if whole else None
    if whole is None or match is None or (not kind and _stands_alone(match, at)):
        return None
    kind = "at" if match["at"] else "of" if match["of"] else kind
    article, has_vowel = whole.removesuffix(name), name[0] in VOWELS or name == "Ha\u00efti"
    written = article
    if kind == "at":
        written = {"le ": "au ", "les ": "aux "}.get(article, f"\u00e0 {article}")
        is_place = name not in NO_COUNTRIES and TO.search(text, 0, match.start()) is None
        if is_place and (article in ("la ", "l'") or name in BEHIND_EN):
            written = "en "
    elif kind == "of":
        is_from = (match["of"] or "de ").lower() in ("de ", "d'") and article != "les " and name not in NO_COUNTRIES
        is_from = is_from and ABOUT.search(text, 0, match.start()) is None
        from_it = "d'" if has_vowel else "de "
        written = {"le ": "du ", "les ": "des "}.get(article, from_it if is_from or not article else f"de {article}")
    elif match["all"]:
        written = {"la ": "toute ", "les ": "tous "}.get(article, "tout ") + article
    elif match["that"]:
        written = "qu'" if not article and has_vowel else f"que {article}"
    return Change(match.span(), _as_first(written, match, at), kind)


def _stands_alone(match: re.Match[str], at: int) -> bool:
    """Whether a name without a word before it stays so: behind its town, in brackets, as a value, as a part of another
    name."""
    text = match.string
    if match.group():
        return False
    if NO_ARTICLE.search(text, 0, at) or (text[at - 1 : at] == "(" and text[at + 1 : at + 2] == ")"):
        return True
    if text.startswith(" (", at + 1) and at == 0:
        return True
    is_last = not text[at + 1 :].strip(" .")
    return (is_last and LABEL.search(text, 0, at) is not None) or _is_apposition(match, at)


def _is_apposition(match: re.Match[str], at: int) -> bool:
    text = match.string
    return TOWN.search(text, 0, at) is not None and NO_LIST.match(text, at + 1) is not None


def _before_german(text: str, at: int, name: str, kind: str) -> Change | None:
    whole = GERMAN.get(name)
    if whole is None or whole == name:
        return None
    match = BEFORE_GERMAN.search(text, 0, at)
    if match is None or PART_OF_WORD.match(text, at + 1):
        return None
    is_feminine = whole.startswith("die ")
    dative, accusative, nominative = ("der", "die", "die") if is_feminine else ("dem", "den", "der")
    if match["at"]:
        written = "in der" if is_feminine else "im"
    elif match["into"] and name.isupper() and match["into"].lower() == "nach":
        if match["into"] == "nach":
            return None
        written = "laut"  # According to the WHO
    elif match["into"]:
        written = f"in {accusative}"
    elif match["to"]:
        written = "zur" if is_feminine else "zum"
    elif match["of"]:
        written = "von der" if is_feminine else "vom"
    elif match["dative"]:
        written = f"{match['dative']} {dative}"
    elif match["accusative"]:
        written = f"{match['accusative']} {accusative}"
    elif is_feminine and match.start() and match["subject"] in ("der", "Der"):
        return None  # a genitive or a dative
    elif match["subject"] or match["first"] is not None:
        written = nominative
    else:
        written = f"bei {dative}"
    return Change(match.span(), _as_first(f"{written} ", match, at))


def _before_english(text: str, at: int, name: str, kind: str) -> Change | None:
    match = BEFORE_ENGLISH.search(text, 0, at) if name in ENGLISH_WITHOUT and NO_NOUN.match(text, at + 1) else None
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
