"""English streets without a number: *the library on Station Road*. They stand as they are; a model translates their
words."""

from __future__ import annotations

import re

from service.text.spans.stretches import Stretch

_KIND = r"(?:Avenue|Boulevard|Crescent|Lane|Road|Street|Terrace)"
STREET = re.compile(
    r"\b(?:in|on|at|to|from|of|near|along|down|up|off|behind|opposite|and|onto|into|via|corner of) "
    r"(?!(?:The|This|That|My|Our|Your|A|An|One|Each|Every|Another|Sesame) )"
    rf"(?P<name>(?:[A-Z][\w'\u2019.-]*\s){{1,3}}{_KIND})\b(?!\s[A-Z][a-z]+s?\b)"
)
"""Behind a preposition; what follows with a capital may be the noun that the name belongs to."""
KINDS = ("Avenue", "Boulevard", "Crescent", "Lane", "Road", "Street", "Terrace")


def streets(text: str, source: str) -> list[Stretch]:
    """Where names of streets stand in a `source` text."""
    if source != "en" or not any(map(text.__contains__, KINDS)):
        return []  # as most texts
    return [match.span("name") for match in STREET.finditer(text)]
