"""From raw attention to weights of target tokens over source tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.attention.grouping import Grouping
from service.attention.kernel import merged, rows_to_one


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
        return rows_to_one(self.weights)


def merge(attention: np.ndarray, targets: Grouping, sources: Grouping) -> MergedMap:
    """Merge one raw map [T, S+1] (last column: the end token): source subwords are summed, target subwords averaged.

    The rows of the map are the target's subwords; a further row, for the end token, is left out.
    """
    num_rows, num_columns = targets.shares.shape[0], sources.shares.shape[0] + 1
    if attention.shape[0] < num_rows or attention.shape[1] != num_columns:
        raise ValueError(f"a map of {attention.shape} for {num_rows} target and {num_columns - 1} source subwords")
    return MergedMap(*merged(attention, targets.shares, sources.shares))
