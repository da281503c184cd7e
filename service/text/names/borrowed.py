"""Words that a language writes as another does: *déjà vu*, *crème brûlée*. Models that have hardly read any translate
their pieces; other languages have them, too.
"""

from __future__ import annotations

import re

from service.text.spans.stretches import Stretch

BORROWED = re.compile(
    "\\b(?:[Dd]\u00e9j\u00e0[ -]vus?|[Cc]r\u00e8mes? (?:anglaise|br\u00fbl\u00e9es?|caramel|fra\u00eeche)"
    "|[Cc]r\u00e8me de la cr\u00e8me|[Pp]i\u00e8ces? de r\u00e9sistance|[\u00c0\u00e0] la (?:carte|mode)"
    "|[Tt]\u00eate-\u00e0-t\u00eates?|raisons? d'\u00eatre|causes? c\u00e9l\u00e8bres?|prot\u00e9g\u00e9e?s?"
    "|d\u00e9tente|\u00e9clairs?)\\b|\\b[Rr]ock ['\u2019]n['\u2019] [Rr]oll\\b"
)
LANGUAGES = frozenset(("en", "de"))
"""Those that borrow them from French."""


def borrowed(text: str, source: str) -> list[Stretch]:
    """Where they stand in a `text` of the language `source`."""
    if (text.isascii() and " 'n' " not in text) or source not in LANGUAGES:
        return []  # as most English texts
    return [match.span() for match in BORROWED.finditer(text)]
