"""Stretches that no rule may change: addresses, paths, code, tags, holes of templates, names of programs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from service.text.spans.kept import kept_elements
from service.text.spans.patterns import ADDRESS, ENTITY, HOLE, INLINE_CODE, LATEX, PATH
from service.text.spans.stretches import Stretch

FIXED = re.compile(
    rf"{INLINE_CODE}|{ADDRESS}|{PATH}|</?[A-Za-z][^<>\n]*>|{HOLE}|{ENTITY}|{LATEX}|\b[a-z]\w*_\w+\b|\b__\w+__(?=[.(\s]|\Z)"
)


def free(text: str, stretches: Sequence[Stretch], fixed: re.Pattern[str] | None = None) -> list[bool]:
    """For each of `stretches`, whether it lies outside of all that must not change in `text`: what `fixed` finds, FIXED
    if not given, and elements that are kept."""
    if not stretches:
        return []
    spans = [match.span() for match in (fixed or FIXED).finditer(text)]
    kept = kept_elements(text)
    if kept:
        inside = [start for each in kept for start in each]
        spans = sorted([*kept, *(span for span in spans if bisect_right(inside, span[0]) % 2 == 0)])
    ends = [end for _, end in spans]
    found = []
    for start, end in stretches:
        after = bisect_right(ends, start)  # the first that ends behind the beginning
        found.append(after == len(spans) or spans[after][0] >= end)
    return found
