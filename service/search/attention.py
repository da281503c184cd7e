"""The attention of the last steps, kept while a segment that asked for it runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np


class AttentionLog:
    """What every row looked at in each step, from the first step of the oldest segment that wants to know.

    A step is copied as a whole, which costs less than a copy for each segment, and nothing while nobody asks.
    """

    def __init__(self) -> None:
        self._steps: deque[np.ndarray] = deque()
        """[R, A, S] of each step."""
        self._num_gone = 0
        """Steps that are kept no more."""
        self._since: dict[int, int] = {}
        """By the slot of each segment that wants to know: the number of its first step."""

    @property
    def is_wanted(self) -> bool:
        """Whether any segment wants to know."""
        return bool(self._since)

    def put(self, slot: int, is_wanted: bool) -> None:
        """A segment starts in `slot`."""
        self._since.pop(slot, None)
        if is_wanted:
            self._since[slot] = self._num_gone + len(self._steps)

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """Segments moved from slots `source` to slots `to`; then only the first `num_slots` are left."""
        moved = {there: self._since.get(here) for there, here in zip(to, source, strict=True)}
        kept = {**self._since, **moved}
        self._since = {slot: since for slot, since in kept.items() if since is not None and slot < num_slots}

    def look(self, attention: np.ndarray) -> None:
        """Keep a step's `attention` [R, A, S], if anybody wants to know."""
        oldest = min(self._since.values(), default=self._num_gone + len(self._steps))
        while self._steps and self._num_gone < oldest:
            self._steps.popleft()
            self._num_gone += 1
        if self._since:
            self._steps.append(attention.copy())

    def rows(self, slot: int, origins: Sequence[int], num_columns: int) -> np.ndarray | None:
        """What the row number `origins[t]` of step t looked at, [T, A, num_columns]; None when it was not wanted."""
        since = self._since.get(slot)
        if since is None:
            return None
        first = since - self._num_gone
        return np.stack([self._steps[first + t][row, :, :num_columns] for t, row in enumerate(origins)])
