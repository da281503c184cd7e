"""From logits to log-probabilities: what has to be taken off each row."""

from __future__ import annotations

import numpy as np

_SAFE = 60.0
"""Up to this size a sum of exponentials is exact in float32, and the graph's own normaliser is right."""


def checked(normalisers: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """The graph's `normalisers` [R] of `logits` [R, V], computed anew in rows where exponentials may have overflowed.

    A row's result depends on that row alone.
    """
    size = np.abs(normalisers)
    if size.max() < _SAFE:  # false for NaN too
        return normalisers
    unsafe = ~(size < _SAFE)
    result = normalisers.copy()
    result[unsafe] = log_sum_exp(logits[unsafe])
    return result


def log_sum_exp(logits: np.ndarray) -> np.ndarray:
    """log sum exp of each row of `logits` [R, V], whatever their size: [R]."""
    largest = logits.max(axis=1)
    normalisers: np.ndarray = np.log(np.exp(logits - largest[:, None]).sum(axis=1)) + largest
    return normalisers
