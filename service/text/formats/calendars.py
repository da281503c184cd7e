"""Calendars and cards (RFC 5545, RFC 6350): of their lines only those that people read are translated."""

from __future__ import annotations

import re

from service.text.formats.escapes import CALENDAR, parts_between

BEGIN = re.compile(r"\s*BEGIN:V[A-Z]+[ \t]*\r?\n")
LINE = re.compile(
    r"(?P<name>(?:[\w-]+\.)?[A-Z][A-Z\d-]*)(?:;(?:\"[^\"\n]*\"|[^\":\n])*)?:"
    r"(?P<value>[^\n]*(?:\n[ \t][^\n]*)*)(?:\n|\Z)"
)
"""A property, its parameters and its value, which may go on in lines with an indent."""
BLANK = re.compile(r"[ \t]*\r?(?:\n|\Z)")
FOR_PEOPLE = frozenset(("SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "NOTE"))
BREAK = re.compile(r"(?:\\[nN])+")
_Parts = list[tuple[int, int, str]]
"""Stretches, and what they stand in."""


def calendar_parts(text: str) -> _Parts | None:
    """What of a calendar or a card is for people; None where `text` is none."""
    if BEGIN.match(text) is None:
        return None  # as nearly all texts
    found: _Parts = []
    at = 0
    while at < len(text):
        line = LINE.match(text, at) or BLANK.match(text, at)
        if line is None or line.end() == at:
            return None
        at = line.end()
        if line.re is LINE and line["name"].rpartition(".")[2] in FOR_PEOPLE:
            found += [(*part, CALENDAR) for part in parts_between(text, *line.span("value"), BREAK)]
    return found
