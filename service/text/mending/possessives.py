"""What belongs to people, in English translations: *Melanie's party*, *at Julien's*, *the Moreaus*.

German has no apostrophe (*Melanies Feier*), and French has *chez Julien* and *les Moreau*: models copy the name as it
stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.text.mending.agreement import PLURALS
from service.text.names.common_names import Names, everyday_names
from service.text.names.families import families
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

_WORD = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{1,30}+"
_NAME = rf"{_WORD}(?:-{_WORD})?"
_TITLE = r"(?:Mme|Mlle|M\.|Madame|Monsieur|Dr)"
OWNER = re.compile(
    r"(?P<owner>[A-Z\u00c0-\u00de](?<!\w.)[a-z\u00df-\u00ff]{2,30})s"
    r"(?= (?:(?!(?:d(?:er|ie|as|e[mns])|(?:[mdsk]?ein|ihr|unser|eue?r)e?[mnrs]?|und|oder) )[a-z\u00df-\u00ff]{1,30} )?"
    r"(?P<owned>[A-Z\u00c4\u00d6\u00dc][a-z\u00df-\u00ff]+))"
)
"""A German genitive before its noun; an adjective may stand between."""
ENDS_WITH_S = re.compile(r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{1,30}s(?:'s| [a-z])")
"""Found quickly in English texts that may lack an apostrophe."""
TITLED = re.compile(r"\b(?:Herrn?|Frau|Dr\.) \Z")
CLOTHES = frozenset(("Jeans", "Shorts", "Boots"))
"""Plurals that are no owners: *in Jeans beim Kehren*."""
MOST_BEFORE = 8
"""Code points before an owner that are looked at."""
RELATED = word_set(
    "Bruder Schwester Mutter Vater Eltern Freund Freundin Mann Frau Ehemann Ehefrau Sohn Tochter Oma Opa Onkel Tante",
    "Cousin Cousine Neffe Nichte Gro\xdfmutter Gro\xdfvater Geburtstag Hochzeit Abschiedsfeier Geburtstagsfeier",
)
"""What nobody but a person has, whatever the name is."""
AT = {
    "fr": re.compile(rf"\bchez (?P<title>{_TITLE} )?(?:{_NAME} )?(?P<name>{_NAME})(?!\w| et [A-Z]|[ -][A-Z])"),
    "de": re.compile(rf"\b[Bb]ei (?P<title>(?:Herrn|Frau) )?(?:{_NAME} )?(?P<name>{_NAME})(?!\w| und [A-Z]|[ -][A-Z])"),
}
"""At somebody's place, by language."""
FAMILY = re.compile(rf"\b(?:[Ll]es|[Dd]es|[Aa]ux) (?P<name>{_NAME})(?! [A-Z\u00c0-\u00de]|\w)")
HINTS = {"fr": "chez ", "de": "ei "}
"""One is in every text with such a place."""
PLACE = rf"\b(?:at|(?P<inside>in)<to>) (?:M[rs]s?\.? )?(?:{_NAME} )?<name>(?!['\u2019\w-]| (?:and )?[A-Z])"
"""The same in English; *in* is a place's."""
TO = {"fr": "|to", "de": ""}
"""German *bei* says where something is."""
ENDS_LIKE_PLURAL = ("s", "x", "z")
"""Of surnames that get no further *s*."""
NO_PERSON = (
    r"(?!['\u2019\w-]| [A-Z\u00c0-\u00de]| (?:family|couple|house|home|household|family's|family\u2019s|couple's)\b)"
)
"""Behind such a name."""

Change = tuple[Stretch, str]
"""Code points, and what belongs there."""


def with_possessives(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of the text that was `read`, with what says that something is somebody's. `languages` are
    those of the text and of its translation."""
    source, target = languages
    if target != "en" or source not in AT:
        return text, spans
    changes = {*_at_places(text, read, source)}
    if source == "fr":
        changes.update(_families(text, read))
    elif ENDS_WITH_S.search(text) is not None:
        changes |= {*_owners(text, read), *_german_families(text, read)}
    return rewritten(text, spans, *zip(*sorted(changes), strict=True)) if changes else (text, spans)


def _at_places(text: str, read: str, source: str) -> Iterator[Change]:
    """Behind people at whose place something is: *at Julien's*."""
    if HINTS[source] not in read:
        return
    names = everyday_names(source, "en")
    for name in {m["name"] for m in AT[source].finditer(read) if m["title"] or _is_person(m["name"], names)}:
        for found in re.finditer(PLACE.replace("<to>", TO[source]).replace("<name>", name), text):
            if found["inside"]:
                yield found.span("inside"), "at"
            yield (found.end(), found.end()), "'s"


def _owners(text: str, read: str) -> Iterator[Change]:
    """Before the *s* of owners."""
    names = everyday_names("de", "en")
    for owner in {match["owner"] for match in OWNER.finditer(read) if _is_owner(match, names)}:
        for found in re.finditer(rf"\b{owner}(?=s [a-z])", text):
            yield (found.end(), found.end()), "'"


def _is_owner(match: re.Match[str], names: Names) -> bool:
    owner = match["owner"]
    whole = owner + "s"
    if whole in names.alike or whole in names.surnames or whole in CLOTHES:
        return False
    if (owner in names.alike and owner not in names.words) or owner in names.surnames or owner in names.families:
        return True
    return (
        match["owned"] in RELATED
        or TITLED.search(match.string[max(0, match.start() - MOST_BEFORE) : match.start()]) is not None
    )


def _german_families(text: str, read: str) -> Iterator[Change]:
    """Behind names of German families, which a model takes for one person."""
    for name in {read[start:end] for start, end in families(read, "de")}:
        for found in re.finditer(rf"\b{name}(?:(?P<genitive>'s)\b| (?P<verb>is|was|has|does)(?=n't\b| ))", text):
            if found["genitive"]:
                yield found.span("genitive"), "'"
            else:
                yield found.span("verb"), PLURALS["en"][found["verb"]]


def _families(text: str, read: str) -> Iterator[Change]:
    """Behind names of French families, which have no *s* there."""
    if "es " not in read and "ux " not in read:
        return
    names = everyday_names("fr", "en")
    for name in {match["name"] for match in FAMILY.finditer(read)}:
        if not name.endswith(ENDS_LIKE_PLURAL) and (_is_person(name, names) or name in names.families):
            for found in re.finditer(rf"\b[Tt]he {name}{NO_PERSON}", text):
                yield (found.end(), found.end()), "s"


def _is_person(name: str, names: Names) -> bool:
    return name in names.given or name in names.surnames
