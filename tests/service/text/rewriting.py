"""A text with what rules translate in it, for the tests of such rules."""

from __future__ import annotations

from collections.abc import Iterable

from service.text.spans.stretches import Translated


def rewritten(text: str, found: Iterable[Translated]) -> str:
    """`text` with those of `found` as the other language writes them."""
    for each in sorted(found, key=lambda one: one.start, reverse=True):
        text = text[: each.start] + each.translated + text[each.end :]
    return text
