"""Values for people in YAML (1.2.2): files of translations, and what stands before a page of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from service.text.spans.stretches import Stretch

LINE = re.compile(
    r" *(?P<items>(?:- +)*)"
    r"(?:(?P<key>[A-Za-z_][\w.-]*|\"[^\"\n]*\"|'[^'\n]*')[ \t]*:(?=[ \t]|\Z)[ \t]*)?(?P<value>.*)"
)
"""A line of a mapping or of a sequence."""
QUOTED = re.compile(r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^']|'')*)')(?:[ \t]+#.*)?")
"""A value in quotation marks."""
COMMENT = re.compile(r"(?<![^ \t])#.*")
BLOCK = re.compile(r"[|>][+-]?")
"""What a value of several lines begins with."""
NO_TEXT = re.compile(
    r"[\[{&*!%@`]|(?i:true|false|yes|no|on|off|null|~|oui|non|ja|nein|an|aus)\Z|[\d\W_]+\Z|.*[{}\[\]*%`\"\u201c\u201e\u00ab]"
)
"""A value that is no string for people; or whose translation may begin with a sign, or be a word, that needs quotation
marks in YAML."""
SURE = re.compile(r"[\w.-]*[_.\d][\w.-]*|[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
"""A key that nobody writes above a list: with a sign or a digit, or the code of a language."""
FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?P<inside>(?:[^\n]*\n)+?)---[ \t]*(?=\r?\n|\Z)")
FLAT = re.compile(r"^[a-z]+(?:_[a-z\d]+|[a-z\d][A-Z][a-z\d]+)+:[ \t]+\S", re.MULTILINE)
"""A member with a name that only a program has: `error_message`, `errorMessage`. With it, mappings need not nest."""
NESTED, BESIDE = 2, 1
"""Keys that text for people may have, where mappings nest and where they do not."""


class Value(NamedTuple):
    """The value of a member, for people or not."""

    key: str
    """Of the member; that of the sequence for an item of one."""
    start: int
    end: int
    quote: str
    """The quotation mark that it stands in, if any."""


class _Line(NamedTuple):
    depth: int
    """Where its key or item begins."""
    key: str | None
    has_value: bool
    has_block: bool


def yaml_values(text: str) -> list[Value] | None:
    """The values of a text that is YAML; None where it is not, or may be a list that somebody wrote."""
    is_flat = "\n" in text and FLAT.search(text) is not None
    if not is_flat and ":\n" not in text and ":\r\n" not in text:
        return None  # as most texts
    found = _read(text, 0)
    if found is None:
        return None
    values, lines = found
    keys = _keys(lines)
    nested = any(
        one.key is not None and not one.has_value and other.key is not None and other.depth > one.depth
        for one, other in pairwise(lines)
    )
    is_sure = any(map(SURE.fullmatch, keys)) or "---" in text
    is_sure = is_sure or any(value.quote for value in values) or any(line.has_block for line in lines)
    if any(map(_is_capitalised, keys)):
        return None
    if nested and is_sure and len(keys) > NESTED:
        return values
    return values if is_flat and BESIDE < len(keys) == len(set(keys)) and not _has_prose(text) else None


def front_matter(text: str) -> tuple[Stretch, list[Value]] | None:
    """Where the front matter of a page lies and its values; None where a text has none."""
    match = FRONT_MATTER.match(text)
    found = _read(match["inside"], match.start("inside")) if match else None
    if match is None or found is None:
        return None
    keys = _keys(found[1])
    if not keys or any(map(_is_capitalised, keys)):
        return None  # as the header of a mail that was forwarded
    return match.span(), found[0]


def _keys(lines: Sequence[_Line]) -> list[str]:
    """The names of the members, without quotation marks."""
    return [line.key.strip("\"'") for line in lines if line.key is not None]


def _is_capitalised(key: str) -> bool:
    return key[:1].isupper()


def _has_prose(text: str) -> bool:
    """Whether a value of several words without quotation marks would be none of YAML's, as in a chat."""
    matches = (LINE.fullmatch(line.rstrip()) for line in text.splitlines())
    values = [match["value"] for match in matches if match is not None]
    plain = [value for value in values if " " in value and value[0] not in "\"'[{"]
    return any(NO_TEXT.match(value) or COMMENT.search(value) for value in plain)


def _read(text: str, at: int) -> tuple[list[Value], list[_Line]] | None:
    """The values of `text`, whose places count from `at`, and its lines; None where a line is no YAML."""
    values: list[Value] = []
    lines: list[_Line] = []
    key, block = "", -1
    """`block`: the indent of the key whose value goes on in the lines behind it."""
    for line in text.splitlines(keepends=True):
        inner = line.rstrip()
        indent = len(inner) - len(inner.lstrip(" "))
        is_inside = block >= 0 and (indent > block or not inner)
        if is_inside and inner:
            values.append(Value(key, at + indent, at + len(inner), ""))
        elif inner and not is_inside and inner != "---" and not COMMENT.fullmatch(inner.lstrip()):
            match = LINE.fullmatch(inner)
            if match is None or (match["key"] is None and not match["items"]):
                return None
            key = match["key"] or key
            value = match["value"]
            has_block = BLOCK.fullmatch(value) is not None
            lines.append(_Line(match.end("items"), match["key"], bool(value), has_block))
            block = -1 if not has_block else match.start("key") if match["key"] else indent
            if not has_block:
                values += _value(key, value, at + match.start("value"))
        at += len(line)
    return values, lines


def _value(key: str, value: str, at: int) -> Iterator[Value]:
    quoted = QUOTED.fullmatch(value)
    if quoted is not None:
        name = "double" if quoted["double"] is not None else "single"
        start, end = quoted.span(name)
        yield Value(key, at + start, at + end, value[0])
    elif value[:1] not in "\"'" and not NO_TEXT.match(value):
        yield Value(key, at, at + len(COMMENT.sub("", value).rstrip()), "")
