"""Long sentences in parts, cut at clauses: a model that has learnt from short ones loses the thread of them."""

from __future__ import annotations

import re

from service.text.protection import PATTERN, Stretch

END = re.compile(r"[,;:\u2013\u2014)\]]\s+|[\u3001\uff0c\uff1b\uff1a]\s*")
"""What ends a clause. A comma within a number ends none."""
REACH = 0.3
"""How far from the middle a sentence is cut, in its length."""


def clause_spans(text: str, start: int, end: int, most_words: int) -> list[Stretch]:
    """The parts of the sentence `text[start:end]`, without white space at the cuts; itself if it need not be cut.

    A part of more than `most_words` words is cut in two, at the end of a clause that lies nearest to its middle, if
    there is one about there; never inside of what is protected. No limit is 0.
    """
    sentence = text[start:end]
    if not most_words or len(sentence.split()) <= most_words:
        return [(start, end)]
    protected = [match.span() for match in PATTERN.finditer(sentence)]
    ends = [
        start + match.end()
        for match in END.finditer(sentence)
        if match.end() < len(sentence) and not any(first <= match.start() < last for first, last in protected)
    ]
    return _cut(text, start, end, most_words, ends)


def _cut(text: str, start: int, end: int, most_words: int, ends: list[int]) -> list[Stretch]:
    if len(text[start:end].split()) <= most_words:
        return [(start, end)]
    middle, reach = (start + end) / 2, REACH * (end - start)
    near = [at for at in ends if abs(at - middle) <= reach]
    if not near:
        return [(start, end)]
    at = min(near, key=lambda at: abs(at - middle))
    left = start + len(text[start:at].rstrip())
    return [*_cut(text, start, left, most_words, ends), *_cut(text, at, end, most_words, ends)]
