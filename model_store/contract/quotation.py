"""Quotation marks as each language sets them: one form for training and for what a server reads.

A corpus has them in few sentences, and those in several forms; with one form for each language a network sees enough of
it to know what it means.
"""

from __future__ import annotations

import re

MARKS = {"en": ('"', '"'), "fr": ("\u00ab ", " \u00bb"), "de": ("\u201e", "\u201c")}
"""What stands before and behind a quotation, by language."""
PAIRS = {
    '""',
    "\u201e\u201f",
    "\u201f\u201d",
    "\u201c\u201d",
    "\u201e\u201c",
    "\u201e\u201d",
    '\u201e"',
    "\u00ab\u00bb",
    "\u00bb\u00ab",
    "\u201d\u201d",
}
"""First and last sign of a quotation, in any language."""
NOT_PAIRS = {"fr": {"\u00bb\u00ab"}}
"""Pairs that are none in a language: between them stands what is outside of French quotations."""
SIGNS = '"\u201c\u201d\u201e\u201f\u00ab\u00bb'
QUOTATION = re.compile(
    rf"(?<![^\s(\[/\u2013\u2014'{SIGNS}])(?P<opening>[{SIGNS}])\s*(?=[^\s{SIGNS}])[^{SIGNS}]*?[^\s{SIGNS}]"
    rf"\s*(?P<closing>[{SIGNS}])(?![\w{SIGNS}])"
)
"""A quotation without another in it."""
IS_DATA = re.compile(r"[{\[]\s*\"|[=+]\s?\"|\"\s*:\s*[\"\d{\[]|\",\"|\w\(\"")
"""Text of programs, whose quotation marks are no punctuation."""
Change = tuple[int, int, str]
"""`start`, `end` of a stretch, and what stands there instead."""


def quotation_changes(text: str, language: str) -> list[Change]:
    """What makes the quotation marks of `text` those of its `language`, in order; nothing for other languages."""
    if language not in MARKS or not any(map(text.__contains__, SIGNS)) or IS_DATA.search(text):
        return []
    opening, closing = MARKS[language]
    found: list[Change] = []
    for match in QUOTATION.finditer(text):
        (first, start), (end, last) = match.span("opening"), match.span("closing")
        pair = text[first] + text[end]
        if pair not in PAIRS or pair in NOT_PAIRS.get(language, ()):
            continue
        while text[start].isspace():
            start += 1
        while text[end - 1].isspace():
            end -= 1
        wanted = ((first, start, opening), (end, last, closing))
        found += [change for change in wanted if text[change[0] : change[1]] != change[2]]
    return found


def with_own_quotation_marks(text: str, language: str) -> str:
    """`text` with the quotation marks of its `language`."""
    pieces, at = [], 0
    for start, end, signs in quotation_changes(text, language):
        pieces += [text[at:start], signs]
        at = end
    return "".join([*pieces, text[at:]])
