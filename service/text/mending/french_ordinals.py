"""Ordinal numbers in French translations of English: *la 88e minute*, not *la 88 minute* or *la 1ente personne*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_store.contract.calendar import MONTHS
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

_MONTHS = {language: "|".join(MONTHS[language]) for language in ("en", "fr")}
NTH = re.compile(
    rf"(?<![\w.,/-])(?P<number>\d{{1,4}})(?:st|nd|rd|th)(?= [a-z])(?!(?: of)? (?:{_MONTHS['en']})\b| of "
    r"(?:the|this|that|each|every|next|last) (?:month|week)\b"
    r"| (?:and|at|but|for|from|if|in|is|on|or|so|to|was|when|with)\b)"
)
"""What has a noun behind it, and is no day of a month."""
WRITTEN = (
    r"\b(?P<article>[Ll]a|[Ll]e|[Cc]ette|[Cc]e|[Ss]a|[Ss]on|[Mm]a|[Mm]on|du|au|[Ll]eur|[Nn]otre|[Vv]otre|une?) {number}"
    r"(?P<ending>(?!(?:er?|re|\xe8re|\xe8me|nde?)\b)[a-z\xdf-\xff]*)"
    rf"(?= (?!(?:{_MONTHS['fr']}|et|\xe0|de|du)\b)[a-z\xdf-\xff]{{{{2,}}}})"
)
FEMININE = frozenset(("la", "cette", "sa", "ma", "une"))


def with_french_ordinals(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of an English text that was `read` with the endings of its ordinal numbers."""
    if languages != ("en", "fr"):
        return text, spans
    found = []
    for number in {match["number"] for match in NTH.finditer(read)}:
        for match in re.finditer(WRITTEN.format(number=number), text):
            first = "re" if match["article"].lower() in FEMININE else "er"
            found.append((match.span("ending"), first if number == "1" else "e"))
    found.sort()
    return rewritten(text, spans, [span for span, _ in found], [ending for _, ending in found])
