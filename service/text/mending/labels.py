"""Labels that are infinitives in French: *Write a review*, not *To write a review*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

BEGINS = ("To ", "to ")
INFINITIVE = re.compile(
    r"(?!(?i:\xeatre|avoir)\b)[A-Z\xc0-\xdea-z\xe0-\xff][a-z\xe0-\xff]{1,20}(?:er|ir|re)(?: [^.!?:;,]{1,60})?\Z"
)
"""A label that begins with one."""


def without_to(
    text: str, spans: Sequence[Stretch], source: str, target: str, label: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of a French `label` without *to* before its first verb."""
    if source != "fr" or target != "en" or not text.startswith(BEGINS) or not text[3:4].islower():
        return text, spans  # as most texts
    if INFINITIVE.match(label) is None:
        return text, spans
    first = text[3].upper() if text[0].isupper() else text[3]
    return rewritten(text, spans, [(0, 3), (3, 4)], ["", first])
