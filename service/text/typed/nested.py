"""Quotations inside quotations: *"She said 'come home' and left."*

Models have hardly read any, and take the inner marks for apostrophes or for the end of the outer ones. They read the
inner ones as brackets, which they copy, and the translation gets the marks of its language for those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from model_store.contract.quotation import IS_DATA
from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.typed.signs import IS_CODE, SINGLE, is_possessive

INNER = {"en": ("'", "'"), "fr": ("\u201c", "\u201d"), "de": ("\u201a", "\u2018")}
"""Marks of quotations inside others, by language."""
CLOSERS = {"\u201c": "\u201d", "\u201e": '\u201c\u201d"', "\u00ab": "\u00bb", "\u00bb": "\u00ab", '"': '"\u201d'}
"""By opening mark, what may close the quotation."""
MARK = re.compile('["\u201c\u201d\u201e\u00ab\u00bb]')
"""Any double mark."""
BEFORE = frozenset(" ([/\u2013\u2014-'\u2018\u201a\u201c\u201e\u00ab\"")
"""What may stand before an opening mark, but for nothing."""
EITHER = frozenset('"\u201c')
"""Marks that open some quotations and close others."""
SINGLES = ("'", "\u2018", "\u2019", "\u201a", "\u2039", "\u203a")
"""One of these is in every text with a single mark."""
LEAST_NESTED = 4
"""Marks of a quotation and of another inside."""
DOUBLED = '""'
"""As tables have it inside of a field."""
BRACKETS = re.compile("[()]")


class _Marks(NamedTuple):
    outer: list[Stretch]
    """Quotations that stand in no other, with their marks; one that nothing closes goes on to the end."""
    inner: list[Stretch]
    """Quotations inside of those between double marks."""


def with_inner_quotations_apart(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with brackets for the marks of quotations inside of others, and double marks round single ones that
    have others inside."""
    text = normalised.text
    if text.isascii() and ('"' not in text or ("'" not in text and text.count('"') < LEAST_NESTED)):
        return normalised  # as most texts
    if MARK.search(text) is None or DOUBLED in text or BRACKETS.search(text):
        return normalised
    if IS_CODE.search(text) or IS_DATA.search(text):
        return normalised
    changes = _changes(text)
    spans = sorted(changes)
    if not spans or not all(free(text, spans)):
        return normalised
    return replaced(normalised, spans, [changes[span] for span in spans])


def with_inner_marks(
    text: str, spans: Sequence[Stretch], read: NormalisedText, source: str, language: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation into a `language` with inner quotation marks for brackets that `read` has for those of `source`."""
    if "(" not in read.text or language not in INNER or BRACKETS.search(source):
        return text, spans  # as most texts
    found = list(BRACKETS.finditer(text))
    signs = [INNER[language][match.group() == ")"] for match in found]
    return rewritten(text, spans, [match.span() for match in found], signs)


def _changes(text: str) -> dict[Stretch, str]:
    """What stands for the marks of `text`, by their places."""
    outer, inner = _marks(text)
    changes: dict[Stretch, str] = {}
    for match in SINGLE.finditer(text) if any(map(text.__contains__, SINGLES)) else ():
        start, end = match.span()
        within = [each for each in outer if start < each[0] and each[1] < end]
        if any(first < start and end <= last for first, last in outer):
            if not is_possessive(match) and not any(start < last and first < end for first, last in inner):
                inner.append((start, end))
        elif within:
            inner += within
            changes |= {match.span("opening"): '"', match.span("closing"): '"'}
    for start, end in inner:
        first, last = start + 1, end - 1
        changes[start, first + text[first:last].startswith(" ")] = "("
        changes[last - text[first:last].endswith(" "), end] = ")"
    return changes


def _marks(text: str) -> _Marks:
    """The quotations of `text` between double marks."""
    found = _Marks([], [])
    outer: re.Match[str] | None = None
    inner: re.Match[str] | None = None
    for match in MARK.finditer(text):
        if inner is not None and _closes(match, inner):
            found.inner.append((inner.start(), match.end()))
            inner = None
        elif outer is not None and _closes(match, outer):
            found.outer.append((outer.start(), match.end()))
            outer = inner = None
        elif match.group() in CLOSERS and (match.start() == 0 or text[match.start() - 1] in BEFORE):
            outer, inner = (match, None) if outer is None else (outer, match)
    if outer is not None:
        found.outer.append((outer.start(), len(text)))
    return found


def _closes(mark: re.Match[str], opening: re.Match[str]) -> bool:
    """Whether a double mark closes the quotation that `opening` begins, rather than begin another."""
    if mark.group() not in CLOSERS[opening.group()]:
        return False
    text, start, end = mark.string, *mark.span()
    return mark.group() not in EITHER or text[start - 1] not in BEFORE or not text[end : end + 1].isalnum()
