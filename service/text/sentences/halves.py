"""Where a sentence that is too long for a model is cut: at a clause, at a space, anywhere."""

from __future__ import annotations

import re

CLAUSE_END = re.compile(r"[,;:\u2013\u2014\u3001\uff0c\uff1b\uff1a)\]]\s*")
WHITE_SPACE = re.compile(r"\s+")


def halves(text: str, start: int, end: int, num_parts: int) -> list[tuple[int, int]]:
    """Two parts of `text[start:end]` without the white space at the cut; the first is to hold half of `num_parts`."""
    share = (num_parts // 2) / num_parts
    ideal = min(max(start + 1, start + round((end - start) * share)), end - 1)
    quarter = (end - start) // 4
    wanted = ((CLAUSE_END, quarter), (WHITE_SPACE, 2 * quarter))
    found = (_nearest(pattern, text, (start, end), ideal, reach) for pattern, reach in wanted)
    cut = next((at for at in found if at is not None), ideal)
    left, right = text[start:cut].rstrip(), text[cut:end].lstrip()
    return [span for span in ((start, start + len(left)), (end - len(right), end)) if span[0] < span[1]]


def _nearest(pattern: re.Pattern[str], text: str, span: tuple[int, int], ideal: int, reach: int) -> int | None:
    """The end of the match nearest to `ideal`, inside `span` and within `reach`; None when there is none."""
    low, high = max(span[0] + 1, ideal - reach), min(span[1] - 1, ideal + reach)
    ends = [m.end() for m in pattern.finditer(text, max(span[0], low - 1), high) if low <= m.end() <= high]
    return min(ends, key=lambda at: abs(at - ideal)) if ends else None
