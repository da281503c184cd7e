"""Columns of a line, between runs of spaces or leaders: *Cup of tea ........ 1.50*.

A model would read them as one sentence. Each is translated by itself, and what lies between them stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress

from service.text.spans.fixed import free
from service.text.spans.stretches import Stretch

HINTS = ("   ", "__  ", "....", ". . . .", "\u2026\u2026", "\u00b7\u00b7\u00b7\u00b7")
"""One of these is in every line with columns, but for some that begin with an option."""
LEADER = (
    r"(?<=[\s:])(?:(?:\.{5,}|\.(?: \.){4,}|\u2026{2,}|\u00b7{4,})(?!\S)"
    r"|(?:\.{4}|\.(?: \.){3})(?= *[$\u20ac\u00a3]?\d))"
    r"|(?<=[\w)])\.{6,}(?= ?(?:\d{1,4}|[ivxlc]{1,6}) *(?:\n|\Z))"
)
"""Points that lead the eye from a word to its number. In prose fewer points stand behind a word, without a space."""
GAP = re.compile(rf"(?P<leader>{LEADER})|(?<=[^\s>])(?P<spaces> {{2,}})(?=\S)")
"""What may lie between two columns."""
NO_PROSE = 4
"""Spaces that nobody types between two words of a sentence."""
_OPTION = r"(?:-[A-Za-z\d?]|--[A-Za-z][\w-]*)"
_ARGUMENT = r"(?:[A-Z][A-Z\d_-]*|<[^<>\s]+>|\[[^\[\]\s]+\]|[a-z]+)"
OPTIONS = re.compile(rf"{_OPTION}(?:\[?=\S+)?(?:(?:, ?|/| ?\| ?| ){_OPTION}(?:\[?=\S+)?)*(?: {_ARGUMENT}(?:\.\.\.)?)?")
"""A column of a command's options, the last with its argument: *-c, --color=NAME*."""
MAY_BE_OPTIONS = re.compile(r" *-[-\w?][^\n]*?\S  +\S")
_ROMAN = r"(?=\w)(?:l?x{0,3}(?:ix|iv|v?i{0,3})|L?X{0,3}(?:IX|IV|V?I{0,3}))"
SIGN = re.compile(rf"\(?(?:[A-Za-z]|{_ROMAN})[.)]?|[-+@]?[\d.,:]+ ?[A-Z*](?:-[A-Z])?|[A-Z] \d+")
"""A column that is no word: the sign of an item, a code behind an amount, the number of a page."""


def may_have_columns(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` may have columns, found quickly."""
    line = text[start:end]
    if "  " not in line and ".." not in line and ". ." not in line and line.isascii():
        return False  # as most texts
    return any(map(line.__contains__, HINTS)) or (line.startswith("-") and MAY_BE_OPTIONS.match(line) is not None)


def column_gaps(text: str, start: int, end: int) -> list[Stretch]:
    """What lies between the columns of the line `text[start:end]`, in order; nothing where it has one only."""
    line = text[start:end]
    gaps = [gap for gap in GAP.finditer(line) if not _is_field(gap)]
    if not any(_is_sure(gap, gaps) for gap in gaps) or _is_justified(line, gaps):
        return []
    found = [gap.span() for gap in gaps]
    return [(start + first, start + last) for first, last in compress(found, free(line, found))]


def is_no_text(column: str) -> bool:
    """Whether a column has nothing to translate, though it has letters."""
    return OPTIONS.fullmatch(column) is not None or SIGN.fullmatch(column) is not None


def _is_field(gap: re.Match[str]) -> bool:
    """Whether it lies between the label of a field and words, which are read together: *Last name:    Carpenter*."""
    line = gap.string
    return gap["leader"] is None and line[gap.start() - 1] == ":" and line[gap.end()].isalpha()


def _is_sure(gap: re.Match[str], gaps: Sequence[re.Match[str]]) -> bool:
    """Whether there are columns on both sides, whatever else the line has."""
    line, size = gap.string, gap.end() - gap.start()
    if gap["leader"] or size >= NO_PROSE or line[: gap.start()].endswith("__"):
        return True
    if gap is gaps[0] and OPTIONS.fullmatch(line, 0, gap.start()):
        return True
    before, behind = line[gap.start() - 1], line[gap.end()]
    return size == NO_PROSE - 1 and not ((before.islower() or before in ",;") and behind.islower())


def _is_justified(line: str, gaps: Sequence[re.Match[str]]) -> bool:
    """Whether a program made the line as long as others, with a space more here and there."""
    if OPTIONS.match(line) or any(gap["leader"] or gap.end() - gap.start() >= NO_PROSE for gap in gaps):
        return False
    return any(gap.end() - gap.start() == 2 and line[gap.start() - 1] not in ".!?:_)" for gap in gaps)
