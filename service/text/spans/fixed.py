"""Stretches that no rule may change: addresses, paths, code, tags, holes of templates, names of programs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from service.text.spans.patterns import ADDRESS, ENTITY, HOLE, INLINE_CODE, KEPT, LATEX, PATH
from service.text.spans.stretches import Stretch

FIXED = re.compile(
    rf"{INLINE_CODE}|{ADDRESS}|{PATH}|{KEPT}|</?[A-Za-z][^<>\n]*>|{HOLE}|{ENTITY}|{LATEX}|\b[a-z]\w*_\w+\b|\b__\w+__(?=[.(\s]|\Z)"
)


def free(text: str, stretches: Sequence[Stretch], fixed: re.Pattern[str] | None = None) -> list[bool]:
    """For each of `stretches`, whether it lies outside of all that must not change in `text`: what `fixed` finds, FIXED
    if not given."""
    if not stretches:
        return []
    spans = [match.span() for match in (fixed or FIXED).finditer(text)]
    ends = [end for _, end in spans]
    found = []
    for start, end in stretches:
        after = bisect_right(ends, start)  # the first that ends behind the beginning
        found.append(after == len(spans) or spans[after][0] >= end)
    return found
