"""Times of day of English texts in 24 hours, *at 14:30*, which French writes with an *h*: *à 14h30*.

German writes them as English does, so that its models have learnt them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from service.text.expressions.day_parts import HOUR, MINUTE, MOST_BEFORE, Found

TIME = re.compile(
    rf"(?:(?<![\w:.,$\u20ac\u00a3/+-])|(?<=:\d\d-))(?P<time>{HOUR}:{MINUTE})(?![:\d/%]|[.,]\d|\s?(?i:[ap]\.?\s?m\b))"
)
BEFORE = re.compile(
    r"\b(?i:at|by|until|till|before|after|since|around|it's|it is)\s(?:about\s|around\s|exactly\s)?\Z"
    r"|\b(?i:on|every|next|this)\s(?:[A-Z][a-z]+day\s)\Z"
)
"""What stands before a time of day."""
THE = re.compile(r"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Yy]our|a|an)\s\Z")
EVENT = re.compile(
    r"\s(?:trains?|bus|flight|ferry|coach|tram|show|screening|service|meeting|appointment|class|call|slot|departure)\b"
)
"""What has a time of day before it: *the 7:45 train*."""
LENGTH = re.compile(r"\s(?:per|pace|mark|into|min\w*|hrs|hours|miles|long|of|remain\w*|in the (?:recording|film))\b")
"""What stands behind a length of time, a place in a recording, a share."""
NO_CLOCK = re.compile(
    r"\b(?i:videos?|clips?|songs?|chorus|solo|trailer|timer|period|quarter|set|scores?d?|odds|ratio|scale|dilut\w*|verses?"
    r"|chapter|psalms?|genesis|exodus|isaiah|john|matthew|luke|mark|acts|romans|corinthians)\b"
)
"""Words of texts whose numbers may be others."""
FROM = re.compile(r"(?:\b(?i:from|between|open|opening hours:?|[a-z]+day:?)\s|\A)\Z")
LINK = re.compile(r"\s(?:to|and|or|until|till)\s|\s?[-\u2013]\s?")
"""What joins two times."""


def times_in_digits(text: str) -> Iterator[Found]:
    """The times of day of an English text that have no *am* or *pm*, in order."""
    if ":" not in text or NO_CLOCK.search(text):
        return
    matches = list(TIME.finditer(text))
    are = [_is_time(match) for match in matches]
    for at, (one, other) in enumerate(pairwise(matches)):
        near = max(0, one.start() - MOST_BEFORE)
        is_time = are[at] or are[at + 1] or FROM.search(text, near, one.start()) is not None
        hours = [(int(each["hour"]), int(each["minute"])) for each in (one, other)]
        is_time = is_time or (text[one.end() : other.start()] in "-\u2013" and hours[0] < hours[1])  # 9:00-12:00
        if is_time and LINK.fullmatch(text, one.end(), other.start()) and LENGTH.match(text, other.end()) is None:
            are[at] = are[at + 1] = True
    for match, is_time in zip(matches, are, strict=True):
        if is_time:
            yield match.span("time"), int(match["hour"]), int(match["minute"])


def _is_time(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    if LENGTH.match(text, end):
        return False
    near = max(0, start - MOST_BEFORE)
    if BEFORE.search(text, near, start):
        return True
    return EVENT.match(text, end) is not None and THE.search(text, near, start) is not None
