"""Lines that are wrapped: where a sentence goes on in the next line, and the line breaks of its translation.

A line break that somebody meant ends a sentence; one that an editor or a mail program put where the line was full does
not. Text does not say which is which, so that a break is taken for one of these only with evidence: the next line goes
on in lower case, or the line was full and ends with a word that ends no sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

BREAK = re.compile(r"[ \t]*\r?\n[ \t]*(?P<quoted>(?:>[ \t]?)*)[ \t]*(?=[^\s>])")
"""A line break with the white space around it, but for one before a blank line, and the signs of a `quoted` line."""
QUOTED = re.compile(r"[ \t]*((?:>[ \t]?)+)")
LINE = re.compile(r"[^\r\n]*")
ENDED = re.compile(r"[.!?\u2026:;|>]\Z")
"""The end of a line that is complete, or that is no text."""
CLOSED = re.compile(r"[)\]}\"\u00bb\u201c\u201d'*_`]\Z")
"""The end of a line that may be complete."""
STARTS = re.compile(
    r"(?:[-*+\u2022\u2013\u2014>#|<=~`{\[]|\d{1,3}[.)]|\(?(?:[A-Za-z]|[ivx]{2,4})\)|[a-h]\.\s[A-Za-z]{2}|\d+(?:[:,.]\d+)*\s*(?:-->|\Z)|[^\w\s]\s)",
    re.ASCII,
)
"""The start of a line that is an item, a quotation, a heading, a table or a time code."""
NO_TEXT = re.compile(r"\t|\s\||\|\s|\s{3,}\S")
"""What a table or a form has inside of its lines."""
LEAST, FULL = 20, 45
"""Code points of a line that may go on, and of one that may be full."""
NEARLY_FULL = 0.7
"""Share of the longest line that a line has which people have wrapped by hand."""
GOES_ON = {
    "en": word_set(
        "a an and as at be been but by for from has have he her his if in into is it its my no not of on or our she so",
        "than that the their they this to was we were when which who whose will with you your",
    ),
    "fr": word_set(
        "a au aux avec ce ces cette d de des du elle en est et il ils je l la le les leur mais ne nous on ou par pour",
        "qu que qui sa sans se ses si son sont sur un une vous \u00e0 \u00e9t\u00e9 dans",
    ),
    "de": word_set(
        "aber als am an auch auf aus bei bis das dass dem den der des die ein eine einem einen einer eines er es",
        "f\u00fcr hat im in ist mit nach nicht oder sich sie sind sowie um und vom von vor war wenn wie wir wird zu",
        "zum zur",
    ),
}
"""Words that end no sentence, by language."""
TAG = re.compile(r"<[^<>]*>")
SPACE = re.compile(r"(?<=[^\s\u00ab\u201e(]) (?=[^\s!?:;\u00bb%\u2013])")
"""Where a translation may be broken."""


def with_wrapped_lines_joined(text: str, language: str) -> str:
    """`text` with spaces for the breaks of wrapped lines, one for each code point: offsets stay."""
    if "\n" not in text.strip():
        return text  # as most texts
    pieces, at = [], 0
    for start, end in wrapped_breaks(text, language):
        pieces += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def wrapped_breaks(text: str, language: str) -> list[Stretch]:
    """Where lines of `text` are wrapped: line breaks with the white space around them."""
    return [found for paragraph in _paragraphs(text) for found in _wrapped(text, paragraph, language)]


def without_quotation_signs(normalised: NormalisedText, original: str) -> NormalisedText:
    """`normalised`, the normal form of `original`, with a space for each line break inside of a quoted mail."""
    if "\n" not in original:
        return normalised  # as most texts
    found = [
        (bisect_left(normalised.starts, match.start()), bisect_left(normalised.starts, match.end()))
        for match in BREAK.finditer(original)
        if match["quoted"]
    ]
    return replaced(normalised, found, [" "] * len(found)) if found else normalised


def _paragraphs(text: str) -> Iterator[list[re.Match[str]]]:
    """The breaks of each paragraph that has some. All its lines are quoted alike."""
    found: list[re.Match[str]] = []
    depth = 0
    for match in BREAK.finditer(text):
        if found and "\n" in text[found[-1].end() : match.start()]:
            yield found
            found = []
        if not found:
            first = QUOTED.match(text, text.rfind("\n", 0, match.start()) + 1)
            depth = first[1].count(">") if first else 0
        if match["quoted"].count(">") == depth:
            found.append(match)
        elif found:
            yield found
            found = []
    if found:
        yield found


def _wrapped(text: str, breaks: Sequence[re.Match[str]], language: str) -> Iterator[Stretch]:
    begin = text.rfind("\n", 0, breaks[0].start()) + 1
    first, last = QUOTED.match(text, begin), LINE.match(text, breaks[-1].end())
    assert last is not None
    starts = [first.end() if first else begin, *(each.end() for each in breaks)]
    ends = [*(each.start() for each in breaks), last.end()]
    lines = [text[start:end].rstrip() for start, end in zip(starts, ends, strict=True)]
    width = max(map(len, lines))
    is_sure = [_is_sure(*pair, width) for pair in pairwise(lines)]
    goes_on = False  # whether the line goes on from the one before
    for i, (line, following) in enumerate(pairwise(lines)):
        may_go_on = goes_on or line.lstrip("-*+\u2022>0123456789.() ")[:1].isupper()
        goes_on = is_sure[i] and may_go_on
        if not goes_on and _may_be(line, following) and not CLOSED.search(line) and len(line) >= FULL:
            is_evident = _ends_open(line, language) or any(is_sure[:i] + is_sure[i + 1 :])
            goes_on = is_evident and _with_next_word(line, following) > width
        if goes_on:
            yield breaks[i].span()


def _ends_open(line: str, language: str) -> bool:
    """Whether a line ends with a comma or a word that ends no sentence."""
    last = line.rsplit(None, 1)[-1].lower().rpartition("'")[2]
    return line.endswith(",") or last in GOES_ON.get(language, ())


def _with_next_word(line: str, following: str) -> int:
    """How long a line would be with the first word of the `following` one."""
    return len(line) + 1 + len(following.split(None, 1)[0])


def _may_be(line: str, following: str) -> bool:
    """Whether a line may be wrapped before the `following` one."""
    if line.lstrip().startswith(("#", "|", "<", "=")) or ENDED.search(line) or STARTS.match(following):
        return False
    return NO_TEXT.search(line) is None and NO_TEXT.search(following) is None


def _is_sure(line: str, following: str, width: int) -> bool:
    """Whether the `following` line goes on in lower case, and both are no items of a list or messages of a chat.

    `width` is that of the longest line.
    """
    if not following[:1].islower() or len(line) < LEAST or not _may_be(line, following):
        return False
    if len(line) >= FULL:
        return _with_next_word(line, following) > NEARLY_FULL * width
    is_item = len(following) < LEAST and following[-1:] not in ".!?,\u2026"
    return not is_item and _with_next_word(line, following) > width


def with_breaks(text: str, spans: Sequence[Stretch], source: str) -> tuple[str, Sequence[Stretch]]:
    """A translation with the line breaks of its `source` where they divide it alike, and what each subword covers of
    it."""
    if "\n" in TAG.sub("", text):
        return text, spans  # in what was copied
    taken = [match.span() for match in TAG.finditer(source)]
    breaks = [match for match in BREAK.finditer(source) if not any(a < match.start() < b for a, b in taken)]
    tags = [match.span() for match in TAG.finditer(text)]
    places = [m.start() for m in SPACE.finditer(text) if not any(a < m.start() < b for a, b in tags)]
    found: list[tuple[int, str]] = []
    for match in breaks:
        wanted = match.start() / len(source) * len(text)
        left = [place for place in places if not found or place > found[-1][0]]
        if left:
            found.append((min(left, key=lambda place: abs(place - wanted)), match.group()))
    return rewritten(text, spans, [(place, place + 1) for place, _ in found], [sign for _, sign in found])
