"""French elision in translations: *d'animaux*, not *de animaux*. Models miss it before words that they spell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.things import MASCULINE, things
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import as_capital
from service.text.spans.word_sets import word_set

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

SHORT_BEFORE_VOWEL = {"beau": "bel", "nouveau": "nouvel", "vieux": "vieil"}
ADJECTIVE = re.compile(
    r"\b(?P<adjective>[Bb]eau|[Nn]ouveau|[Vv]ieux) (?P<noun>(?:[aeiou\xe2\xe0\xe9\xe8\xea\xee\xef\xf4\xfb\u0153]"
    r"|h(?:\xf4|om|iv|ora))[a-z\xdf-\xff-]+)\b"
)
"""What is short before a masculine noun that begins with a vowel: *un bel appartement*."""
PEOPLE = word_set(
    "acteur ami anglais athl\xe8te avocat \xe9l\xe8ve employ\xe9 enfant entra\xeeneur homme oncle ouvrier"
)
INVERTED = re.compile(r"(?:[a-z\xe0-\xff][ea]|\bA)(?P<place>)(?=-(?:il|elle|on)\b)")
"""A verb with a vowel before its pronoun: *Combien co\xfbte-t-il ?*"""


def with_elisions(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation with the apostrophes that stand for a lost vowel; others as they are."""
    if language != "fr":
        return text, spans
    changes = {(match.start("vowel"), match.end()): "'" for match in UNELIDED.finditer(text)}
    changes |= {match.span("place"): "-t" for match in INVERTED.finditer(text)}
    for match in ADJECTIVE.finditer(text):
        noun, adjective = match["noun"], match["adjective"]
        if noun in PEOPLE or noun in things()[MASCULINE]:
            changes[match.span("adjective")] = as_capital(SHORT_BEFORE_VOWEL[adjective.lower()], adjective)
    found = sorted(changes)
    return rewritten(text, spans, found, [changes[span] for span in found]) if found else (text, spans)


def with_elided_names(
    text: str, spans: Sequence[tuple[int, int]], language: str, original: str
) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation of `original` with *d'Oxford* and *qu'Emma*; what `original` has itself stays as it is."""
    if language != "fr" or "e " not in text:
        return text, spans
    found = [match for match in NAMED.finditer(text) if match.group() not in original]
    return rewritten(text, spans, [(m.start("vowel"), m.end("vowel") + 1) for m in found], ["'"] * len(found))
