"""Character references of HTML (`&amp;`, `&eacute;`) and ties of LaTeX: a model reads characters, and HTML gets its
ampersands back."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import ENTITY
from service.text.spans.spacing import rewritten

REFERENCE = re.compile(ENTITY)
TIE = re.compile(r"(?<=\w)~(?=\\[A-Za-z]+\{|\$)")
"""*Figure~\\ref{a}*: a space at which no line breaks."""
SPACE = re.compile(r"(?<=\w\.)\\(?= \w)")
"""*i.e.\\ all*: a space that ends no sentence."""
AMPERSAND = re.compile(r"(?<!\S)&(?!\S)")
"""One that stands alone: those of addresses and names are copied with the text that they stand in."""


def without_references(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with the characters that its references stand for, and with spaces for ties before commands."""
    if "~\\" in normalised.text or "~$" in normalised.text:
        ties = [match.span() for match in TIE.finditer(normalised.text)]
        normalised = replaced(normalised, ties, [" "] * len(ties))
    if ".\\ " in normalised.text:
        spaces = [match.span() for match in SPACE.finditer(normalised.text)]
        normalised = replaced(normalised, spaces, [""] * len(spaces))
    if "&" not in normalised.text:
        return normalised  # as most texts
    found = [(match.span(), _character(match)) for match in REFERENCE.finditer(normalised.text)]
    known = [(span, character) for span, character in found if character is not None]
    return replaced(normalised, [span for span, _ in known], [character for _, character in known])


def with_ampersands(text: str, spans: Sequence[tuple[int, int]], source: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """The translation of a `source` that has references, with its ampersands as such, and what each subword covers."""
    if "&" not in text or REFERENCE.search(source) is None:
        return text, spans
    places = [match.span() for match in AMPERSAND.finditer(text)]
    return rewritten(text, spans, places, ["&amp;"] * len(places)) if places else (text, spans)


def _character(match: re.Match[str]) -> str | None:
    """The character, a space for one that is none to see; None where the reference is to stay."""
    character = html.unescape(match.group())
    if len(character) != 1 or character in "<>":
        return None
    if character == "&":
        alone = AMPERSAND.search(f"{match.string[match.start() - 1 : match.start()]}&{match.string[match.end() :][:1]}")
        return character if alone else None
    if character.isspace():
        return " "
    return character if character.isprintable() else None
