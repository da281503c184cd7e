"""Texts of mixed lengths: short ones as people wrote them, long ones joined from several.

A long text is made so: draw its length evenly from LONG_TOKENS; take sentences in turn, each without its end mark and
(but for `I`) with a small first letter; join them with `, ` while they fit; end with `.`. Sentences that hold another
end mark, a quotation mark or a line break inside are left out, so that the whole stays one segment: it is translated in
one go, as one long sentence would be.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

LONG_SHARE = 0.25
"""Share of long texts."""
LONG_TOKENS = (30, 90)
"""Fewest and most subword tokens of a long text."""
_END = re.compile(r"[.!?…]+$")
_INNER = re.compile(r"[.!?…:;\"“”«»\n]")

Count = Callable[[str], int]
"""Subword tokens of a text."""


def mixed_texts(sentences: Sequence[str], num_texts: int, count: Count, seed: int = 1) -> list[str]:
    """`num_texts` texts in random order, LONG_SHARE of them long; `count` counts subword tokens."""
    chance = random.Random(seed)
    num_long = round(num_texts * LONG_SHARE)
    clauses = cycle([clause for clause in map(_clause, sentences) if clause])
    texts = [_long(clauses, chance.randint(*LONG_TOKENS), count) for _ in range(num_long)]
    singles = cycle(sentences)
    texts += [next(singles) for _ in range(num_texts - num_long)]
    chance.shuffle(texts)
    return texts


def _clause(sentence: str) -> str:
    """A sentence that can stand within another; empty when it cannot."""
    bare = _END.sub("", sentence.strip())
    if not bare or _INNER.search(bare):
        return ""
    return bare if re.match(r"I\b", bare) else f"{bare[0].lower()}{bare[1:]}"


def _long(clauses: Iterator[str], num_tokens: int, count: Count) -> str:
    """Clauses joined while they have at most `num_tokens` tokens."""
    joined = next(clauses)
    while count(longer := f"{joined}, {next(clauses)}") < num_tokens:
        joined = longer
    return f"{joined[0].upper()}{joined[1:]}."
