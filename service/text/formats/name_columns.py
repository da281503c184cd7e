"""Columns of tables that hold names of people or towns, which are words at times: *Carpenter*, *Reading*. They stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.text.names.common_names import everyday_names
from service.text.names.towns import CHANGED, TOWNS
from service.text.spans.stretches import Stretch, stripped

PEOPLE = re.compile(
    r"(?i:(?P<sure>(?:first|last|middle|family|given|full)[ _-]?name|surname|forename|pr\u00e9noms?|nom de famille"
    r"|(?:vor|zu|nach|familien)name)|name|nom|contact|client|customer|patient|driver|teacher|guest|player|student|employee|author"
    r"|chauffeur|professeur|joueur|\u00e9l\u00e8ve|kund(?:e|in)|fahrer(?:in)?|lehrer(?:in)?|spieler(?:in)?|sch\u00fcler(?:in)?)"
)
"""The heading of a column of people; what is no `sure` one may be one of things or of their roles."""
PLACES = re.compile(r"(?i:(?P<sure>city|town|ville|stadt|wohnort|geburtsort)|ort|place|lieu|destination)")
_PART = r"(?:[A-Z\u00c0-\u00de](?:[^\W\d_]|['\u2019-])*\.?|de|la|du|von|van|der|zu|le)"
NAME = re.compile(rf"(?:(?:Dr|Prof|Mr|Mrs|Ms|M|Mme|Mlle|Herr|Frau)\.? )?{_PART}(?: {_PART}){{0,3}}")
"""Words with capitals."""
WORD = re.compile(r"[^\W\d_]+")
LEAST_ROWS = 2
RULE = frozenset(" |:+-\r")
"""What the line below the heading of a table in Markdown has."""


def names_in(heading: str, values: Sequence[str]) -> list[bool]:
    """Which `values` of a column are names that stay, by its `heading`."""
    found = [NAME.fullmatch(value) is not None for value in values]
    filled = [value for value in values if value]
    are_all = sum(found) == len(filled)  # a name is not empty
    place = PLACES.fullmatch(heading)
    if place is not None:
        is_sure = place["sure"] is not None and are_all
        return [
            is_name and value not in CHANGED and (is_sure or value in TOWNS)
            for is_name, value in zip(found, values, strict=True)
        ]
    people = PEOPLE.fullmatch(heading)
    if people is None or not are_all:
        return [False] * len(values)
    is_sure = people["sure"] is not None or 2 * sum(map(_has_known_name, filled)) >= len(filled)
    return found if is_sure else [False] * len(values)


def _has_known_name(value: str) -> bool:
    """Whether a value has a word that is a first name, or a surname behind another word."""
    names = everyday_names("en", "de")
    first, *others = WORD.findall(value)
    return first in names.given or any(word in names.surnames | names.families for word in others)


def without_names(text: str, spans: list[Stretch]) -> list[Stretch]:
    """The `spans` of a `text` without those that are names in a table between tabs or bars."""
    if len(spans) < LEAST_ROWS or "\n" not in text or ("\t" not in text and "|" not in text):
        return spans  # as most texts
    names = set(_names(text))
    return [span for span in spans if span not in names] if names else spans


def _names(text: str) -> Iterator[Stretch]:
    for sign in ("\t", "|"):
        rows: list[list[Stretch]] = []
        for row in (*_rows(text, sign), []):
            if rows and len(row) != len(rows[0]):
                yield from _of_table(text, rows)
                rows = []
            if len(row) > 1:
                rows.append(row)


def _rows(text: str, sign: str) -> Iterator[list[Stretch]]:
    """The cells of each line between a `sign`."""
    at = 0
    for line in text.split("\n"):
        if not RULE.issuperset(line):
            cells, start = [], at
            for cell in line.split(sign):
                cells.append(stripped(text, start, start + len(cell)))
                start += len(cell) + 1
            yield cells
        at += len(line) + 1


def _of_table(text: str, rows: Sequence[Sequence[Stretch]]) -> Iterator[Stretch]:
    if len(rows) < LEAST_ROWS:
        return
    for heading, *column in zip(*rows, strict=True):
        values = [text[start:end] for start, end in column]
        are_names = names_in(text[slice(*heading)], values)
        yield from (cell for cell, is_name in zip(column, are_names, strict=True) if is_name)
