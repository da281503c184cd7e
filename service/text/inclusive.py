"""French words of both genders, written with a middle dot: no model has read them, so they are read as one gender."""

from __future__ import annotations

import re

from service.text.normalise import NormalisedText

DOT = r"[\xb7\u2022\u2027]"
FEMININE = (
    r"(?:e|ne|le|te|ve|se|re|che|que|sse|ale|\xe8re|i\xe8re|eure|euse|rice|trice|esse|elle|enne|ienne|onne|ive|ette)"
)
ENDING = re.compile(rf"(?<=[^\W\d_]){DOT}(?:{FEMININE}(?:{DOT}?s)?|s)(?!\w|{DOT})")
"""The further ending of a word: *·e* of *étudiant·e*, *·rice·s* of *acteur·rice·s*."""


def without_further_endings(normalised: NormalisedText) -> NormalisedText:
    """The text without the second gender of its words: *étudiant·e·s* becomes *étudiants*.

    The letter before an ending stands for it too, or for all but the plural's s.
    """
    endings = list(ENDING.finditer(normalised.text))
    if not endings:
        return normalised
    text, starts, ends = normalised.text, list(normalised.starts), list(normalised.ends)
    for match in reversed(endings):
        first, last = match.span()
        if text[last - 1] == "s" and text[first - 1] not in "sx":
            last -= 1
        ends[first - 1] = ends[last - 1]
        text = text[:first] + text[last:]
        del starts[first:last], ends[first:last]
    return NormalisedText(text, starts, ends)
