"""Attributes of HTML that people read: *alt*, *title*, *placeholder*. Each is translated by itself.

Those of a tag inside of a sentence stay, because its words have one translation, in which the tag is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.text.formats.code import code_blocks, declarations
from service.text.formats.quoting import ATTRIBUTE, SINGLE
from service.text.sentences.splitting import sentence_spans
from service.text.spans.kept import is_kept
from service.text.spans.patterns import INLINE_CODE
from service.text.spans.stretches import Stretch, stripped

TAG = re.compile(
    r"<(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<attributes>(?:\s+[^\s<>=\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))?)+)\s*/?>"
)
"""A tag with attributes."""
ATTRIBUTES = re.compile(
    r"(?<![^\s\"'])(?P<name>[^\s<>=\"'/]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|[^\s\"'<>]+)"
)
FOR_PEOPLE = frozenset(("alt", "title", "placeholder", "aria-label", "aria-description", "label"))
BUTTON = re.compile(r"\btype\s*=\s*[\"']?(?:submit|button|reset)\b", re.IGNORECASE)
"""An input whose value is what a button says."""
DESCRIPTION = re.compile(
    r"\b(?:name|property)\s*=\s*[\"']?(?:description|(?:og|twitter):(?:title|description|image:alt))\b", re.IGNORECASE
)
"""A meta element whose content is text."""
CODE = re.compile(INLINE_CODE)
EMPTY = ("img", "input")
"""Elements without an end tag that may stand in a line of text."""


def may_have_attributes(text: str) -> bool:
    """Whether `text` may have attributes of HTML for people, found quickly."""
    return "<" in text and ('="' in text or "='" in text)


def without_outer_tags(text: str, start: int, end: int) -> Stretch:
    """What is left of `text[start:end]` without the tags with attributes for people that stand round all of it, and
    without such elements that have no end tag behind it."""
    while True:
        tag = TAG.match(text, start, end)
        if tag is not None and _values(tag):
            closing = f"</{tag['name']}>"
            if text.find(closing, tag.end(), end) == end - len(closing):
                start, end = stripped(text, tag.end(), end - len(closing))
                continue
        at = text.rfind("<", start, end)
        last = TAG.fullmatch(text, at, end) if at > start else None
        if last is None or last["name"].lower() not in EMPTY or not _values(last):
            return start, end
        start, end = stripped(text, start, at)


def attribute_values(text: str, segments: Sequence[Stretch], language: str) -> Iterator[tuple[int, int, str]]:
    """The sentences of attributes for people of tags that lie in none of `segments`, in order, and the quotation mark
    that each stands in."""
    code = (match.span() for match in CODE.finditer(text)) if "`" in text else ()
    taken = [*segments, *declarations(text), *code_blocks(text), *code]
    for tag in TAG.finditer(text):
        if not any(start < tag.end() and tag.start() < end for start, end in taken):
            for start, end, quote in _values(tag):
                for first, last in sentence_spans(text, language, [(start, end)]):
                    yield first, last, quote


def _values(tag: re.Match[str]) -> list[tuple[int, int, str]]:
    """Where the values for people of a tag lie, and in what quotation marks."""
    if is_kept(tag["attributes"]):
        return []
    names = FOR_PEOPLE
    if tag["name"].lower() == "input" and BUTTON.search(tag["attributes"]):
        names = FOR_PEOPLE | {"value"}
    elif tag["name"].lower() == "meta" and DESCRIPTION.search(tag["attributes"]):
        names = frozenset(("content",))
    found = []
    for match in ATTRIBUTES.finditer(tag.string, *tag.span("attributes")):
        if match["name"].lower() in names:
            sides = ("double", ATTRIBUTE), ("single", SINGLE)
            found += [(*match.span(side), quote) for side, quote in sides if match[side] is not None]
    return found
