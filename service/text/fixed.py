"""Stretches that no rule may change: addresses, paths, code, tags, holes of templates, names of programs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.patterns import ADDRESS, ENTITY, HOLE, PATH

FIXED = re.compile(
    rf"`[^`\n]+`|{ADDRESS}|{PATH}|</?[A-Za-z][^<>\n]*>|{HOLE}|{ENTITY}|\b[a-z]\w*_\w+\b|\b__\w+__(?=[.(\s]|\Z)"
)
Stretch = tuple[int, int]


def free(text: str, stretches: Sequence[Stretch]) -> list[bool]:
    """For each of `stretches`, whether it lies outside of all that must not change in `text`."""
    if not stretches:
        return []
    fixed = [match.span() for match in FIXED.finditer(text)]
    return [not any(start < behind and end > at for at, behind in fixed) for start, end in stretches]
