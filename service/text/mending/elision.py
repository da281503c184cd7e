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

NAMED = re.compile(
    r"(?<![\w'-])(?:[Dd]|(?:[Jj]us|[Ll]ors|[Pp]uis|\b)[Qq]u)(?P<vowel>e) (?!Ou[aei\u00ef]|Onz|Une?\b)"
    r"(?=[AEIOU\u00c2\u00c0\u00c9\u00c8\u00ca\u00ce\u00d4\u0152][a-z\u00df-\u00ff]{2})[^\W\d_]+"
)
"""A short word before a name that begins with a vowel. Of 123 in Tatoeba's training set none keeps its *e*."""


def with_elisions(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation with the apostrophes that stand for a lost vowel; others as they are."""
    if language != "fr":
        return text, spans
    found = list(UNELIDED.finditer(text))
    if not found:
        return text, spans
    return rewritten(text, spans, [(m.start("vowel"), m.end()) for m in found], ["'"] * len(found))


def with_elided_names(
    text: str, spans: Sequence[tuple[int, int]], language: str, original: str
) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation of `original` with *d'Oxford* and *qu'Emma*; what `original` has itself stays as it is."""
    if language != "fr" or "e " not in text:
        return text, spans
    found = [match for match in NAMED.finditer(text) if match.group() not in original]
    return rewritten(text, spans, [(m.start("vowel"), m.end("vowel") + 1) for m in found], ["'"] * len(found))
