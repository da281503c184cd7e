"""What one drawn map needs, whether it was computed here or read from a server's answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

WORD_START = "\u2581"
"""Put before a subword that begins a word, as sentencepiece writes it."""
END_LABEL, BEGIN_LABEL = "(end)", "(begin)"
"""What stands for the end token, or for the begin token, where words stand for others."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One map with its labels."""

    sources: tuple[str, ...]
    """Columns."""
    targets: tuple[str, ...]
    """Rows."""
    weights: np.ndarray
    """[targets, sources]; what a row lacks of 1 with its `special_token` went to none of them."""
    caption: str
    """Which map it is: `layer 1, head mean`."""
    special_token: np.ndarray
    """[targets]: what each row gave to the columns' end token, or to their begin token."""
    row: str = ""
    """Panels of the same row are drawn side by side: those of a segment and layer."""
    text: str = ""
    """The text of the columns."""
    has_begin_token: bool = False
    """Whether that special token is the begin token."""


def panels(segments: Sequence[Mapping[str, Any]]) -> list[Panel]:
    """Every map of an answer's `segments` (the JSON of POST /v1/translate), segment by segment."""
    numbered = len(segments) > 1
    return [
        _panel(segment, chosen, f"segment {number}, " if numbered else "")
        for number, segment in enumerate(segments, start=1)
        for chosen in segment["attention"]["maps"]
    ]


def _panel(segment: Mapping[str, Any], chosen: Mapping[str, Any], prefix: str) -> Panel:
    attention = segment["attention"]
    is_subwords = attention.get("level") == "token"
    columns, rows = segment[attention.get("columns", "source")], segment[attention.get("rows", "target")]
    sources, targets = (_labels(side, is_subwords) for side in (columns, rows))
    weights = np.asarray(chosen["weights"], dtype=np.float64).reshape(len(targets), len(sources))
    share = chosen.get("begin_token", chosen.get("end_token", 1.0 - weights.sum(axis=1)))
    kind = attention.get("kind", "cross")
    row = f"{prefix}{'' if kind == 'cross' else f'{kind} '}layer {chosen['layer']}"
    return Panel(
        sources,
        targets,
        weights,
        f"{row}, head {chosen['head']}{', once each word is read' if chosen.get('row_of') else ''}",
        np.asarray(share, dtype=np.float64).reshape(len(targets)),
        row,
        str(columns.get("text", "")),
        "begin_token" in chosen,
    )


def _labels(side: Mapping[str, Any], is_subwords: bool) -> tuple[str, ...]:
    tokens = side["tokens"]
    if not is_subwords:
        return tuple(str(token["text"]) for token in tokens)
    ends = [None, *(token["end"] for token in tokens)]
    return tuple(
        f"{WORD_START if token['start'] != end else ''}{token['text']}"
        for token, end in zip(tokens, ends, strict=False)
    )
