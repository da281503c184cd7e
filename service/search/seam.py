"""What the engine asks of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from service.messages import Hypothesis


class Survivors(NamedTuple):
    """The rows that go on: each comes from row `parents[i]` of the segment's present rows and is fed `tokens[i]`."""

    parents: Sequence[int]
    tokens: Sequence[int]


class Search(Protocol):
    """The search of one segment. It starts with one row that is fed the begin token."""

    def advance(self, log_probs: np.ndarray, attention: np.ndarray | None) -> Survivors:
        """Choose the next tokens from `log_probs` [k, V] of the present k rows, best row first.

        `attention` [k, A, S] is kept with the tokens, None when nobody asked. No survivors: the search is over.
        """
        ...

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The result, best first; only after the search is over."""
        ...
