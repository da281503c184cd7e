"""Days of the week before dates in translations: *am Montag, 26. Mai*, *d'ici au 3 mai*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

UNTIL = re.compile(rf"(?<=[Dd]['\u2019]ici )le(?= (?:\d|{'|'.join(WEEKDAYS['fr'])}))")
DAY = re.compile(
    rf"\b(?P<day>{'|'.join(WEEKDAYS['de'])})"
    rf"(?P<behind>(?: (?P=day)\b)*(?P<space> (?=(?:\d{{1,2}}|\S)\. (?:{'|'.join(MONTHS['de'])})\b))?)"
)
"""A German day of the week, maybe twice, and the space before its date, which has no comma. The number of that may be
a placeholder."""

_DATE = rf"(?= (?:\d{{1,2}}|[\ue000-\uf8ff])\. (?:(?:bis(?: zum)? \S+ )?(?:{'|'.join(MONTHS['de'])})\b))"
BARE = re.compile(rf"\b(?P<word>f\xfcr|auf|nach|von|vor){_DATE}")
"""A German preposition before a date without its article. *Ab*, *bis* and *seit* have none."""
TO = re.compile(rf"\bbis (?:{'|'.join(WEEKDAYS['de'])})(?P<to> zum){_DATE}")
"""What models write between a day of the week and its date: *bis Freitag zum 5. Dezember*."""
ARTICLES = {"f\xfcr": "f\xfcr den", "auf": "auf den", "nach": "nach dem", "von": "vom", "vor": "vor dem"}


def with_dates(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """A translation into `language` with its days of the week and dates as that joins them."""
    if language == "fr" and "ici le " in text:
        found = [match.span() for match in UNTIL.finditer(text)]
        return rewritten(text, spans, found, ["au"] * len(found))
    if language == "de" and ". " in text and (bare := list(BARE.finditer(text))):
        text, spans = rewritten(text, spans, [match.span() for match in bare], [ARTICLES[m["word"]] for m in bare])
    if language == "de" and " zum " in text:
        found = [match.span("to") for match in TO.finditer(text)]
        text, spans = rewritten(text, spans, found, [", den"] * len(found))
    if language == "de" and ("tag " in text or "Mittwoch " in text):
        matches = [match for match in DAY.finditer(text) if match["behind"]]
        signs = [", " if match["space"] else "" for match in matches]
        return rewritten(text, spans, [match.span("behind") for match in matches], signs)
    return text, spans
