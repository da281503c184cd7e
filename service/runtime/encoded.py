"""Encoded segments on their way into rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class EncodedSegments:
    """What an encoder gave for the segments of one call."""

    lengths: Sequence[int]
    """Source tokens of each segment."""
    num_padded_tokens: int
    """See `Encoded.num_padded_tokens`."""

    @property
    def num_tokens(self) -> int:
        """See `Encoded.num_tokens`."""
        return sum(self.lengths)


@dataclass(frozen=True, slots=True)
class PaddedSegments(EncodedSegments):
    """Encoded segments in arrays of all of them, padded to the longest with finite numbers."""

    arrays: Mapping[str, np.ndarray]
    """State arrays [B, ...] by name."""


@dataclass(frozen=True, slots=True)
class PlacedSegments(EncodedSegments):
    """Encoded segments that say where in memory they lie, token by token: [S, N D] for heads, N of D floats; what there
    is one of for each segment is by itself."""

    addresses: np.ndarray
    """[arrays, B], int64: where each array of each segment begins."""
    blocks: Sequence[object]
    """What holds the arrays of each segment; several may share one."""
