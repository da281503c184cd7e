"""Ranges of 8-bit activations: rare large values are cut off where that leaves the smaller squared error.

All steps of a scale that covers the largest value ever seen are as coarse as that value asks for. The range here is
the one with the least mean squared error over what calibration saw: what is cut off beyond it, and rounding within it
(Banner et al. 2019, arXiv:1810.05723, section 3, by counting instead of by an assumed distribution).
"""

from __future__ import annotations

import numpy as np

from model_store.export.quantise import Range, activation_scale

NUM_BINS = 8192
"""32 for each of 256 steps: what is rounded to a bin is a 1024th of the squared error of what is rounded to a step."""
SHARES = np.linspace(0.3, 1.0, 29)
"""Of the largest value, and of the smallest: the ends that are tried."""


class Counts:
    """How often an activation took which values."""

    def __init__(self, seen: Range) -> None:
        """`seen` holds all values that will be added."""
        self._low, self._high = min(seen.low, 0.0), max(seen.high, 0.0)
        self._width = max(self._high - self._low, 1e-8) / NUM_BINS
        self._first = round(self._low / self._width)  # bins lie around multiples of their width, so that 0 is exact
        self._counts = np.zeros(NUM_BINS + 2, dtype=np.int64)

    def add(self, values: np.ndarray) -> None:
        """Count values of any shape."""
        bins = np.rint(values.ravel() / self._width).astype(np.int64) - self._first
        self._counts += np.bincount(np.clip(bins, 0, len(self._counts) - 1), minlength=len(self._counts))

    def squared_error(self, tried: Range) -> float:
        """The mean over all values when 8 bits cover `tried`."""
        scale, zero = (float(number) for number in activation_scale(tried))
        values = (self._first + np.arange(len(self._counts))) * self._width
        rounded = (np.clip(np.rint(values / scale) + zero, 0, 255) - zero) * scale
        return float(np.average((rounded - values) ** 2, weights=self._counts))

    def best_range(self) -> Range:
        """The range of least squared error, the widest of equals. Raises ValueError when nothing was added."""
        if not self._counts.any():
            raise ValueError("a range needs values: none were counted")
        lows = SHARES * self._low if self._low < 0 else [0.0]
        highs = SHARES * self._high if self._high > 0 else [0.0]
        tried = [Range(float(low), float(high)) for low in lows for high in highs]
        return min(reversed(tried), key=self.squared_error)
