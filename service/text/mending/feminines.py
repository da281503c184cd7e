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
_BE = r"(?:se sont|ont \xe9t\xe9|avaient \xe9t\xe9|sont|\xe9taient|seront|seraient)"
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
    "blancs": "blanches", "gris": "grises", "l\xe9gers": "l\xe9g\xe8res",
    "secourus": "secourues", "perdus": "perdues", "vendus": "vendues",
}  # fmt: skip
BEFORE_NOUN = {
    "nouveaux": "nouvelles", "anciens": "anciennes", "petits": "petites", "grands": "grandes", "gros": "grosses",
    "beaux": "belles", "bons": "bonnes", "vieux": "vieilles", "premiers": "premi\xe8res", "derniers": "derni\xe8res",
}  # fmt: skip
BEFORE = re.compile(rf"\b(?:{_MANY}|[Dd]e) (?P<word>{'|'.join(BEFORE_NOUN)}) (?P<noun>[\w-]+)")
"""An adjective before its noun: *dix nouveaux maisons*."""
BEHIND = re.compile(
    rf"\b{_MANY} (?P<noun>[\w-]+) (?P<word>noirs|blancs|gris|verts|bleus|bruns|neufs|ronds|carr\xe9s|cass\xe9s"
    r"|perdus|vol\xe9s|cuits|crus|gratuits|ouverts|ferm\xe9s|froids|chauds|lourds|l\xe9gers|longs|courts)\b"
)
"""One behind it: *deux chaises neufs*."""
EXCELLENT = re.compile(r"\b[Ee]xcellent(?P<e>) (?P<noun>[\w-]+)")
PRAISED = word_set("ambiance cuisine exp\xe9rience nourriture qualit\xe9 valeur vue")
"""Singulars that reviews praise."""
LISTED = re.compile(
    r"(?:\A|(?<=, )|(?<=\bet ))(?P<noun>[\w-]+s) (?P<word>g\xe9n\xe9reux|copieux"
    r"|d\xe9licieux|courts|longs|cass\xe9s|perdus)\b"
)
"""What reviews list: *portions g\xe9n\xe9reuses*."""
NO_ADJECTIVES = word_set(
    "dans hors sans pour vers depuis apr\xe8s toujours jamais plus moins pas dessous dessus dedans puis mais",
    "adolescents agents assistants clients commer\xe7ants enfants \xe9tudiants habitants parents retrait\xe9s",
)
"""Words that end like one."""


def with_feminines(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A French translation of the English text that was `read`, with the feminine plurals that its nouns want."""
    if languages != ("en", "fr") or not any(map(text.__contains__, ("s ", "x ", "ent "))):
        return text, spans
    changes = {match.span("e"): "e" for match in EXCELLENT.finditer(text) if match["noun"] in PRAISED}
    subject = SUBJECT.match(text)
    for match in (subject, *NEXT.finditer(text)) if subject else NEXT.finditer(text):
        if match["noun"] in _plurals() and (feminine := _feminine(match["word"])):
            changes[match.span("word")] = feminine
    for match in BEFORE.finditer(text):
        if match["noun"] in _plurals():
            changes[match.span("word")] = BEFORE_NOUN[match["word"]]
    for match in BEHIND.finditer(text):
        if match["noun"] in _plurals():
            word = match["word"]
            changes[match.span("word")] = OTHERS.get(word, f"{word[:-1]}es")
    for match in LISTED.finditer(text):
        word = match["word"]
        if match["noun"].lower() in _plurals():
            changes[match.span("word")] = (
                f"{word[:-1]}ses" if word.endswith("x") else OTHERS.get(word, f"{word[:-1]}es")
            )
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
