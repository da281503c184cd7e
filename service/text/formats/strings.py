"""Files of strings that a program shows: JSON, YAML, .strings, properties. The strings are translated, nothing else.

A model would take quotation marks and keys for words, and no program could read what it wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.text.formats.escapes import ASCII, LETTER_ESCAPED, is_escaped_ascii
from service.text.formats.quoting import DOUBLE, SINGLE
from service.text.formats.yaml_strings import NO_TEXT, Value, yaml_values
from service.text.spans.stretches import Stretch

_Found = tuple[int, int, str]
"""A stretch, and the quotation mark that it stands in."""

_QUOTED = r'"(?:[^"\\\r\n]|\\.)*"'
QUOTED = re.compile(rf"(?P<string>{_QUOTED})(?P<is_key>\s*:)?")
"""A string of JSON (RFC 8259, section 7), and whether it is the name of a member."""
LINE = re.compile(
    rf"(?P<key>{_QUOTED}|(?=[^\W_]{{2}})(?=[^\s:=]*[._][^\W\d_]{{2}})[^\W_]+(?:[._-]+[^\W_]+)+)\s*(?P<sign>[:=])\s*"
    rf"(?:(?P<string>{_QUOTED})\s*[,;]?|(?P<plain>[^\s\"].*))"
)
"""A line of a file of strings: `"save.all" = "Save all";`, `save.all=Save all`, `save_all: "Save all"`."""
INI_SECTION = re.compile(r"^\[[\w .:-]+\][ \t]*\r?$(?=\s*(?:[;#][^\n]*\n\s*)*[\w.-]+[ \t]*=)", re.MULTILINE)
"""The name of a section of an INI file, before a line of its."""
INI_LINE = re.compile(rf"(?P<key>[\w.-]+)\s*(?P<sign>=)\s*(?:(?P<string>{_QUOTED})|(?P<plain>[^\s\"].*))")
INI_OTHER_LINE = re.compile(r"\s*(?:\[[\w .:-]+\]|[;#].*|[\w.-]+\s*=)?\s*")
"""A blank line, the name of a section, a comment, or a key without a value."""
OTHER_LINE = re.compile(r"\s*(?:[{}\[\]],?|//.*|#.*|/\*.*\*/)?\s*")
"""A blank line, a bracket, or a comment."""
IN_APOSTROPHES = re.compile(r"'(?P<inner>(?:[^'\r\n]|'')*)'\s*[,;]?")
"""A value of YAML between apostrophes."""
CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
"""The end of a line of properties that the next goes on: a backslash which none stands before."""
BREAK = re.compile(r"\\\\|(?P<between>(?:\\[nrtbf])+)")
"""Escapes that stand `between` sentences of a string; or of a backslash, behind which a letter is one."""
TECHNICAL_KEY = re.compile(
    r"(?:\w*[_-])?(?:id|uuid|key|url|uri|href|src|path|slug|sku|hash|token|at|date)|\w+(?:Id|Url|Uri|Key|Path|At|Date)"
    r"|layout|template|permalink|theme|author|category|categories|tags|level|type|icon|image|colou?r|lang|language|locale|version|method|format|encoding|charset|e-?mail|timestamp"
)
"""Names of members whose values are for programs, where they are one word."""
STYLE_KEY = re.compile(r"class|className|style")
"""Names of members whose values are for programs, however many words they have."""
TECHNICAL = re.compile(r"\S*[a-z][A-Z]\S*|\S*_\S*|[a-z]{2,3}-[A-Z]{2}|\S*\d\S*|[a-z]+[./:]\S+")
"""A value that is for programs: `dark_mode`, `fontSize`, `en-US`, `v1.2`, `image/png`."""


class Strings(NamedTuple):
    """The strings for people of a file of strings."""

    stretches: Sequence[Stretch]
    """Where they lie, without quotation marks, cut at escaped line breaks."""
    quotes: Sequence[str]
    """The quotation mark that each stands in, which is not to stand inside of it; empty where it stands in none."""


def strings_of(text: str) -> Strings | None:
    """The strings for people of `text`; None where it is no file of strings."""
    found = _of_json(text)
    if found is None:
        found = _of_lines(text)
    if found is not None and is_escaped_ascii(text):
        found = [(start, end, quote + ASCII if quote != SINGLE else quote) for start, end, quote in found]
    if found is None:
        found = _of_yaml(text)
    if found is None:
        return None
    parts = [(part, quote) for start, end, quote in found for part in _parts(text, start, end)]
    return Strings([part for part, _ in parts], [quote for _, quote in parts])


def _of_json(text: str) -> list[_Found] | None:
    """The strings of a text that is JSON and has any."""
    if '"' not in text:
        return None  # as most texts
    inner = text.strip()
    if inner[:1] + inner[-1:] not in ("{}", "[]"):
        return None
    try:
        json.loads(inner)
    except (ValueError, RecursionError):
        return None
    key, found = "", []
    for match in QUOTED.finditer(text):
        start, end = match.start("string") + 1, match.end("string") - 1
        if match["is_key"]:
            key = text[start:end]
        elif is_for_people(key, text[start:end]):
            found.append((start, end, DOUBLE))
    return found


def _of_yaml(text: str) -> list[_Found] | None:
    """The strings of a text that is YAML."""
    values = yaml_values(text)
    if values is None:
        return None
    return for_people(text, values)


def for_people(text: str, values: Sequence[Value]) -> list[_Found]:
    """Those of the YAML `values` of a text that are for people."""
    return [(v.start, v.end, v.quote) for v in values if is_for_people(v.key, text[v.start : v.end])]


def _of_lines(text: str) -> list[_Found] | None:
    """The strings of a text each of whose lines has one, or a bracket, or a comment."""
    if "=" not in text and ":" not in text:
        return None
    found, at, num_lines, num_sure = [], 0, 0, 0
    pattern, other = (INI_LINE, INI_OTHER_LINE) if INI_SECTION.search(text) else (LINE, OTHER_LINE)
    further = INI_LINE if is_escaped_ascii(text) else None  # a key of any name
    value_of: tuple[str, bool] | None = None
    """The quotation mark of the value that goes on in the next line, and whether it is for people."""
    for line in text.splitlines(keepends=True):
        inner, indent = line.strip(), len(line) - len(line.lstrip())
        match = None if value_of else pattern.fullmatch(line.rstrip(), indent)
        if match is None and further is not None and not value_of:
            match = further.fullmatch(line.rstrip(), indent)
        if value_of is None and match is None and other.fullmatch(line) is None:
            return None
        if match is not None:
            num_lines += 1
            num_sure += match["sign"] == "=" or match["plain"] is None or "_" in match["key"]
            start, end, quote = _string_of(match)
            value = line[start:end]
            is_no_text = is_technical(_without_breaks(value))
            if pattern is INI_LINE:
                is_no_text = not is_for_people(match["key"], value) or NO_TEXT.match(value) is not None
            value_of = quote, not is_no_text
        elif value_of is not None:
            start, end = indent, indent + len(inner)
        if value_of is not None:
            quote, is_text = value_of
            is_whole = pattern is INI_LINE or quote == SINGLE or not CONTINUED.search(inner)
            end = end if is_whole else start + len(line[start:end].removesuffix("\\").rstrip())
            if is_text and start < end:
                found.append((at + start, at + end, quote))
            value_of = None if is_whole else value_of
        at += len(line)
    return found if num_sure or num_lines > 1 else None  # St.Gallen: a town


def _string_of(match: re.Match[str]) -> _Found:
    """Where the string of a line lies in it, and its quotation mark."""
    if match["string"] is not None:
        return match.start("string") + 1, match.end("string") - 1, DOUBLE
    (start, end), plain = match.span("plain"), match["plain"]
    inner = IN_APOSTROPHES.fullmatch(plain)
    if inner is not None:
        return start + 1, start + inner.end("inner"), SINGLE
    return start, end, DOUBLE if '\\"' in plain else ""  # with its escapes


def is_for_people(key: str, value: str) -> bool:
    """Whether the value of a member of JSON is text."""
    value = _without_breaks(value)
    if STYLE_KEY.fullmatch(key) or is_technical(value):
        return False
    return TECHNICAL_KEY.fullmatch(key) is None or " " in value


def is_technical(value: str) -> bool:
    """Whether a value is one for programs; one with white space in it is none."""
    if "\\u" in value:
        value = LETTER_ESCAPED.sub("x", value)
    return len(value.split(maxsplit=1)) == 1 and TECHNICAL.fullmatch(value) is not None


def _parts(text: str, start: int, end: int) -> Iterator[Stretch]:
    """What escaped line breaks leave of `text[start:end]`."""
    at = start
    for match in BREAK.finditer(text, start, end):
        if match["between"]:
            yield at, match.start()
            at = match.end()
    yield at, end


def _without_breaks(value: str) -> str:
    return BREAK.sub(lambda match: " " if match["between"] else match.group(), value)
