"""Length normalisation."""

from __future__ import annotations


def length_normalised(total: float, length: int, alpha: float) -> float:
    """Wu et al. 2016 (arXiv:1609.08144), equation 14, without coverage: total / ((5 + length) / 6) ** alpha.

    `total` is a sum of log-probabilities over `length` tokens, end token included.
    """
    return float(total / ((5.0 + length) / 6.0) ** alpha)
