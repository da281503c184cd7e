"""From raw attention to weights of target tokens over source tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.attention.grouping import Grouping

TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, slots=True)
class MergedMap:
    """Attention between the tokens of two groupings. `weights` and `end_mass` of a row sum to 1 together."""

    weights: np.ndarray
    """[target tokens, source tokens], float64."""
    end_mass: np.ndarray
    """[target tokens], float64: what each gives to the source's end token."""

    def without_end(self) -> np.ndarray:
        """Weights [target tokens, source tokens], float32, whose rows sum to 1 without the end token.

        A row that lay wholly on the end token says nothing about the source: it becomes uniform.
        """
        totals = self.weights.sum(axis=1, keepdims=True)
        says_something = totals > TINY
        scaled: np.ndarray = self.weights / np.maximum(totals, TINY)
        if not says_something.all():
            scaled = np.where(says_something, scaled, 1.0 / max(self.weights.shape[1], 1))
        return scaled.astype(np.float32)


def merge(attention: np.ndarray, targets: Grouping, sources: Grouping) -> MergedMap:
    """Merge one raw map [T, S+1] (last column: the end token): source subwords are summed, target subwords averaged.

    The rows of the map are the target's subwords; a further row, for the end token, is left out.
    """
    rows = attention[: targets.shares.shape[0]]  # [T, S+1]
    sizes = np.maximum(targets.shares.sum(axis=0), np.finfo(np.float64).tiny)
    averages = (targets.shares / sizes).T  # [target tokens, T]
    return MergedMap(averages @ (rows[:, :-1] @ sources.shares), averages @ rows[:, -1])
