"""Units and distances in translations of English: *10 miles*, not *10 kilomètres*; *6 Fuß hoch*; *4 pieds de large*;
*est à 5 minutes*.

Corpora have kilometres where English sentences have miles, and hardly any text with feet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

METRIC = re.compile(r"kilomet|\bkm\b|\bmet(?:er|re)s?\b|\d\s?m\b")
"""A text with these has what models write for other units."""
_SEVERAL = r"(?<=[\w.,] )(?<!\b1 )(?<!\bein )(?<!\beine[mnrs] )"
OTHERS = {
    "fr": (
        (re.compile(r"\bmiles?\b"), re.compile(r"\bkilom\u00e8tre(?=s?\b)"), "mile"),
        (re.compile(r"\byards?\b"), re.compile(r"\bm\u00e8tre(?=s?\b)"), "yard"),
    ),
    "de": (
        (re.compile(r"\bmiles\b"), re.compile(rf"{_SEVERAL}Kilometern?\b"), "Meilen"),
        (re.compile(r"\byards\b"), re.compile(rf"{_SEVERAL}Metern?\b"), "Yards"),
        (re.compile(r"\b\d+ (?:feet|foot)\b"), re.compile(r"(?<=\d )F\u00fc\u00dfen?\b"), "Fu\u00df"),
    ),
}
"""By language: a unit of an English text, what models write for it, and what it is."""
SIDES = {
    "large": "de large", "haut": "de haut", "grand": "de haut", "long": "de long", "longue": "de long",
    "profond": "de profondeur", "profonde": "de profondeur",
}  # fmt: skip
_LENGTH = r"(?:pieds?|(?:kilo|centi|milli)?m\u00e8tres?|miles?|yards?|pouces?)"
SIDE = re.compile(rf"\b{_LENGTH} (?P<side>{'|'.join(SIDES)})s?\b(?! (?:de|et)\b)")
LONG = re.compile(r"\b(?:feet|foot|met(?:er|re)s?|miles?|yards?|inch(?:es)?) (?:deep|high|long|tall|wide)\b")
"""What a text has whose translation has such a side."""
AWAY = re.compile(
    r"(?:\b(?:is|are|was|were|lies)|'s|'re)\s(?:(?:only|just|about|around|less than|over|nearly|almost) ){0,2}\S+"
    r"\s(?:minutes?|hours?|miles?|(?:kilo)?met(?:er|re)s?|yards?|feet|blocks?)\s"
    r"(?:(?:walk|drive|ride|by (?:bus|car|train)|on foot)\s)?(?:away|from)\b"
)
"""A text that says how far something is."""
BE = {
    **dict.fromkeys(("est", "a", "fait"), "est"), **dict.fromkeys(("sont", "ont", "font"), "sont"),
    **dict.fromkeys(("\u00e9tait", "avait", "faisait"), "\u00e9tait"),
    **dict.fromkeys(("\u00e9taient", "avaient", "faisaient"), "\u00e9taient"),
}  # fmt: skip
FAR = re.compile(
    rf"\b(?P<verb>{'|'.join(BE)})(?P<de> de)?(?= (?:(?:environ|seulement|juste|presque|moins de|plus de) )?\S+ "
    rf"(?:minutes?|heures?|{_LENGTH})\b)"
)
"""What models write for it."""
UNIT_HINTS = {
    "fr": ("m\u00e8tre", "pied", "mile", "minute", "heure", "yard", "pouce"),
    "de": ("eter", "F\u00fc\u00dfe"),
}
"""A translation without any of these has nothing to mend."""

Change = tuple[Stretch, str]


def with_units(
    text: str, spans: Sequence[Stretch], language: str, source: str, read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation into `language` of a text of the language `source`, which was `read`, with its units and distances
    as they should be."""
    if source != "en" or not any(map(text.__contains__, UNIT_HINTS.get(language, ()))):
        return text, spans  # as most texts
    found = list(_others(text, language, read))
    if language == "fr":
        found += _french(text, read)
    found.sort()
    return rewritten(text, spans, [span for span, _ in found], [word for _, word in found]) if found else (text, spans)


def _others(text: str, language: str, read: str) -> Iterator[Change]:
    if METRIC.search(read) is not None:
        return
    for unit, wrong, right in OTHERS[language]:
        if unit.search(read) is not None:
            yield from ((match.span(), right) for match in wrong.finditer(text))


def _french(text: str, read: str) -> Iterator[Change]:
    if LONG.search(read) is not None:
        yield from (((match.start("side"), match.end()), SIDES[match["side"]]) for match in SIDE.finditer(text))
    if AWAY.search(read) is not None and (match := FAR.search(text)) is not None:
        yield match.span(), f"{BE[match['verb']]} \u00e0"
