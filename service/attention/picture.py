"""Attention maps as a PNG: source on top, target at the left, dark is much."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from service.attention.panel import Panel

MAX_PANELS = 36
"""Maps in one picture; more would not be readable."""
MAX_LABEL = 24
"""Characters of a label; longer ones are cut."""
CELL_INCHES = 0.42
DOTS_PER_INCH = 150
MAX_PIXELS = 5000
"""Longest side of a picture; larger ones get fewer dots per inch."""
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
)
"""Fonts for the labels, those of them that are installed; matplotlib brings the first."""


def draw(panels: Sequence[Panel], title: str) -> bytes:
    """The PNG of at least one panel, at most MAX_PANELS of them, under one title.

    matplotlib is imported here, not with the server. A script that no installed font has is drawn as boxes.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    shown = panels[:MAX_PANELS]
    num_columns = math.ceil(math.sqrt(len(shown)))
    num_rows = math.ceil(len(shown) / num_columns)
    width, height = _panel_size(shown)
    width, height = width * num_columns, height * num_rows
    dpi = min(DOTS_PER_INCH, MAX_PIXELS / max(width, height))
    with rc_context({"font.family": _installed_fonts()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.suptitle(_plain(title), fontsize=11, parse_math=False)
        axes = list(figure.subplots(num_rows, num_columns, squeeze=False).flat)
        images = [_draw_panel(axis, panel) for axis, panel in zip(axes, shown, strict=False)]
        for axis in axes[len(shown) :]:
            axis.set_axis_off()
        figure.colorbar(images[0], ax=axes, label="attention weight", shrink=0.8, aspect=30)
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=dpi, metadata={"Software": "attendant"})
    return png.getvalue()


def _panel_size(panels: Sequence[Panel]) -> tuple[float, float]:
    """Inches that the largest panel needs, labels included."""
    columns = max(len(panel.sources) for panel in panels)
    rows = max(len(panel.targets) for panel in panels)
    widest = max((len(_label(word)) for panel in panels for word in panel.targets), default=1)
    highest = max((len(_label(word)) for panel in panels for word in panel.sources), default=1)
    width = max(3.5, columns * CELL_INCHES + widest * 0.09 + 1.6)
    height = max(2.5, rows * CELL_INCHES + highest * 0.08 + 1.1)
    return width, height


def _draw_panel(axis: Any, panel: Panel) -> Any:
    weights = panel.weights if panel.weights.size else np.zeros((1, 1))
    image = axis.imshow(weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto", interpolation="nearest")
    axis.set_xlabel(panel.caption, fontsize=9)
    axis.set_xticks(range(len(panel.sources)), [_label(word) for word in panel.sources], rotation=55)
    axis.set_yticks(range(len(panel.targets)), [_label(word) for word in panel.targets])
    axis.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False, length=2)
    for label in [*axis.get_xticklabels(), *axis.get_yticklabels()]:
        label.set_parse_math(False)
    for label in axis.get_xticklabels():
        label.set(ha="left", va="bottom", rotation_mode="anchor")
    return image


def _label(word: str) -> str:
    plain = _plain(word)
    return plain if len(plain) <= MAX_LABEL else plain[: MAX_LABEL - 1] + "…"


def _plain(text: str) -> str:
    """Text without the characters that no font draws."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _installed_fonts() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return [name for name in FONTS if name in installed]
