"""What is one in English: nouns behind the number, *1 tablet*, and verbs behind a name that looks like a plural."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.common_names import everyday_names
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

ONE = re.compile(
    r"(?:\A|(?<=[,;:(+] )|(?<=\bfor )|(?<=\babout )|(?<=\bthan )|(?<=\bin )|(?<=\band )"
    r"|(?<=\bis )|(?<=\bonly )|(?<=\bhave )|(?<=\bevery )|(?<=\bwithin )|(?<=\b[Tt]ake )|(?<=\b[Aa]dd )|(?<=\bwith ))"
    r"1 (?:tablet|capsule|drop|teaspoon|tablespoon|cup|pinch|clove|onion|egg|hour|hr|minute|second|day|week|month|year"
    r"|night|adult|child(?=ren)|person|guest|item|piece|message|notification|comment|point|star|ticket|bottle|packet)"
    r"(?P<plural>e?s|ren)\b(?!['\u2019])"
)
"""A number by itself, not one that tells things apart as in *level 1*."""

SINGULARS = {
    "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't", "have": "has", "are": "is",
    "were": "was", "go": "goes", "do": "does",
}  # fmt: skip
"""Verbs whose singular is more than an *s*."""
MUCH = re.compile(r"\b[Tt]here (?P<verb>are|were)(?= (?:far |way |so |too |not ){0,2}much\b)")
"""A plural before what cannot be counted: *There are too much noise*."""
_VERBS = "live|work|want|like|love|eat|drink|smoke|play|drive|speak|believe|need|come|know|use|see|go|do|have"
PLURAL = re.compile(
    r"(?P<name>(?!Mercedes)[A-Z][a-z\xdf-\xff]{2,20}s) (?P<adverb>(?:no longer|still|always) )?"
    rf"(?P<verb>don't|haven't|aren't|weren't|are|were|(?(adverb)(?:{_VERBS})|have))\b(?!['\u2019])"
)
"""A sentence that begins with one name and a plural."""


def with_singulars(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """An English translation with things that are one in the singular."""
    if language != "en" or "1 " not in text:
        return text, spans  # as most texts
    found = [match.span("plural") for match in ONE.finditer(text)]
    return rewritten(text, spans, found, [""] * len(found))


def with_singular_verbs(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """An English translation with verbs in the singular before *much*, and behind a first name that ends with *s*,
    which models take for a plural: *Jules doesn't want to*."""
    if language == "en" and " much" in text:
        found = list(MUCH.finditer(text))
        text, spans = rewritten(text, spans, [m.span("verb") for m in found], [SINGULARS[m["verb"]] for m in found])
    match = PLURAL.match(text) if language == "en" else None
    if match is None:
        return text, spans  # as most texts
    names = everyday_names("en", "fr")
    if match["name"] not in names.given or match["name"] in names.words:
        return text, spans
    return rewritten(text, spans, [match.span("verb")], [_singular(match["verb"])])


def _singular(verb: str) -> str:
    return SINGULARS.get(verb, f"{verb}s")
