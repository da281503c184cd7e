"""Who is charged, in German: *Mir wurden 15 € berechnet*, not *Ich wurde 15 € berechnet*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.mending.verb_ends import MONEY
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

WHO = {"ich": "mir", "du": "dir", "wir": "uns", "Sie": "Ihnen"}
VERBS = {"wurde": "wurden", "wurdest": "wurden", "werde": "werden", "wirst": "werden"}
CHARGED = (
    r"\b(?:(?P<who>[Ii]ch|[Dd]u|[Ww]ir|Sie) (?P<verb>wurden?|wurdest|werden?|wirst)"
    r"|(?P<first>[Ww]urden?|[Ww]urdest|[Ww]erden?|[Ww]irst) (?P<whom>ich|du|wir|Sie))"
    r"(?= (?:[a-z\xdf-\xff]+ )?{sign}[^.!?;,]{{0,60}} berechnet\b)"
)


def with_charged(
    text: str, spans: Sequence[Stretch], target: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A German translation that says to whom a price is charged. `copies` are each placeholder that it may have, and
    the text that it stands for."""
    if target != "de" or " berechnet" not in text:
        return text, spans
    signs = "|".join(re.escape(sign) for sign, copy in copies if MONEY.match(copy) or copy.endswith("%"))
    found: list[tuple[Stretch, str]] = []
    for match in re.finditer(CHARGED.format(sign=rf"(?:{signs or '(?!)'}|\d+ ?%)"), text):
        for name, words in (("who", WHO), ("verb", VERBS), ("first", VERBS), ("whom", WHO)):
            word = match[name]
            if word:
                new = words.get(word) or words.get(word.lower(), word.lower())
                found.append(
                    (match.span(name), new.capitalize() if _has_capital(word, match.start(name), text) else new)
                )
    return rewritten(text, spans, [span for span, _ in found], [word for _, word in found])


def _has_capital(word: str, start: int, text: str) -> bool:
    """Whether a capital is the word's own, or the sentence's."""
    return word == "Sie" or (word[0].isupper() and (start == 0 or text[start - 2] in ".!?:"))
