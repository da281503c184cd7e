"""Steps of German recipes that begin with an amount: *100 g Butter zerlassen.*

The verb comes last, and models leave the amount where it is: *100 g Melt the butter*. Behind *Bitte* they put the verb
before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

PLEASE = "Bitte "
WRITTEN = "Please "
LAST = re.compile(r", please(?=[.!]?\Z)")
_SMALL = "[a-z\xe4\xf6\xfc\xdf]"
_UNITS = (
    "k?g|m?l|cl|dl|Gramm|Kilo|Liter|EL|TL|Essl\xf6ffel|Teel\xf6ffel|Prisen?|Bund|Tassen?|Becher|Dosen?|P\xe4ckchen|Zweige?"
    "|Scheiben?|St\xfcck|Handvoll|Msp\\."
)
_FOODS = (
    "Eier|Eigelbe?|Eiwei\xdfe?|Zwiebeln?|Knoblauchzehen?|Tomaten?|Kartoffeln?|M\xf6hren?|Karotten?|\xc4pfel|Zitronen?"
    "|Limetten?|Paprika|Zucchini|Auberginen?|Gurken?|Orangen?|Bananen?|Birnen?|Avocados?|Chilischoten?|Lauchstangen?"
)
_COOKED = (
    "backen|kochen|lassen|braten|garen|kneten|r\xfchren|schmoren|d\xfcnsten|grillen|d\xe4mpfen|frittieren|r\xf6sten|mixen"
    "|schlagen|aufkochen|anbraten|\xfcberbacken|marinieren|trocknen|warten"
)
STEP = re.compile(
    rf"\A\d{{1,4}}(?:[.,/-]\d{{1,3}})? ?(?:(?:{_UNITS}) (?:{_SMALL}{{3,20}} )?[A-Z\xc4\xd6\xdc][\w-]{{1,30}}"
    rf"|(?:{_SMALL}{{3,20}} )?(?:{_FOODS})\b) [^.!?:]{{0,160}}\b(?P<verb>{_SMALL}{{2,20}}e?n)\.?\s*\Z"
    r"|\A\d{1,3}(?: ?(?:bis|-|\u2013) ?\d{1,3})? (?:Minuten|Stunden) (?:[^.!?:,]{0,80} )?"
    rf"(?P<cooked>{_COOKED})\.?\s*\Z"
)
"""An amount of something or of time, and an infinitive that ends the sentence."""
NO_INFINITIVE = re.compile(
    r"(?:reichen|fehlen|gen\xfcgen|kosten|wiegen|liegen|stehen|ergeben|entsprechen|enthalten|haben|sein|werden|wurden|waren"
    r"|sind|worden|k\xf6nnen|m\xfcssen|sollen|d\xfcrfen|wollen|\xfcbrig|gegessen|bleiben|passen|kommen)\Z"
)
FINITE = re.compile(
    r"\b(?:ist|sind|war|waren|wird|werden|hat|haben|kann|k\xf6nnen|muss|m\xfcssen|soll|sollen|darf|d\xfcrfen|ich|wir"
    r"|man|Sie)\b"
)
"""What a sentence has that is no order."""


def with_orders(normalised: NormalisedText, language: str) -> NormalisedText:
    """A step of a German recipe with *Bitte* before the amount that it begins with."""
    text = normalised.text
    if language != "de" or not text[:1].isdigit():
        return normalised  # as most texts
    match = STEP.match(text)
    if (
        match is None
        or NO_INFINITIVE.match(match["verb"] or match["cooked"]) is not None
        or FINITE.search(text) is not None
    ):
        return normalised
    return replaced(normalised, [(0, 1)], [PLEASE + text[0]])


def without_please(
    text: str, spans: Sequence[Stretch], read: str, source: str, target: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of a `source` that was `read` with *Bitte*, without *Please*."""
    if target != "en" or not read.startswith(PLEASE) or source.startswith(PLEASE):
        return text, spans
    if (last := LAST.search(text)) is not None:
        return rewritten(text, spans, [last.span()], [""])
    if not text.startswith(WRITTEN):
        return text, spans
    end = len(WRITTEN)
    return rewritten(text, spans, [(0, end), (end, end + 1)], ["", text[end : end + 1].upper()])
