"""One way to give orders within a French sentence: *Coupez le pain, grillez-le*, not *grille-le*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

FORMAL = re.compile(r"(?:\A|[.!?,] (?:puis )?)[A-Za-z\xc9\xe9][a-z\xdf-\xff]+ez\b(?! vous\b)")
"""An order that begins a sentence or a clause of it."""
INFORMAL = re.compile(
    r"(?:(?<=, )|(?<=\bet )|(?<=\bpuis ))[a-z\xdf-\xff]*[b-df-hj-npr-tvz]e(?P<place>)"
    r"(?<!elle)(?<!ette)(?=-l(?:e|a|es)\b)"
)
"""One of a regular verb; *s\xe8che* and *appelle* have another stem."""
GRAVE = "\xe8"
TU = re.compile(r"\b(?:[Tt]u|[Tt]oi|[Tt]on|[Tt]a|[Tt]es|[Tt]e)\b|\b[Tt]['\u2019]")


def with_one_order(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """A French translation whose orders say *vous* where the first one does; others as they are."""
    if language != "fr" or "ez " not in text or "e-l" not in text:
        return text, spans  # as most texts
    if FORMAL.search(text) is None or TU.search(text) is not None:
        return text, spans
    found = [match.span("place") for match in INFORMAL.finditer(text) if GRAVE not in match.group()]
    return rewritten(text, spans, found, ["z"] * len(found))
