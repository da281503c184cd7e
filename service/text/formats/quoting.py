"""What stands round the text of a file, and so cannot stand inside of it: quotation marks of strings and of attributes,
braces of messages, signs between the fields of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from service.text.formats.escapes import ASCII, ESCAPES, character_of, with_escapes, without_escapes
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

DOUBLE, SINGLE = '"', "'"
"""Of strings in JSON, YAML and the like."""
ATTRIBUTE = '="'
"""Of an attribute of HTML."""
FIELD = '""'
"""Of a field of comma-separated values, which has its own twice."""
ASCII_DOUBLE = DOUBLE + ASCII
"""Of strings in a file in ASCII, which has escapes for all other characters."""
MESSAGE = "{"
"""Of a branch of an ICU message, where an apostrophe before a brace would quote it; two of them are one."""
DELIMITERS = (",", ";")
"""Between fields that stand in no quotation marks."""
TWICE = {SINGLE: SINGLE, FIELD: DOUBLE, MESSAGE: SINGLE}
"""What stands twice for one inside of these."""
ESCAPE = re.compile(r'\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:["/\\]|u[\da-fA-F]{4})')
"""Escapes of one character: two of them for one beyond the Basic Multilingual Plane."""
UNESCAPED = re.compile(r'\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|(?P<bare>["\\])|(?P<control>[\x00-\x1f])')
"""An escape, which was copied; or a character that needs one; or one that is no text."""
QUOTED_BRACE = re.compile("'(?=[{}#])")
"""An apostrophe that would make text of a brace."""
QUOTES = re.compile('""?')
"""A quotation mark, or two of them, which were copied from a field."""


def unescaped(normalised: NormalisedText, quote: str) -> NormalisedText:
    """The inside of a string with its characters in place of their escapes."""
    text = normalised.text
    if quote in ESCAPES:
        return without_escapes(normalised, quote)
    if quote in TWICE:
        sign = TWICE[quote]
        matches = list(re.finditer(sign * 2, text))
        return replaced(normalised, [m.span() for m in matches], [sign] * len(matches)) if matches else normalised
    if quote not in (DOUBLE, ASCII_DOUBLE) or "\\" not in text:
        return normalised
    matches = list(ESCAPE.finditer(text))
    return replaced(normalised, [m.span() for m in matches], [character_of(m.group()) for m in matches])


def escaped(text: str, spans: Sequence[Stretch], quote: str) -> tuple[str, Sequence[Stretch]]:
    """The translation of a string with escapes for what needs them, and what each subword covers of it.

    YAML doubles an apostrophe inside of others; a typographic one needs no escape.
    """
    if quote in ESCAPES:
        return with_escapes(text, spans, quote)
    if quote == ASCII_DOUBLE:
        return with_escapes(*escaped(text, spans, DOUBLE), ASCII)
    if quote == SINGLE:
        return text.replace(SINGLE, "\u2019"), spans
    if quote == MESSAGE:
        return QUOTED_BRACE.sub("\u2019", text), spans
    pattern, written = (UNESCAPED, _escape) if quote == DOUBLE else (QUOTES, _entity if quote == ATTRIBUTE else _twice)
    matches = list(pattern.finditer(text))
    if not matches:
        return text, spans
    return rewritten(text, spans, [match.span() for match in matches], [written(match) for match in matches])


def in_quotes(gaps: Sequence[str], parts: Sequence[str], quotes: Sequence[str]) -> Sequence[str]:
    """The `gaps` round the `parts` of a text, with quotation marks round those fields that need some now: what they
    stand between, or a quotation mark, is in them. `quotes` tell what each part stands in."""
    if set(quotes).isdisjoint(DELIMITERS):
        return gaps  # as most texts
    found = list(gaps)
    for first, behind in _fields(gaps, quotes):
        sign = quotes[first]
        if sign not in DELIMITERS or not any(
            each in part for part in parts[first:behind] for each in (sign, DOUBLE, "\n")
        ):
            continue
        start = _start_of_field(found[first], sign)
        found[first] = found[first][:start] + DOUBLE + found[first][start:].replace(DOUBLE, FIELD)
        for inside in range(first + 1, behind):
            found[inside] = found[inside].replace(DOUBLE, FIELD)
        end = _end_of_field(found[behind], sign)
        found[behind] = found[behind][:end].replace(DOUBLE, FIELD) + DOUBLE + found[behind][end:]
    return found


def _start_of_field(gap: str, sign: str) -> int:
    """Where the field begins that stands behind the `gap`; a byte order mark before it is none of it."""
    at = max(gap.rfind(sign), gap.rfind("\n")) + 1
    return at or len(gap) - len(gap.lstrip("\ufeff"))


def _end_of_field(gap: str, sign: str) -> int:
    """Where the field ends that stands before the `gap`."""
    return min((at for each in (sign, "\r", "\n") if (at := gap.find(each)) >= 0), default=len(gap))


def _fields(gaps: Sequence[str], quotes: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Which parts, from the first to before the last, are of one field."""
    ends = [
        n for n in range(1, len(quotes)) if quotes[n] != quotes[n - 1] or any(s in gaps[n] for s in (quotes[n], "\n"))
    ]
    return pairwise([0, *ends, len(quotes)])


def _twice(match: re.Match[str]) -> str:
    return FIELD


def _entity(match: re.Match[str]) -> str:
    return "&quot;" * len(match.group())


def _escape(match: re.Match[str]) -> str:
    if match["bare"]:
        return f"\\{match.group()}"
    return " " if match["control"] else match.group()
