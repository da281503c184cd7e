"""Tables of comma-separated values (RFC 4180), also between semicolons. Fields for people are translated, one by one.

A model would take the signs between fields for punctuation and put spaces behind some of them, and no program could
read what it wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from service.text.formats.name_columns import names_in
from service.text.formats.quoting import DELIMITERS, FIELD
from service.text.formats.strings import Strings, is_technical
from service.text.spans.word_sets import word_set

FIELDS = {
    sign: re.compile(rf'(?:"(?P<quoted>(?:[^"]|"")*)"|(?P<bare>(?![" ])[^{sign}\r\n]*))(?P<end>{sign}|\r?\n|\Z)')
    for sign in DELIMITERS
}
"""A field and what ends it. Behind the comma of a sentence stands a space."""
PROGRAM_NAME = re.compile(
    r"[a-z\u00df-\u00ff][a-z0-9\u00df-\u00ff]*(?:[_.-][a-z0-9\u00df-\u00ff]+)*|[a-z]+(?:[A-Z][a-z0-9]+)+"
)
"""The name of a column for programs: `product_name`."""
CODE_NAME = re.compile(r".*[_.\d-].*|[a-z]+[A-Z].*")
"""One that is no word."""
USUAL_NAMES = word_set("key value id name text title description question answer label message term source target")
_WORD = r"[\w()/%.'\u2019&#\u20ac$\u00a3\u00b0-]"
HEADING = re.compile(rf"[A-Z\u00c0-\u00de0-9]{_WORD}*(?: {_WORD}+){{0,3}}(?:(?<![.!?])|(?<=[Nn][or]\.)|(?<=nr\.))")
"""The name of a column for people."""
YEAR = re.compile(r"\d{4}")
NO_WORDS = re.compile(r"[^A-Za-z\u00c0-\u024f]*|[^\s\d]*\d\S*|true|false|yes|no|null", re.IGNORECASE)
"""A value that is no text."""
TECHNICAL_COLUMN = re.compile(
    r"(?:.*[_ -])?(?:id|uuid|key|url|uri|link|href|src|path|slug|handle|sku|isbn|ean|gtin|hash|token|date|code|currency"
    r"|e-?mail|lang|language|locale|version|file ?name|author|username)|.*[a-z](?:Id|Url|Uri|Key|Path|Date|Code)",
)
"""Names of columns whose values stay where they are one word."""
LEAST_ROWS = 2
LEAST_ROWS_OF_TWO = 3
"""Of a table of two columns that has nothing in it but words."""


class _Field(NamedTuple):
    start: int
    end: int
    quote: str


def table_of(text: str) -> Strings | None:
    """The fields for people of a `text` that is a table with a heading; None where it is none."""
    line, is_first, _ = text.lstrip().partition("\n")
    if not is_first:
        return None
    for sign in DELIMITERS:
        if sign in line:
            rows = _rows(text.rstrip(), sign)
            if rows is not None and _is_table(text, rows):
                found = sorted(_for_people(text, rows))
                return Strings([(start, end) for start, end, _ in found], [quote for *_, quote in found])
    return None


def _rows(text: str, sign: str) -> list[list[_Field]] | None:
    """The fields of each row; None where rows have different numbers of them."""
    rows: list[list[_Field]] = [[]]
    at = len(text) - len(text.lstrip("\ufeff"))
    while match := FIELDS[sign].match(text, at):
        is_quoted = match["quoted"] is not None
        rows[-1].append(_Field(*match.span("quoted" if is_quoted else "bare"), FIELD if is_quoted else sign))
        at = match.end()
        if match["end"] != sign:
            if len(rows[-1]) != len(rows[0]) or len(rows[0]) < 2:
                return None
            if not match["end"]:
                return rows
            rows.append([])
    return None


def _is_table(text: str, rows: Sequence[Sequence[_Field]]) -> bool:
    """Whether rows are those of a table rather than lines of prose with a comma in each."""
    if len(rows) < LEAST_ROWS:
        return False
    names = [text[start:end] for start, end, _ in rows[0]]
    values = [[text[start:end] for start, end, _ in column] for column in zip(*rows[1:], strict=True)]
    without_words = [all(map(NO_WORDS.fullmatch, column)) for column in values]
    if not names[0] and without_words[0] and all(values[0]):
        names = names[1:]  # rows are numbered
    if not all(names):
        return False
    if any(_is_one_number(*pair) for pair in pairwise(names)):
        return False
    quotes = [quote for row in rows for *_, quote in row]
    is_sure = FIELD in quotes or any(without_words) or len(names) > 2
    if all(map(PROGRAM_NAME.fullmatch, names)):
        return is_sure or any(CODE_NAME.fullmatch(name) or name in USUAL_NAMES for name in names)
    if all(map(HEADING.fullmatch, names)):
        return is_sure or len(rows) >= LEAST_ROWS_OF_TWO
    if all(map(_is_any_heading, names)) and (FIELD in quotes or any(without_words)):
        return len(names) > 2 or any(CODE_NAME.fullmatch(name) or name.lower() in USUAL_NAMES for name in names)
    return all(quote == FIELD for quote in quotes)


def _is_any_heading(name: str) -> bool:
    """Whether a name of a column is one for programs or for people."""
    return PROGRAM_NAME.fullmatch(name) is not None or HEADING.fullmatch(name) is not None


def _is_one_number(name: str, other: str) -> bool:
    """Whether a comma between two names stands inside of a number: *Tea 2,50*."""
    is_inside = name[-1].isdigit() and other[0].isdigit()
    return is_inside and not (YEAR.fullmatch(name) and YEAR.fullmatch(other))


def _for_people(text: str, rows: Sequence[Sequence[_Field]]) -> Iterator[_Field]:
    """The fields for people, column by column."""
    names = [text[start:end] for start, end, _ in rows[0]]
    is_alike = all(map(_is_any_heading, filter(None, names)))
    for name, (heading, *column) in zip(names, zip(*rows, strict=True), strict=True):
        if name and not (is_alike and PROGRAM_NAME.fullmatch(name)):
            yield heading
        values = [text[field.start : field.end] for field in column]
        stays = names_in(name, values)
        found = zip(column, values, stays, strict=True)
        yield from (field for field, value, is_name in found if not is_name and _is_for_people(name, value))


def _is_for_people(name: str, value: str) -> bool:
    if NO_WORDS.fullmatch(value) or is_technical(value):
        return False
    return TECHNICAL_COLUMN.fullmatch(name if PROGRAM_NAME.fullmatch(name) else name.lower()) is None or " " in value
