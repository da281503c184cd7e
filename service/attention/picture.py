"""Attention maps as a picture: source on top, target at the left, dark is much, the source's end token at the right."""

from __future__ import annotations

import io
import logging
import math
import textwrap
import warnings
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from service.attention.panel import BEGIN_LABEL, END_LABEL, Panel

FORMATS = ("png", "svg", "pdf")
MAX_PANELS = 36
"""Maps in one picture; more would not be readable."""
MAX_COLUMNS = 8
"""Maps side by side."""
MAX_LABEL = 24
"""Characters of a label; longer ones are cut."""
MAX_TEXT = 600
"""Characters of a title, or of the text under a map: some 100 words."""
BAR_INCHES = 3.0
"""Height of the colour bar, where the picture is not too low for it."""
CELL_INCHES = 0.42
DOTS_PER_INCH = 150
MAX_PIXELS = 5000
"""Longest side of a picture; larger ones get fewer dots per inch."""
READABLE_DPI = 90
"""A layer's maps stand in one row unless that leaves fewer dots per inch."""
FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "WenQuanYi Zen Hei",
    "IPAGothic",
    "Hiragino Sans",
    "Microsoft YaHei",
    "Noto Sans",
    "Noto Sans Devanagari",
    "Noto Emoji",
    "Symbola",
)
"""Fonts for the labels, those of them that are installed; matplotlib brings the first."""


class Picture(NamedTuple):
    """A drawn picture."""

    data: bytes
    missing: str
    """Characters that no installed font has; boxes stand in their place."""


def draw(panels: Sequence[Panel], title: str, form: str = "png") -> Picture:
    """The picture of at least one panel, at most MAX_PANELS of them, in one of FORMATS, under one title.

    The panels of a sentence's layer stand side by side. matplotlib is imported here, not with the server.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # not which weights installed fonts lack
    rows = _rows(panels[:MAX_PANELS])
    num_columns = max(map(len, rows))
    sizes = [_row_size(row) for row in rows]
    width = max(width for width, _ in sizes) * num_columns + 0.8
    heading = _wrapped(title, math.floor(width * 11))
    height = sum(height for _, height in sizes) + 0.2 + 0.2 * len(heading)
    dpi = min(DOTS_PER_INCH, MAX_PIXELS / max(width, height))
    style: Any = {"font.family": _installed_fonts(), "svg.fonttype": "path", "pdf.fonttype": 42}
    with rc_context(style), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.suptitle("\n".join(heading), fontsize=11, parse_math=False)
        grid = figure.subplots(
            len(rows), num_columns, squeeze=False, gridspec_kw={"height_ratios": [height for _, height in sizes]}
        )
        for axes, row in zip(grid, rows, strict=True):
            for axis, panel in zip(axes, row, strict=False):
                image = _draw_panel(axis, panel)
            for axis in axes[len(row) :]:
                axis.set_axis_off()
        shrink, maps = min(0.8, BAR_INCHES / height), list(grid.flat)
        figure.colorbar(image, ax=maps, label="attention weight", shrink=shrink, aspect=20, anchor=(0.0, 1.0))
        data = io.BytesIO()
        figure.savefig(data, format=form, dpi=dpi, metadata={"Creator" if form != "png" else "Software": "attendant"})
    return Picture(data.getvalue(), _missing(panels, title) if _lacks_glyphs(caught) else "")


def _rows(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Panels by row, none longer than MAX_COLUMNS; those of long sentences in a square, where they are largest.

    Many sentences with one panel each stand side by side, too: one below the other, they could not be read.
    """
    together = [list(group) for _, group in groupby(panels, key=lambda panel: (panel.row, panel.text))]
    height = sum(_row_size(row)[1] for row in together)
    if max(map(len, together)) == 1 and height > MAX_PIXELS / READABLE_DPI:
        together = [list(panels)]
    found = []
    for row in together:
        count = _num_columns(row)
        found += [row[first : first + count] for first in range(0, len(row), count)]
    return found


def _num_columns(row: Sequence[Panel]) -> int:
    width, height = _row_size(row)
    if min(len(row), MAX_COLUMNS) * width <= MAX_PIXELS / READABLE_DPI:
        return MAX_COLUMNS
    return min(range(1, MAX_COLUMNS + 1), key=lambda count: max(count * width, -(-len(row) // count) * height))


def _row_size(panels: Sequence[Panel]) -> tuple[float, float]:
    """Inches that the largest panel of a row needs, labels and text included."""
    columns = 1 + max(len(panel.sources) for panel in panels)
    rows = max(len(panel.targets) for panel in panels)
    widest = max((len(_label(word)) for panel in panels for word in panel.targets), default=1)
    highest = max((len(_label(word)) for panel in panels for word in panel.sources), default=1)
    width = max(3.5, columns * CELL_INCHES + widest * 0.09 + 0.8)
    lines = max(len(caption(panel).splitlines()) for panel in panels)
    return width, max(2.0, rows * CELL_INCHES + highest * 0.08 + 0.4 + 0.17 * lines)


def _draw_panel(axis: Any, panel: Panel) -> Any:
    num_sources = len(panel.sources)
    weights = np.column_stack([panel.weights, panel.special_token])
    weights = weights if weights.size else np.zeros((1, num_sources + 1))
    image = axis.imshow(weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto", interpolation="nearest")
    axis.axvline(num_sources - 0.5, color="0.6", linewidth=0.8, linestyle=":")
    axis.set_xlabel(caption(panel), fontsize=9, parse_math=False)
    axis.set_xticks(
        range(num_sources + 1),
        [*map(_label, panel.sources), BEGIN_LABEL if panel.has_begin_token else END_LABEL],
        rotation=55,
    )
    axis.set_yticks(range(len(panel.targets)), [_label(word) for word in panel.targets])
    axis.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False, length=2)
    for label in [*axis.get_xticklabels(), *axis.get_yticklabels()]:
        label.set_parse_math(False)
    for label in axis.get_xticklabels():
        label.set(ha="left", va="bottom", rotation_mode="anchor")
    axis.get_xticklabels()[-1].set(color="0.45")
    return image


def caption(panel: Panel) -> str:
    """Which map it is, and of what text, in lines that fit under it."""
    characters = max(34, math.floor((1 + len(panel.sources)) * CELL_INCHES * 13))
    return "\n".join(line for paragraph in (panel.caption, panel.text) for line in _wrapped(paragraph, characters))


def _wrapped(text: str, characters: int) -> list[str]:
    """The text, or as much of it as fits a picture, in lines of so many characters."""
    return textwrap.wrap(_cut(_plain(" ".join(text.split())), MAX_TEXT), characters)


def _label(word: str) -> str:
    return _cut(_plain(word), MAX_LABEL)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _plain(text: str) -> str:
    """Text without the characters that no font draws."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _lacks_glyphs(caught: Sequence[warnings.WarningMessage]) -> bool:
    return any("missing from" in str(warning.message) for warning in caught)


def _missing(panels: Sequence[Panel], title: str) -> str:
    """The characters of titles and labels that none of the installed fonts has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    known: set[int] = set()
    for name in _installed_fonts():
        known |= get_font(findfont(FontProperties(family=name))).get_charmap().keys()
    shown = {
        c for panel in panels for word in (*panel.sources, *panel.targets, panel.text, title) for c in _plain(word)
    }
    return "".join(sorted(c for c in shown if ord(c) not in known and not c.isspace()))


def _installed_fonts() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return [name for name in FONTS if name in installed]
