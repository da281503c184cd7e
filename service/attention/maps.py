"""From raw attention to weights of target tokens over source tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from service.attention.grouping import Grouping, Span
from service.attention.kernel import read_map
from service.attention.selection import SelectedMap
from service.exchanged import Token

MIN_WEIGHT = 0.25
"""Least attention that makes a link: of the values tried, the one with the fewest alignment errors (Och and Ney 2003)
on AlibiWordAlignments' BlueBeard; without it a transformer made 4 points more of them there, and on MasterCat too."""


class MergedMap(NamedTuple):
    """Attention between the tokens of two groupings: source subwords are summed, target subwords averaged."""

    weights: np.ndarray
    """[target tokens, source tokens], float64, as the model has them: with `end_token`, rows of cross maps sum to 1."""
    end_token: np.ndarray
    """[target tokens], float64: what each gives to the source's end token. All of it for a token that no subword
    belongs to: one that the model has not written."""
    linked: np.ndarray
    """[target tokens], int64: the source token that each attends to most, -1 for none.

    The rule of Garg et al. 2019 (arXiv:1909.02074), but a target token stays without a link when that is less than
    MIN_WEIGHT, or no more than it gives the source's end token: attention rests there when nothing fits, as it does on
    the empty word of Brown et al. 1993.
    """


class Merging:
    """How the subwords of two sides make up their tokens."""

    def __init__(self, sources: Grouping, targets: Grouping) -> None:
        """Both sides of one segment."""
        places = [*sources.spans, *_places(sources.tokens), *targets.spans, *_places(targets.tokens)]
        self._places = np.fromiter(chain.from_iterable(places), np.int64).reshape(-1, 2)
        self._sizes = len(sources.spans), len(sources.tokens), len(targets.spans)

    def merge(self, attention: np.ndarray, chosen: SelectedMap) -> MergedMap:
        """Merge one map of raw attention [T, A, S+1], whose last column is the end token.

        The rows are the target's subwords; a further row, for the end token, is left out unless the map is `shift`ed:
        then it is the row of the last subword, and the first one's is left out. Raises ValueError when
        `attention` is of other subwords.
        """
        num_sources, _, num_targets = self._sizes
        if len(attention) < num_targets or attention.shape[2] != num_sources + 1:
            raise ValueError(f"a map of {attention.shape} for {num_targets} target and {num_sources} source subwords")
        least = MIN_WEIGHT if chosen.least is None else chosen.least
        return MergedMap(*read_map(attention, chosen.slices, chosen.shift, self._places, *self._sizes, least))


def _places(tokens: Sequence[Token]) -> list[Span]:
    return [(start, end) for _, start, end in tokens]
