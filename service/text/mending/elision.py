"""French elision in translations: *d'animaux*, not *de animaux*. Models miss it before words that they spell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten

UNELIDED = re.compile(
    r"(?<![\w'-])(?P<short>[DNMTSJLdnmtsjl]|(?:[Jj]us|[Ll]ors|[Pp]uis|\b)[Qq]u)(?P<vowel>e|(?<=[Ll])a) "
    r"(?!onz|ou[ifa]|(?:aux?|et|ou)\b|u[nil]|ukul|\u00e9ni\u00e8me|io|yaourt)"
    r"(?=[aeiou\u00e2\u00e0\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u00fb\u0153][^\W\d_])"
)
"""A short word before a vowel. *onze*, *oui*, *un* (the number) and the like keep it whole; names may do so, too."""


def with_elisions(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation with the apostrophes that stand for a lost vowel; others as they are."""
    if language != "fr":
        return text, spans
    found = list(UNELIDED.finditer(text))
    if not found:
        return text, spans
    return rewritten(text, spans, [(m.start("vowel"), m.end()) for m in found], ["'"] * len(found))
