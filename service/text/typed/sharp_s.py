"""German words whose ß was written as ss, as in Switzerland and in capitals: models have hardly read them."""

from __future__ import annotations

import re
from collections.abc import Container

from service.text.spans.normalise import NormalisedText

WORD = re.compile(r"[^\W\d_]*ss[^\W\d_]*")
DOUBLE = "ss"
SWISS = frozenset(("spass", "Spass", "weiss", "weisst", "Weisst"))
"""Words with ss that training texts have, too, of which none is another word: *Masse* and *Busse* are."""


def with_sharp_s(normalised: NormalisedText, known: Container[str]) -> NormalisedText:
    """The text with ß in words that are `known` only so, and in the `SWISS` ones: *Strasse* becomes *Straße*, *Masse*
    stays.

    Code points stand for the same originals as before; a ß stands for both letters.
    """
    text = normalised.text
    places = [
        match.start() + at
        for match in WORD.finditer(text)
        if (match[0] in SWISS or match[0] not in known) and (at := _place(match[0], known)) is not None
    ]
    if not places:
        return normalised
    starts, ends = list(normalised.starts), list(normalised.ends)
    for at in reversed(places):
        text = f"{text[:at]}ß{text[at + len(DOUBLE) :]}"
        del starts[at + 1], ends[at]
    return NormalisedText(text, starts, ends)


def _place(word: str, known: Container[str]) -> int | None:
    """Where `word` has the ss whose ß makes it `known`; None where none does."""
    found = (match.start() for match in re.finditer(DOUBLE, word))
    return next((at for at in found if f"{word[:at]}ß{word[at + len(DOUBLE) :]}" in known), None)
