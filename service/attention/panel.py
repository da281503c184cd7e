"""What one drawn map needs, whether it was computed here or read from a server's answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Panel:
    """One map with its labels."""

    sources: tuple[str, ...]
    """Columns."""
    targets: tuple[str, ...]
    """Rows."""
    weights: np.ndarray
    """[targets, sources]; rows sum to 1."""
    caption: str
    """Which map it is: `layer 1, head mean`."""


def panels(segments: Sequence[Mapping[str, Any]]) -> list[Panel]:
    """Every map of an answer's `segments` (the JSON of POST /v1/translate), segment by segment."""
    numbered = len(segments) > 1
    return [
        _panel(segment, chosen, f"sentence {number}, " if numbered else "")
        for number, segment in enumerate(segments, start=1)
        for chosen in segment["attention"]["maps"]
    ]


def _panel(segment: Mapping[str, Any], chosen: Mapping[str, Any], prefix: str) -> Panel:
    sources = tuple(str(token["text"]) for token in segment["source"]["tokens"])
    targets = tuple(str(token["text"]) for token in segment["target"]["tokens"])
    weights = np.asarray(chosen["weights"], dtype=np.float64).reshape(len(targets), len(sources))
    return Panel(sources, targets, weights, f"{prefix}layer {chosen['layer']}, head {chosen['head']}")
