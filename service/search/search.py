"""What an engine asks of a search: it chooses the next tokens of many segments at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from service.messages import Hypothesis, SearchOptions


@dataclass(frozen=True, slots=True)
class Task:
    """One segment to search a translation for."""

    options: SearchOptions
    max_tokens: int
    """Target tokens, end token included, after which a hypothesis is cut."""
    num_source_tokens: int
    """Source tokens, end token included."""
    keeps_attention: bool = False
    """Whether hypotheses carry their attention rows."""


class Search(Protocol):
    """The search of B segments with K rows each; segment b lies in slot b and has the rows b K to b K + K - 1."""

    @property
    def tokens(self) -> np.ndarray:
        """What each row is fed next [B * K], int64."""
        ...

    def put(self, slots: Sequence[int], tasks: Sequence[Task]) -> None:
        """Start `tasks` in `slots`: slots in use, whose segments are given up, and then the next after all others."""
        ...

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """Move the segments of slots `source` to slots `to`, then keep only the first `num_slots`."""
        ...

    def advance(
        self, logits: np.ndarray, normalisers: np.ndarray, attention: np.ndarray
    ) -> tuple[np.ndarray | None, list[int]]:
        """Choose the next tokens by a step's `logits` [B * K, V] and `attention` [B * K, A, S].

        `logits` less the row's one of `normalisers` [B * K] are log-probabilities.

        Returns which row of its segment each row now continues [B, K], None when all go on with their own past, and the
        slots whose search is over.
        """
        ...

    def hypotheses(self, slot: int) -> tuple[Hypothesis, ...]:
        """The result of a search that is over, best first."""
        ...
