"""Encoder output of segments that have no rows yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class EncodedSegments:
    """Encoder output of the segments of one call."""

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
    """Encoder output in arrays of all segments, padded to the longest one with finite numbers."""

    arrays: Mapping[str, np.ndarray]
    """State arrays [B, ...] by name."""


@dataclass(frozen=True, slots=True)
class PlacedSegments(EncodedSegments):
    """Encoder output that stays where the encoder wrote it, and its addresses.

    An array of a segment is [S, N D], token by token without padding, for N heads of D floats. An array without an S
    axis lies by itself.
    """

    addresses: np.ndarray
    """[arrays, B], int64: where each array of each segment begins."""
    blocks: Sequence[object]
    """The memory that holds the arrays of each segment and must live as long; several segments may share one block."""
