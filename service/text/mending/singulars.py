"""English nouns behind the number one: *1 tablet*, not *1 tablets*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

ONE = re.compile(
    r"(?:\A|(?<=[,;:(+] )|(?<=\btake )|(?<=\bfor )|(?<=\babout )|(?<=\bthan )|(?<=\bin )|(?<=\badd )|(?<=\band )"
    r"|(?<=\bis )|(?<=\bonly )|(?<=\bhave )|(?<=\bevery )|(?<=\bwithin )|(?<=\b[Tt]ake )|(?<=\b[Aa]dd )|(?<=\bwith ))"
    r"1 (?:tablet|capsule|drop|teaspoon|tablespoon|cup|pinche|clove|onion|egg|hour|hr|minute|second|day|week|month|year"
    r"|night|adult|child(?=ren)|person|guest|item|piece|message|notification|comment|point|star|ticket|bottle|packet)"
    r"(?P<plural>e?s|ren)\b(?!['\u2019])"
)
"""A number by itself, not one that tells things apart as in *level 1*."""


def with_singulars(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """An English translation with things that are one in the singular."""
    if language != "en" or "1 " not in text:
        return text, spans  # as most texts
    found = [match.span("plural") for match in ONE.finditer(text)]
    return rewritten(text, spans, found, [""] * len(found)) if found else (text, spans)
