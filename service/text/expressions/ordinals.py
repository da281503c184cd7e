"""English ordinal numbers: *21st*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten

ENDINGS = {1: "st", 2: "nd", 3: "rd"}
NTH = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,4})th\b")


def ordinal(number: int) -> str:
    """An English ordinal number."""
    ending = "th" if number % 100 in (11, 12, 13) else ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def with_ordinals(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """An English translation whose ordinal numbers end as they should: *21st*, not *21th*."""
    if language != "en" or "th" not in text:
        return text, spans
    found = [match for match in NTH.finditer(text) if match.group() != ordinal(int(match["number"]))]
    return rewritten(text, spans, [match.span() for match in found], [ordinal(int(m["number"])) for m in found])
