"""English times without *a.m.* or *p.m.*: *dinner at 8*, *5ish*.

French says that a number is an hour: *8h*. *7:45* needs no rule, and stays as it stands.
"""

from __future__ import annotations

import re

from service.text.spans.stretches import Translated

_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
HOUR = re.compile(
    r"\b(?:[Aa]t|(?:[Uu]ntil|[Tt]ill|[Bb]efore|[Aa]fter)(?=\s\d\d?\s"
    rf"(?:(?:on\s)?{_DAY}|today|tonight|tomorrow|in the (?:morning|afternoon|evening))\b)) "
    r"(?P<hour>1[0-2]|[1-9])"
    rf"(?=[.!?\u2026]*\s*\Z|[.!?;,]\s|\s(?:(?:on\s)?{_DAY}|sharp|please|then|today|tonight|tomorrow|in the|with"
    r"|outside|instead|and\s\w+\sat\s(?:1[0-2]|[1-9]))\b)"
)
ABOUT = re.compile(
    r"(?<![\w:.,-])(?P<hour>(?:1[0-2]|[1-9])(?::[0-5]\d)?)-?ish\b"
    r"(?=\s*(?:[.,;!?)]|\Z)|\s(?:today|tonight|tomorrow|on|at|if|for|ok|work|then|please|is)\b)"
)
APPOINTMENT = re.compile(
    r"\b(?i:see|meet|meeting|table|dinner|lunch|breakfast|brunch|come|free|drinks|coffee|call|starts?|begins?|opens?|closes?"
    r"|leaves?|leaving|arrives?|arriving|pick|party|trains?|flight|bus|appointment|reservation|booking|tomorrow|tonight"
    r"|today|morning|evening|afternoon|gym|home|there|class|concert|game|match|movie|film|show|wake|get up|how about"
    rf"|what about|{_DAY})\b"
)
"""What is at a time of day: *Table for two at 8*."""
NO_TIME = re.compile(
    r"\b(?i:aged?|old|born|married|died|learn\w*|could|able|since|still|already|only|look\w*|pric\w+|rat(?:ed?|es)"
    r"|tickets|shares?|index|temperature|volume|size|capped|stuck|tied|polled|stands?|inflation|loan|numbering|figures?"
    r"|charts?|results?|count|shirt|seats)\b"
)
"""What may be at an age or another number: *She could read at 4*, *Prices start at 5*."""
ABOUT_AN_HOUR = {"fr": "{} environ", "de": "etwa {}"}


def hours(text: str, source: str, target: str) -> list[Translated]:
    """The times of an English text as `target` writes them; none of other languages."""
    if source != "en" or target not in ABOUT_AN_HOUR or NO_TIME.search(text):
        return []
    about = ABOUT_AN_HOUR[target].format
    found = [Translated(*match.span(), about(_written(match["hour"], target))) for match in ABOUT.finditer(text)]
    if target == "de" or not APPOINTMENT.search(text):  # models write *um 8 Uhr* by themselves
        return found
    return found + [Translated(*m.span("hour"), _written(m["hour"], target)) for m in HOUR.finditer(text)]


def _written(hour: str, target: str) -> str:
    if target == "de":
        return f"{hour} Uhr"
    return hour.replace(":", "h") if ":" in hour else f"{hour}h"
