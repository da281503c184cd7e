"""Plurals of feminine nouns, in French translations: *Les cl\xe9s ont \xe9t\xe9 remises*, *des bottes, elles sont*.

English agrees in nothing, and models take the masculine where the noun is some words away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from service.text.names.things import FEMININE, MASCULINE, VAGUE, things
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

WOMEN = word_set("dames femmes filles m\xe8res personnes s\u0153urs victimes infirmi\xe8res actrices vaches poules")
ALWAYS = word_set(
    "affaires bottes carottes courses fraises lentilles lunettes p\xe2tes pommes tomates toilettes vacances"
)
"""Things that come as several."""
NO_THINGS = WOMEN | {f"{noun}s" for noun in VAGUE}
"""What *they* are not."""
_MANY = (
    r"(?:[Ll]es|[Dd]es|[Cc]es|[Mm]es|[Tt]es|[Ss]es|[Nn]os|[Vv]os|[Ll]eurs|[Dd]eux|[Tt]rois|[Qq]uatre|[Cc]inq|[Ss]ix"
    r"|[Dd]ix|[Pp]lusieurs|[Qq]uelques|[Ll]es deux|[Aa]ux|\d+)"
)
_BE = r"(?:ont \xe9t\xe9|avaient \xe9t\xe9|sont|\xe9taient|seront|seraient)"
_HOW = r"(?: (?:pas|plus|d\xe9j\xe0|encore|trop|tr\xe8s|si|assez|plut\xf4t|toujours|tous|bien))*"
NOUNS = re.compile(
    rf"\b{_MANY} (?:(?:autres|petites|grandes|nouvelles|vieilles|belles|bonnes|jeunes|premi\xe8res) )?(?P<noun>[\w-]+)"
)
SUBJECT = re.compile(
    rf"\A{_MANY} (?P<noun>[\w-]+)(?P<between>(?: (?!(?:et|ou|qui|que|dont|o\xf9|les|des|[a-z]+ent|ont"
    rf"|sont)\b)[a-z\xe0-\xff']+){{0,5}})"
    rf" {_BE}{_HOW} (?P<word>[a-z\xe0-\xff]+)\b(?! (?:par des|comme des))"
)
"""A sentence that begins with its subject, and what that is."""
NEXT = re.compile(rf"(?<= et ){_MANY} (?P<noun>[\w-]+) {_BE}{_HOW} (?P<word>[a-z\xe0-\xff]+)\b")
"""A second one."""
THEY = re.compile(
    rf"(?:, (?:mais |et |car )?| mais | et )(?P<they>ils)(?P<be> {_BE}{_HOW} (?P<word>[a-z\xe0-\xff]+)\b)(?! et )"
)
GROUP = re.compile(
    r"\b(?:banque|boutique|compagnie|couple|\xe9cole|entreprise|\xe9quipe|famille|gouvernement|groupe|h\xf4tel"
    r"|magasin|mairie|police|public|restaurant|service|soci\xe9t\xe9|th\xe9\xe2tre|vendeur|site|usine|h\xf4pital|mus\xe9e"
    r"|club|parti)\b"
)
"""Who may be *they*, too."""
READ = re.compile(r"\b[Tt]hey\b")
REGULAR = re.compile(r"(?<=[a-z]{2})(?:\xe9s|[aeo]nts|[dnr]us|[lt]is|its|rts|[nr]ds|uds)\Z")
"""How a masculine plural ends that takes an *e*."""
OTHERS = {
    "chers": "ch\xe8res", "longs": "longues", "neufs": "neuves", "bons": "bonnes", "gros": "grosses", "beaux": "belles",
    "vieux": "vieilles", "secs": "s\xe8ches", "remis": "remises", "mis": "mises", "pris": "prises",
    "secourus": "secourues", "perdus": "perdues", "vendus": "vendues",
}  # fmt: skip
NO_ADJECTIVES = word_set(
    "dans hors sans pour vers depuis apr\xe8s toujours jamais plus moins pas dessous dessus dedans puis mais",
    "adolescents agents assistants clients commer\xe7ants enfants \xe9tudiants habitants parents retrait\xe9s",
)
"""Words that end like one."""


def with_feminines(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A French translation of the English text that was `read`, with the feminine plurals that its nouns want."""
    if languages != ("en", "fr") or "s " not in text:
        return text, spans
    changes: dict[Stretch, str] = {}
    subject = SUBJECT.match(text)
    for match in (subject, *NEXT.finditer(text)) if subject else NEXT.finditer(text):
        if match["noun"] in _plurals() and (feminine := _feminine(match["word"])):
            changes[match.span("word")] = feminine
    if "ls " in text and READ.search(read) is not None:
        changes |= _of_they(text)
    found = sorted(changes)
    return rewritten(text, spans, found, [changes[span] for span in found]) if found else (text, spans)


def _of_they(text: str) -> dict[Stretch, str]:
    """*Elles* for *ils*, where all plurals before it are feminine."""
    changes: dict[Stretch, str] = {}
    if GROUP.search(text) is not None:
        return changes
    for match in THEY.finditer(text):
        nouns = [each["noun"] for each in NOUNS.finditer(text, 0, match.start("they"))]
        if not nouns or not all(noun in _plurals() and noun not in NO_THINGS for noun in nouns):
            return {}
        word = match["word"]
        feminine = _feminine(word)
        if feminine:
            changes[match.span("word")] = feminine
        elif word.endswith(("s", "x")) and not word.endswith("es") and word not in NO_ADJECTIVES:
            return {}
        changes[match.span("they")] = "elles"
    return changes


def _feminine(word: str) -> str:
    """The feminine of a masculine plural; nothing where it is not known."""
    if word in OTHERS:
        return OTHERS[word]
    return f"{word[:-1]}es" if word not in NO_ADJECTIVES and REGULAR.search(word) else ""


@lru_cache(maxsize=1)
def _plurals() -> frozenset[str]:
    """Feminine nouns in the plural."""
    known = things()
    plurals = {f"{noun}s" for noun in known[FEMININE] - known[MASCULINE] if not noun.endswith(("s", "x", "z"))}
    return WOMEN | ALWAYS | plurals - known[MASCULINE]
