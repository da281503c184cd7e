"""Put protected text back: copies replace the placeholders that a model wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.text.spans.stretches import Stretch


class Restored(NamedTuple):
    """A translation with its copies in place."""

    text: str
    spans: Sequence[Stretch]
    """What each subword covers of `text`."""
    lost: tuple[int, ...]
    """Numbers of the copies for which the model wrote no placeholder, in the order of the source."""


def restore(text: str, spans: Sequence[Stretch], copies: Sequence[tuple[str, str]], placeholders: str) -> Restored:
    """Put each of `copies` (placeholder, text) in place of its placeholder in `text`, whose subwords cover `spans`.

    A placeholder that stands for several copies stands for them in order. One that stands for none is taken out, with
    the space before it.
    """
    waiting: dict[str, list[int]] = {}
    for number, (sign, _) in enumerate(copies):
        waiting.setdefault(sign, []).append(number)
    pieces: list[str] = []
    at = [0]
    for position, character in enumerate(text):
        piece = character
        if character in placeholders:
            numbers = waiting.get(character)
            piece = copies[numbers.pop(0)][1] if numbers else ""
        elif character == " " and text[position + 1 :].startswith(tuple(placeholders)):
            piece = character if waiting.get(text[position + 1]) else ""
        pieces.append(piece)
        at.append(at[-1] + len(piece))
    lost = tuple(sorted(number for numbers in waiting.values() for number in numbers))
    return Restored("".join(pieces), [(at[start], at[end]) for start, end in spans], lost)


def put_back(
    restored: Restored, copies: Sequence[tuple[str, str]], place: Callable[[int, Restored], int]
) -> tuple[str, Sequence[Stretch]]:
    """Text and spans of `restored` with its lost `copies` put in, each at the code point that `place` says."""
    for number in restored.lost:
        restored = _inserted(restored, copies[number][1], place(number, restored))
    return restored.text, restored.spans


def _inserted(restored: Restored, copy: str, at: int) -> Restored:
    """`restored` with `copy` put in at code point `at`, between spaces; no subword covers it."""
    text = restored.text
    before = " " if at and not text[at - 1].isspace() else ""
    behind = " " if text[at : at + 1].isalnum() else ""
    piece = before + copy + behind
    moved = ((start + len(piece) * (start >= at), end + len(piece) * (end > at)) for start, end in restored.spans)
    spans = [(start, max(start, end)) for start, end in moved]  # one that covers nothing moves as a whole
    return Restored(text[:at] + piece + text[at:], spans, restored.lost)
