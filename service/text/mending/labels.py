"""Labels and steps that are infinitives in French and in German: *Write a review*, not *To write a review*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

BEGINS = ("To ", "to ")
INFINITIVE = re.compile(
    r"(?!(?i:\xeatre|avoir)\b)[A-Z\xc0-\xdea-z\xe0-\xff][a-z\xe0-\xff]{1,20}(?:er|ir|re)"
    r"(?: [^.!?:;,]{1,60}| (?:une?|l[ae]|les|des) [\w'-]+\.)?\Z"
)
"""A label that begins with one."""
STEP = re.compile(
    r"(?!(?:Ohne|Zu|Um|Nicht(?! mehr als)|Nie|Alt|Lieber|Gem|Allein)\b)[A-Z\xc4\xd6\xdc\d][^.!?:;]{1,100} "
    r"[a-z\xe4\xf6\xfc\xdf]{2,20}(?:en|rn|ln)\.?\s*\Z"
)
"""What may be a German step, with its infinitive at the end."""
NO_STEP = re.compile(
    r"\b(?:ist|sind|war|waren|wird|werden|wurden?|worden|hat|haben|kann|k\xf6nnen|muss|m\xfcssen|soll|sollen|darf|d\xfcrfen"
    r"|will|wollen|ich|du|er|es|wir|ihr|man|Sie|zu|um|dass|sein|bleiben)\b"
)
"""What it has that is none."""


def without_to(
    text: str, spans: Sequence[Stretch], source: str, target: str, label: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of a French or German `label` without *to* before its first verb."""
    if target != "en" or not text.startswith(BEGINS) or not text[3:4].islower():
        return text, spans  # as most texts
    if not (INFINITIVE.match(label) if source == "fr" else source == "de" and _is_step(label)):
        return text, spans
    first = text[3].upper() if text[0].isupper() else text[3]
    return rewritten(text, spans, [(0, 3), (3, 4)], ["", first])


def _is_step(label: str) -> bool:
    return STEP.match(label) is not None and NO_STEP.search(label) is None
