"""Parts of a text that another place belongs to, and what each subword covers then."""

from __future__ import annotations

from collections.abc import Sequence

from service.text.spans.stretches import Stretch


def moved(text: str, spans: Sequence[Stretch], stretch: Stretch, to: int) -> tuple[str, Sequence[Stretch]]:
    """`text` with its `stretch` at code point `to`, which lies before it, and what each subword covers then. Subwords
    need not be in the order of the text any more."""
    start, end = stretch

    def place(at: int) -> int:
        if to <= at < start:
            return at + end - start
        return at - (start - to) if start <= at < end else at

    new = [(place(first), max(place(first), place(last - 1) + 1 if last > first else 0)) for first, last in spans]
    return text[:to] + text[start:end] + text[to:start] + text[end:], new
