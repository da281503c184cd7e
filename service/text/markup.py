"""Marks inside a sentence: Markdown's emphasis and links, tags of HTML. The model reads the text without them, and its
translation gets them back round the words that attend to those they stood round."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from service.text.fixed import free
from service.text.normalise import NormalisedText, replaced

LINK = re.compile(r"(?P<opening>!?\[)(?P<inner>(?=\s*[^\[\]\s])[^\[\]\n]+)(?P<closing>\]\([^()\s]+\))")
EMPHASIS = re.compile(
    r"(?<![\w*~])(?P<opening>\*{1,3}|_{1,3}|~~)(?=[^\W_]|[\"'\u201c\u00ab(])"
    r"(?P<inner>[^*_~\n]*(?:[^\W_]|[\"'\u201d\u00bb).!?]))(?P<closing>(?P=opening))(?![\w*~(]|\.\w)"
)
TAGS = re.compile(
    r"(?P<opening><(?P<tag>(?!code\b|kbd\b|samp\b|var\b|tt\b)[A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?(?<!/)>)"
    r"(?P<inner>(?=\s*[^\s<>])[^<>]+)(?P<closing></(?P=tag)>)"
)
"""A pair of tags with no other inside, but for those round code."""
DEEPEST = 4
"""Pairs of tags inside each other that are taken out, the inner ones first."""
PROGRAM_NAME = re.compile(r"__[a-z0-9]+__")
"""`__init__` is no emphasis."""
WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
SIDES = ("opening", "closing")
MOST_GAP = 1
"""Subwords that attend elsewhere which the words of a mark may have among them."""
Stretch = tuple[int, int]


class Mark(NamedTuple):
    """A stretch of the original text that has a mark round it: `start`..`end` are its code points."""

    opening: str
    closing: str
    start: int
    end: int


def without_marks(normalised: NormalisedText, original: str) -> tuple[NormalisedText, tuple[Mark, ...]]:
    """`normalised`, the normal form of `original`, without the marks inside it, and these; outer ones come first."""
    marks: list[Mark] = []
    for pattern, hints, depth in (
        (LINK, ("](",), 1),
        (EMPHASIS, ("*", "_", "~~"), 1),
        (TAGS, ("</",), DEEPEST),
    ):
        for _ in range(depth):
            if not any(hint in normalised.text for hint in hints):
                break
            normalised, found = _taken_out(pattern, normalised, original)
            marks = [*found, *marks] if pattern is TAGS else [*marks, *found]
    return normalised, tuple(marks)


def _taken_out(
    pattern: re.Pattern[str], normalised: NormalisedText, original: str
) -> tuple[NormalisedText, list[Mark]]:
    text = normalised.text
    matches = [match for match in pattern.finditer(text) if not PROGRAM_NAME.fullmatch(match.group())]
    if pattern is not TAGS:
        matches = list(compress(matches, free(text, [match.span("opening") for match in matches])))
    if not matches:
        return normalised, []
    found = []
    for match in matches:
        (opening, start), (closing, end) = (normalised.original_span(*match.span(side)) for side in SIDES)
        inner = normalised.original_span(*match.span("inner"))
        found.append(Mark(original[opening:start], original[closing:end], *inner))
    sides = [match.span(side) for match in matches for side in SIDES]
    return replaced(normalised, sides, [""] * len(sides)), found


def columns_of(mark: Mark, normalised: NormalisedText, spans: Sequence[Stretch]) -> np.ndarray:
    """[subwords], bool: which of the subwords that cover `spans` of `normalised` stand inside the mark."""
    inside = [any(mark.start <= normalised.starts[at] < mark.end for at in range(*span)) for span in spans]
    return np.array(inside, np.bool_)


def marked_stretch(weights: np.ndarray, columns: np.ndarray, spans: Sequence[Stretch], text: str) -> Stretch | None:
    """The words of a translation that a mark belongs to; None where there are none.

    `weights` are [target subwords, source subwords + 1], `columns` [source subwords] tell those inside the mark,
    `spans` what each target subword covers of `text`. Of the runs of subwords that attend there most the heaviest
    counts; where no subword does, the one that attends there more than others.
    """
    if columns.all():
        return 0, len(text)
    size = min(len(columns), weights.shape[1])
    strongest = weights.argmax(axis=1)
    rows = [row for row, column in enumerate(strongest) if column < size and columns[column]]
    runs: list[list[int]] = []
    for row in rows:
        if runs and row - runs[-1][-1] <= MOST_GAP + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    inside = weights[:, :size] @ columns[:size]
    best = max(runs, key=lambda run: float(inside[run].sum())) if runs else [int(inside.argmax())]
    start, end = spans[best[0]][0], spans[best[-1]][1]
    while start < end and text[start].isspace():
        start += 1
    for word in WORD.finditer(text):
        first, behind = word.span()
        start = first if first < start < behind else start
        end = behind if first < end < behind else end
    ends = "" if columns[-1] else ".!?\u2026"
    while end > start and (text[end - 1].isspace() or (end == len(text) and text[end - 1] in ends)):
        end -= 1
    return (start, end) if start < end else None


def wrapped(
    text: str, spans: Sequence[Stretch], marks: Sequence[tuple[Mark, Stretch]]
) -> tuple[str, Sequence[Stretch]]:
    """`text` with `marks`, outer ones first, round their stretches, and what each subword covers of it then: of the
    text alone, not of the marks."""
    added = [(start, 1, number, mark.opening) for number, (mark, (start, _)) in enumerate(marks)]
    added += [(end, 0, -number, mark.closing) for number, (mark, (_, end)) in enumerate(marks)]
    added.sort()
    pieces, at = [], 0
    for place, _, _, piece in added:
        pieces += [text[at:place], piece]
        at = place
    openings = {start for _, (start, _) in marks}
    bare = [(_behind_space(text, start, end, openings), end) for start, end in spans]
    moved = [
        (
            start + sum(len(piece) for place, _, _, piece in added if place <= start),
            end + sum(len(piece) for place, _, _, piece in added if place < end),
        )
        for start, end in bare
    ]
    return "".join([*pieces, text[at:]]), moved


def _behind_space(text: str, start: int, end: int, openings: Container[int]) -> int:
    """Where a subword begins without the space before it, if a mark comes between them."""
    inner = start
    while inner < end and text[inner].isspace():
        inner += 1
    return inner if inner in openings else start
