"""Two German adjectives before one noun, which have one ending where no article has it: *Sch\xf6nes altes Haus*, not
*Sch\xf6nes alte Haus*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

ADJECTIVES = word_set(
    "alt ausgezeichnet beeindruckend bequem bezaubernd billig blau braun breit bunt charmant deutsch dunkel dunkl",
    "echt einfach einzigartig elegant eng englisch erfahren erstaunlich fabelhaft fantastisch fein fest flach",
    "französisch freundlich frisch fröhlich gebraucht gelb gemütlich gepflegt geräumig gesund groß großartig",
    "großzügig grün gut gutaussehend günstig heiß hell herrlich hervorragend herzlich hilfsbereit historisch",
    "hochwertig hoh hässlich hübsch italienisch jung kalt klassisch klein kostenlos kräftig kurz lang langsam",
    "lebendig lecker leicht lieb liebevoll lustig ländlich malerisch modern möbliert nagelneu nett neu niedlich",
    "offen original perfekt praktisch preiswert privat professionell prächtig rein reizend richtig riesig robust",
    "rosa rot ruhig rund rustikal sanft sauber scharf schlecht schlicht schmal schnell schwarz schwer schön solid",
    "solide sonnig spannend stabil stark still stilvoll streng super süß tief toll traditionell treu trocken",
    "typisch unterhaltsam urig warm weich weiß wunderbar wunderschön würzig zauberhaft zuverlässig",
)
"""Without their endings."""
TWO = re.compile(
    r"(?:\A|(?<=[.!?,] )|\b(?:[Ee]|[Kk]e|[DdMmSs]e)in )(?P<first>[A-Z\xc4\xd6\xdca-z\xe4\xf6\xfc\xdf]{3,20})"
    r"(?P<ending>e[rs]),? (?P<second>[a-z\xe4\xf6\xfc\xdf]{3,20})(?P<wrong>(?<!e)en?) (?=[A-Z\xc4\xd6\xdc])"
)
"""The ending of one adjective, and another one of the next, where no article or only *ein* is before."""


WEAK_FIRST = re.compile(
    r"(?:\A|(?<=[.!?,] ))(?P<first>[A-Z\xc4\xd6\xdca-z\xe4\xf6\xfc\xdf]{3,20})(?P<wrong>e),? "
    r"(?P<second>[a-z\xe4\xf6\xfc\xdf]{3,20})(?P<ending>e[rs]) (?=[A-Z\xc4\xd6\xdc])"
)
"""The same the other way round: *Starke kleiner Tisch*."""


def with_like_endings(text: str, spans: Sequence[Stretch], target: str) -> tuple[str, Sequence[Stretch]]:
    """A German translation with two adjectives that have one ending."""
    if target != "de" or ("es" not in text and "er" not in text):
        return text, spans
    found = [
        match
        for pattern in (TWO, WEAK_FIRST)
        for match in pattern.finditer(text)
        if match["first"].lower() in ADJECTIVES and match["second"] in ADJECTIVES
    ]
    found.sort(key=lambda match: match.start("wrong"))
    return rewritten(text, spans, [match.span("wrong") for match in found], [match["ending"] for match in found])
