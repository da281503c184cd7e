"""From logits to log-probabilities: what has to be taken off each row."""

from __future__ import annotations

import numpy as np

_BLOCK_ROWS = 8
"""Rows that are treated at once: their exponentials stay in the cache."""
_SAFE = 60.0
"""Logits up to this size have sums of exponentials within float32, whatever the vocabulary."""


def log_normalisers(logits: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """log sum exp of each row of `logits` [R, V], float32: [R]; `logits - normaliser` are log-probabilities.

    `largest` [R] is each row's maximum. A row's result depends on that row alone.
    """
    num_rows, size = logits.shape
    sums = np.empty(num_rows, dtype=np.float32)
    scratch = np.empty((min(_BLOCK_ROWS, num_rows), size), dtype=np.float32)
    with np.errstate(over="ignore"):
        for first in range(0, num_rows, _BLOCK_ROWS):
            block = logits[first : first + _BLOCK_ROWS]
            np.exp(block, out=scratch[: len(block)]).sum(axis=1, out=sums[first : first + _BLOCK_ROWS])
    unsafe = np.abs(largest) > _SAFE
    if not unsafe.any():
        return np.asarray(np.log(sums))
    normalisers = np.log(np.where(unsafe, 1.0, sums))
    shifted = logits[unsafe] - largest[unsafe, None]
    normalisers[unsafe] = np.log(np.exp(shifted).sum(axis=1)) + largest[unsafe]
    return np.asarray(normalisers, dtype=np.float32)
