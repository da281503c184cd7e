"""Marks inside a sentence: Markdown's emphasis and links, tags of HTML, fonts and links of LaTeX.

The model reads the text without them. Its translation gets them back round the words that attend to those they stood
round.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Sequence
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np

from service.text.formats import wiki_marks
from service.text.formats.wiki_marks import may_have_wiki_marks
from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import COMMENT, INLINE_CODE
from service.text.spans.stretches import Stretch

LINK = re.compile(
    r"(?P<opening>!?\[)(?P<inner>(?=\s*[^\[\]\s])[^\[\]\n]+)"
    r"(?P<closing>\]\([^()\s]+(?:\([^()\s]*\)[^()\s]*)?(?:\s\"[^\"\n]*\")?\))"
)
REFERENCE = re.compile(
    r"(?<![\w\]!])(?P<opening>\[)(?P<inner>(?=[^\[\]\n]*[^\W\d_]{2})[^\[\]\n]+)(?P<closing>\]\[[a-z0-9][a-z0-9_.-]*\])"
)
"""A link whose address stands elsewhere."""
_BEGINS, _ENDS = (
    r"(?=\w|[\"'\u201c\u201e\u00ab(\[{$@#<`*~+\u20ac\u00a3-])",
    r"(?<=\w|[\"'\u201c\u201d\u00bb).,:;!?%\]}>`*~])",
)
EMPHASIS = re.compile(
    rf"(?<![\w*~])(?:(?P<opening>\*{{1,3}}){_BEGINS}(?P<inner>[^*\n]+){_ENDS}(?P<closing>(?P=opening))"
    rf"|(?P<opening_>_{{1,3}}){_BEGINS}(?P<inner_>[^_\n]+){_ENDS}(?P<closing_>(?P=opening_))"
    rf"|(?P<opening__>~~){_BEGINS}(?P<inner__>[^~\n]+){_ENDS}(?P<closing__>~~))(?![\w*~(]|\.\w)"
)
TAGS = re.compile(
    r"(?P<opening><(?P<tag>(?!(?:code|kbd|samp|var|tt|script|style)\b)[A-Za-z][A-Za-z0-9]*|\d{1,2})"
    r"(?:\s[^<>]*)?(?<!/)>)"
    r"(?P<inner>(?=\s*[^\s<>])[^<>]+)(?P<closing></(?P=tag)>)"
)
"""A pair of tags with no other inside, but for those round code."""
_INLINE = r"(?:a|abbr|b|big|cite|del|em|font|i|ins|mark|q|s|small|span|strike|strong|sub|sup|u|\d{1,2})"
UNCLOSED = re.compile(
    rf"(?P<opening><(?P<tag>{_INLINE})(?:\s+[\w:-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*>)"
    r"(?P<inner>(?=[^\s<>])[^<>]*[^\s<>])(?P<closing>)\s*\Z"
    rf"|\A\s*(?P<opening_>)(?P<inner_>[^\s<>](?:[^<>]*[^\s<>])?)(?P<closing_></{_INLINE}>)(?=\s*[^\s<>])"
)
"""A tag that nothing closes: its words go on to the end of the text. Or one that closes what began before the text.
With a space beside its words it is one that the text is about: *Use the <b> tag*."""
LATEX = re.compile(
    r"(?P<opening>\\(?:text(?:bf|it|sl|sc|rm|sf|up|md)|emph|underline|enquote|mbox|href\{[^{}\n]*\})\{)(?P<inner>(?=\s*[^{}\s])[^{}\\\n]+)"
    r"(?P<closing>\})"
)
DEEPEST = 4
"""Marks inside each other that are taken out, the inner ones first."""
PROGRAM_NAME = re.compile(r"__[a-z0-9]+__")
"""`__init__` is no emphasis."""
CODE = re.compile(rf"{INLINE_CODE}|<(?P<code>code|script|style)\b[^<>]*>.*?</(?P=code)>|{COMMENT}")
WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
MOST_GAP = 1
"""Subwords that attend elsewhere which the words of a mark may have among them."""


class Mark(NamedTuple):
    """A stretch of the original text that has a mark round it: `start`..`end` are its code points, `at`..`behind` those
    with the mark."""

    opening: str
    closing: str
    start: int
    end: int
    at: int = 0
    behind: int = 0

    @property
    def is_shouted(self) -> bool:
        """Whether it has no signs: its words are in capitals, see `shouted.py`."""
        return not self.opening and not self.closing


def may_have_marks(text: str) -> bool:
    """Whether `text` may have a mark inside it, found quickly."""
    if "*" in text or "_" in text or "](" in text or "][" in text or "<" in text or "~~" in text or "\\" in text:
        return True
    return may_have_wiki_marks(text)


class Unmarked(NamedTuple):
    """A text without the marks inside it."""

    normalised: NormalisedText
    marks: tuple[Mark, ...]
    """Those that were taken out; outer ones come first."""
    kept: tuple[Stretch, ...] = ()
    """The signs of marks that are still in the text, which no model can place: they belong to a copy beside them."""


def without_marks(
    normalised: NormalisedText, original: str, protected: Callable[[str], Sequence[Stretch]] = lambda text: ()
) -> Unmarked:
    """`normalised`, the normal form of `original`, without the marks inside it.

    A mark round a stretch that is `protected` in the text without it, or across its border, stays: the model cannot say
    where such a copy begins and ends, and the copy carries the mark. Beside words inside the mark it may stand.
    """
    kept: dict[int, Mark] = {}
    while True:
        plain, marks = _without(normalised, original, kept)
        stretches = protected(plain.text) if marks else ()
        touched = {mark.at: mark for mark in marks if _touches(mark, plain, stretches)}
        if not touched:
            sides = (side for mark in kept.values() for side in ((mark.at, mark.start), (mark.end, mark.behind)))
            places = (
                (bisect_left(plain.starts, start), bisect_left(plain.starts, end))
                for start, end in sides
                if start < end
            )
            return Unmarked(plain, marks, tuple(places))
        kept |= touched


def _touches(mark: Mark, plain: NormalisedText, stretches: Sequence[Stretch]) -> bool:
    """Whether one of `stretches` lies across a border of `mark`, or touches one and leaves no words to the mark."""
    first, last = (bisect_left(plain.starts, place) for place in (mark.start, mark.end))
    touching = [(start, end) for start, end in stretches if start <= first <= end or start <= last <= end]
    inside = [(start, end) for start, end in touching if first <= start and end <= last]
    if len(inside) < len(touching):
        return True
    rest = "".join(plain.text[end:start] for (_, end), (start, _) in pairwise([(0, first), *inside, (last, 0)]))
    return bool(inside) and WORD.search(rest) is None


def _without(
    normalised: NormalisedText, original: str, kept: Container[int]
) -> tuple[NormalisedText, tuple[Mark, ...]]:
    """The text without its marks, but for those that begin at a code point of `kept`; and these marks."""
    marks: list[Mark] = []
    further = wiki_marks.PATTERNS if may_have_wiki_marks(normalised.text) else ()
    for pattern in (TAGS, UNCLOSED, *further, LINK, REFERENCE, LATEX, EMPHASIS):
        for _ in range(DEEPEST):
            normalised, found = _taken_out(pattern, normalised, original, kept)
            if not found:
                break
            marks += found
    return normalised, tuple(sorted(marks, key=lambda mark: (mark.at, -mark.behind)))


def _taken_out(
    pattern: re.Pattern[str], normalised: NormalisedText, original: str, kept: Container[int]
) -> tuple[NormalisedText, list[Mark]]:
    text = normalised.text
    sides = [_sides(match) for match in pattern.finditer(text) if not PROGRAM_NAME.fullmatch(match.group())]
    are_free = free(
        text, [opening for opening, _, _ in sides], None if pattern in (LINK, REFERENCE, EMPHASIS) else CODE
    )
    found, taken = [], []
    for opening, inner, closing in compress(sides, are_free):
        first, last = normalised.original_span(*inner)
        at, start = normalised.original_span(*opening) if opening[0] < opening[1] else (first, first)
        end, behind = normalised.original_span(*closing) if closing[0] < closing[1] else (last, last)
        if at not in kept:
            found.append(Mark(original[at:start], original[end:behind], first, last, at, behind))
            taken += [side for side in (opening, closing) if side[0] < side[1]]
    return (replaced(normalised, taken, [""] * len(taken)) if taken else normalised), found


def _sides(match: re.Match[str]) -> tuple[Stretch, Stretch, Stretch]:
    """Where the opening, the inside and the closing of a mark lie."""
    names = next(names for names in ("", "_", "__") if match.group(f"opening{names}") is not None)
    opening, inner, closing = (match.span(f"{side}{names}") for side in ("opening", "inner", "closing"))
    return opening, inner, closing


def columns_of(mark: Mark, normalised: NormalisedText, spans: Sequence[Stretch]) -> np.ndarray:
    """[subwords], bool: which of the subwords that cover `spans` of `normalised` stand inside the mark."""
    inside = [any(mark.start <= normalised.starts[at] < mark.end for at in range(*span)) for span in spans]
    return np.array(inside, np.bool_)


def marked_stretch(weights: np.ndarray, columns: np.ndarray, spans: Sequence[Stretch], text: str) -> Stretch:
    """The words of a translation that a mark belongs to; all of it where there are none.

    `weights` are [target subwords, source subwords + 1], `columns` [source subwords] tell those inside the mark,
    `spans` what each target subword covers of `text`. Of the runs of subwords that attend there most the heaviest
    counts; where no subword does, the one that attends there more than others.
    """
    if columns.all() or not columns.any():
        return 0, len(text)
    size = min(len(columns), weights.shape[1])
    strongest = weights.argmax(axis=1)
    are_blank = [not text[start:end].strip() for start, end in spans]
    rows = [row for row, at in enumerate(strongest) if at < size and columns[at] and not are_blank[row]]
    runs: list[list[int]] = []
    for row in rows:
        if runs and row - runs[-1][-1] <= MOST_GAP + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    inside = np.where(are_blank, -1.0, weights[:, :size] @ columns[:size])
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
    return (start, end) if start < end else (0, len(text))


def nested(marks: Sequence[Mark], stretches: Sequence[Stretch]) -> list[Stretch]:
    """The `stretches` of `marks`, which are in their source's order, so that marks nest in the translation as they do
    in the source."""
    found = list(stretches)
    for one in range(len(marks)):  # those beside each other stay so
        for other in range(one + 1, len(marks)):
            if marks[other].at >= marks[one].behind:
                found[one], found[other] = _disjoint(found[one], found[other])
    for outer in reversed(range(len(marks))):
        inner = [found[n] for n in range(outer + 1, len(marks)) if marks[n].behind <= marks[outer].behind]
        found[outer] = min(s for s, _ in [found[outer], *inner]), max(e for _, e in [found[outer], *inner])
    open_ends: list[int] = []
    for number in sorted(range(len(marks)), key=lambda n: (found[n][0], -found[n][1], n)):
        start, end = found[number]
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        found[number] = start, min(end, open_ends[-1]) if open_ends else end
        open_ends.append(found[number][1])
    return found


def _disjoint(one: Stretch, other: Stretch) -> tuple[Stretch, Stretch]:
    if one[1] <= other[0] or other[1] <= one[0]:
        return one, other
    if one[0] <= other[0]:
        return (one[0], max(one[0], other[0])), other
    return one, (other[0], max(other[0], one[0]))


def wrapped(
    text: str, spans: Sequence[Stretch], marks: Sequence[tuple[Mark, Stretch]]
) -> tuple[str, Sequence[Stretch]]:
    """`text` with `marks`, outer ones first, round their stretches, and what each subword covers of it then: of the
    text alone, not of the marks."""
    added: list[tuple[int, int, int, int, str]] = []
    for number, (mark, (start, end)) in enumerate(marks):
        if start < end:
            added += [(start, 1, -end, number, mark.opening), (end, 0, -start, -number, mark.closing)]
        elif mark.opening != mark.closing:  # an address is not lost with its words
            added.append((start, 1, -end, number, mark.opening + mark.closing))
    added.sort()
    pieces, at = [], 0
    for place, _, _, _, piece in added:
        pieces += [text[at:place], piece]
        at = place
    openings = {start for _, (start, _) in marks}
    bare = [(_behind_space(text, start, end, openings), end) for start, end in spans]
    moved = [
        (
            start + sum(len(piece) for place, _, _, _, piece in added if place <= start),
            end + sum(len(piece) for place, _, _, _, piece in added if place < end),
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
