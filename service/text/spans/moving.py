"""Parts of a text that another place belongs to, and what each subword covers then."""

from __future__ import annotations

from collections.abc import Sequence

from service.text.spans.normalise import NormalisedText
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


def reordered(normalised: NormalisedText, stretches: Sequence[Stretch]) -> NormalisedText:
    """The `stretches` of a text one behind the other. A space that begins one covers what the word behind it covers, so
    that no subword covers two places."""
    text = "".join(normalised.text[start:end] for start, end in stretches)
    starts = [normalised.starts[at] for start, end in stretches for at in range(start, end)]
    ends = [normalised.ends[at] for start, end in stretches for at in range(start, end)]
    for at in range(len(text) - 1):
        if text[at] == " ":
            starts[at] = ends[at] = starts[at + 1]
    return NormalisedText(text, starts, ends)
