"""Spaces behind signs that open something, as a tokenizer reads and writes them: `( optional)`, `" Save"`, `and/ or`.

sentencepiece makes a piece of a word with the space before it. Behind an opening bracket there is none, so that a
vocabulary which has `▁deadline` spells `(deadline` as `(`, `de`, `a`, `d`, `line`, a word that no model has seen. A
tokenizer that spaces signs gives the model `( deadline`, and takes the space out of what the model writes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from model_store.contract.placeholders import PLACEHOLDERS

Span = tuple[int, int]
OPENING = "\"'\u201c\u201e\u2018\u201a(\\[{"
"""Brackets and quotation marks; some of them close, too, but not behind a space."""
BEGINS = rf"(?<![^\s{OPENING}\u00ab])"
"""Only where something begins can a sign open it."""
LETTERS = r"[^\W\d_][^\W\d_]"
BETWEEN = "/\u2013"
"""Between two words: *email/phone*, *Monday–Friday*."""
TIGHT = re.compile(rf"{BEGINS}[{OPENING}\u00ab](?=[\w{PLACEHOLDERS}])|(?<={LETTERS})[{BETWEEN}](?={LETTERS})")
"""Signs behind which a tokenizer puts a space."""
APART = re.compile(rf"(?:{BEGINS}[{OPENING}]|(?<={LETTERS})[{BETWEEN}])(?= \S)")
"""Signs behind which it takes one out. Guillemets keep theirs: French has them."""


def spaced(text: str) -> tuple[str, list[int]]:
    """`text` with a space behind each opening sign that stands before a word; and where in `text` these go in."""
    places = [match.end() for match in TIGHT.finditer(text)]
    if not places:
        return text, places
    cuts = [0, *places, len(text)]
    return " ".join(text[start:end] for start, end in pairwise(cuts)), places


def without_spaces(text: str) -> tuple[str, list[int]]:
    """The inverse of `spaced`, and where in `text` the spaces were that are taken out."""
    closing = _closing(text) if '"' in text else ()
    places = [match.end() for match in APART.finditer(text) if match.start() not in closing]
    if not places:
        return text, places
    pieces, at = [], 0
    for place in places:
        pieces.append(text[at:place])
        at = place + 1
    return "".join([*pieces, text[at:]]), places


def _closing(text: str) -> set[int]:
    """Where in `text` a `"` closes a quotation, or stands for inches."""
    found, is_open = set(), False
    for match in re.finditer('"', text):
        at = match.start()
        if is_open or text[at - 1 : at].isdigit():
            found.add(at)
            is_open = False
        else:
            is_open = True
    return found


def spans_before(spans: Iterable[Span], places: Sequence[int]) -> list[Span]:
    """What `spans` of a text that was `spaced` at `places` cover of the text before."""
    put_in = [place + number for number, place in enumerate(places)]
    return [(start - bisect_left(put_in, start), end - bisect_left(put_in, end)) for start, end in spans]


def spans_behind(spans: Iterable[Span], places: Sequence[int]) -> list[Span]:
    """What `spans` of a text cover of it once the spaces at `places` are taken out."""
    return [(start - bisect_left(places, start), end - bisect_left(places, end)) for start, end in spans]
