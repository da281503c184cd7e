"""Numbers from one to another that are no times of day: *Notez-le de 1 à 5*, not *de 1 à 5 heures*.

Texts for training have opening hours more often than scales, so that models write *heures* behind both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

_NUMBER = r"(?:\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|vingt|cent)"
HOURS = re.compile(rf"\b(?:de |d'|entre ){_NUMBER} (?:\u00e0|et) {_NUMBER}(?P<hours> heures)\b(?! (?:du|de) )")
SCALE = {
    "en": re.compile(
        r"(?:\b(?i:rate[sd]?|rating|score[sd]?|scale|grade[sd]?|rank(?:s|ed)?|count)\b[^.!?]{0,60}?"
        r"|\b(?:a|[Nn]o|[Nn]umbers?) (?:number )?)\b(?:from|between)\s(?:\d{1,3}|one|zero|two)\s(?:to|and)\s\w"
    )
}
"""What a text with a scale has, by language."""
TIME = re.compile(
    r"\b(?i:hours?|o'?clock|[ap]\.?m\b|noon|midnight|open\w*|clos\w+|daily|every day|time|slot|appointment|today"
    r"|tomorrow|morning|afternoon|evening|night|tonight|week\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
)
"""What a text with times of day has."""


def without_hours(
    text: str, spans: Sequence[Stretch], language: str, source: str, read: str
) -> tuple[str, Sequence[Stretch]]:
    """A French translation of a text of the language `source`, which was `read`, without *heures* behind a scale."""
    if language != "fr" or " heures" not in text or source not in SCALE:
        return text, spans  # as most texts
    if SCALE[source].search(read) is None or TIME.search(read) is not None:
        return text, spans
    found = [match.span("hours") for match in HOURS.finditer(text)]
    return rewritten(text, spans, found, [""] * len(found))
