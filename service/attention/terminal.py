"""Attention maps as text: a row for each target word, source words written downwards on top."""

from __future__ import annotations

import unicodedata
from itertools import zip_longest

from service.attention.panel import BEGIN_LABEL, END_LABEL, Panel

SHADES = " ░▒▓█"
CELL = 2
"""Columns of the terminal for each source word."""


def show(panel: Panel) -> str:
    """The panel as lines of text, with what each row attends to most at its end: a source word, or no word at all."""
    labels = [_printable(word) for word in panel.targets]
    margin = max((width(label) for label in labels), default=0)
    lines = [" " * (margin + 1) + row for row in _heading([_printable(word) for word in panel.sources])]
    for label, weights, special in zip(labels, panel.weights, panel.special_token, strict=True):
        cells = "".join(_shade(weight) * CELL for weight in weights)
        lines.append(" " * (margin - width(label)) + f"{label} {cells}" + _strongest(panel, weights, special))
    return "\n".join([*lines, f"({panel.caption})"])


def width(text: str) -> int:
    """Columns that `text` takes in a terminal."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _heading(words: list[str]) -> list[str]:
    """The words written downwards, each ending just above its column."""
    columns = [list(reversed(_clusters(word))) for word in words]
    rows = ["".join(c + " " * (CELL - width(c)) for c in row).rstrip() for row in zip_longest(*columns, fillvalue=" ")]
    return rows[::-1]


def _clusters(word: str) -> list[str]:
    clusters: list[str] = []
    for character in word:
        if clusters and not width(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _shade(weight: float) -> str:
    return SHADES[min(int(weight * len(SHADES)), len(SHADES) - 1)]


def _strongest(panel: Panel, weights: list[float], special: float) -> str:
    if not panel.sources:
        return ""
    best = max(range(len(panel.sources)), key=lambda column: weights[column])
    if special > weights[best]:
        return f" {BEGIN_LABEL if panel.has_begin_token else END_LABEL} {special:.0%}"
    return f" {_printable(panel.sources[best])} {weights[best]:.0%}"


def _printable(word: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in word)
