"""ICU messages: `{count, plural, one {# item} other {# items}}`. Each branch of one that stands by itself is a text.

A message inside of a sentence stays as it is: its sentence has one translation, in which it is a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.text.formats.quoting import MESSAGE
from service.text.spans.stretches import Stretch

HINT = re.compile(r",\s*(?:plural|select|selectordinal)\s*,")
ARGUMENT = re.compile(r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\s*,\s*(?:offset\s*:\s*\d+)?")
"""The beginning of an argument with branches (ICU's MessageFormat, complexArg)."""
BRANCH = re.compile(r"\s*(?:=\d+|[\w-]+)\s*(?=\{)")
"""What selects a branch."""
END = re.compile(r"\s*\}")
BRACE = re.compile(r"'[{}][^']*'|(?P<sign>[{}])")
"""A brace; or text in apostrophes, where braces are none."""
QUOTED = re.compile("'[{}]")
MOST_NESTED = 8

_Branch = tuple[int, int, str]
"""A stretch, and the sign of what it stands in."""


class _Argument(NamedTuple):
    end: int
    branches: Sequence[Stretch]


def may_have_branches(text: str) -> bool:
    """Whether `text` may have a message with branches, found quickly."""
    return HINT.search(text) is not None


def with_branches(text: str, stretches: Sequence[_Branch]) -> list[_Branch] | None:
    """`stretches` with the branches of messages in place of the messages that stand by themselves; None where there are
    none."""
    closing = _closing(text)
    found = [part for start, end, quote in stretches for part in _parts(text, start, end, quote, closing, 0)]
    return found if len(found) > len(stretches) else None


def _parts(text: str, start: int, end: int, quote: str, closing: dict[int, int], depth: int) -> Iterator[_Branch]:
    at = inside = start
    for match in ARGUMENT.finditer(text, start, end):
        argument = _argument(text, match, closing) if match.start() >= inside and depth < MOST_NESTED else None
        if argument is None or argument.end > end:
            continue
        inside = argument.end
        if _stands_alone(text, start, end, match.start(), argument.end):
            yield at, match.start(), quote
            for first, last in argument.branches:
                yield from _parts(text, first, last, quote or MESSAGE, closing, depth + 1)
            at = argument.end
    yield at, end, quote


def _argument(text: str, match: re.Match[str], closing: dict[int, int]) -> _Argument | None:
    """The argument that begins with `match`; None where it is none."""
    at, branches = match.end(), []
    while (selector := BRANCH.match(text, at)) is not None and selector.end() in closing:
        branches.append((selector.end() + 1, closing[selector.end()]))
        at = closing[selector.end()] + 1
    last = END.match(text, at)
    if not branches or last is None or closing.get(match.start()) != last.end() - 1:
        return None
    if QUOTED.search(text, match.end(), at):
        return None  # braces that are text, which nothing would bring back
    return _Argument(last.end(), branches)


def _closing(text: str) -> dict[int, int]:
    """Where each opening brace of `text` is closed."""
    found, opened = dict[int, int](), list[int]()
    for match in BRACE.finditer(text):
        if match["sign"] == "{":
            opened.append(match.start())
        elif match["sign"] and opened:
            found[opened.pop()] = match.start()
    return found


def _stands_alone(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether `text[start:end]` has no words beside `text[first:last]` on its lines."""
    before = text[max(start, text.rfind("\n", start, first) + 1) : first]
    line_end = text.find("\n", last, end)
    behind = text[last : line_end if line_end >= 0 else end]
    return not any(map(str.isalpha, before + behind))
