"""Times of day that English texts write with a full stop: *at 7.30*, *the 8.45 bus*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from service.text.expressions.day_parts import HOUR, MINUTE, Found
from service.text.expressions.english_clock import EVENT
from service.text.expressions.hours import APPOINTMENT, NO_TIME

HINT = re.compile(r"\b\d\d?\.[0-5]\d\b")
_TIME = rf"(?P<time>{HOUR}\.{MINUTE})(?!\d|[.,:/-]\d|\s?[%\u20ac\xa3$]|\s?(?i:[ap]\.?\s?m\b))"
AT = re.compile(
    rf"\b(?i:at|by|until|till|before|after|from|to|around)\s(?:about\s|around\s)?{_TIME}"
    r"(?=\s*(?:[.!?;,)]|\Z)|\s(?:and|at|but|every|for|from|if|in the|on|or|please|sharp|so|this|to|today|tomorrow"
    r"|tonight|until|when|with)\b)"
)
OF_EVENT = re.compile(rf"\b(?i:the|my|our|your|last|first)\s{_TIME}(?={EVENT.pattern})")
NO_CLOCK = re.compile(
    r"\b(?i:average|cents?|chapter|cost\w*|dollars?|euros?|magnitude|million|pounds?|price\w*|sell\w*|sold|section|trad\w+"
    r"|valu\w+|version)\b"
)
"""Words of texts whose numbers may be others."""


def times_with_points(text: str) -> Iterator[Found]:
    """The times of day of an English text that have a full stop and no *am* or *pm*."""
    if "." not in text or HINT.search(text) is None or NO_CLOCK.search(text):
        return
    patterns = (AT, OF_EVENT) if APPOINTMENT.search(text) and not NO_TIME.search(text) else (OF_EVENT,)
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield match.span("time"), int(match["hour"]), int(match["minute"])
