"""Text in capitals: no model learns it well, so it is read in lower case and its translation written in capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from service.text.spans.normalise import NormalisedText

PRONOUN = re.compile(r"\bi\b")


def is_capitals(text: str) -> bool:
    """Whether all letters of `text` are capitals, and at least two of them stand side by side."""
    return text.isupper() and any(a.isupper() and b.isupper() for a, b in pairwise(text))


def without_capitals(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text in lower case, except its first letter; code points stand for the same originals as before."""
    characters = [lower if len(lower := c.lower()) == 1 else c for c in normalised.text]
    first = next(i for i, c in enumerate(normalised.text) if c.isupper())
    characters[first] = normalised.text[first]
    text = "".join(characters)
    if language == "en":
        text = PRONOUN.sub("I", text)
    return NormalisedText(text, normalised.starts, normalised.ends)


def in_capitals(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """`text` in capitals, and `spans` of it where they are then: some letters become two."""
    raised = [c.upper() for c in text]
    at = [0]
    for piece in raised:
        at.append(at[-1] + len(piece))
    return "".join(raised), [(at[start], at[end]) for start, end in spans]
