"""Greedy search: the most likely token at each step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.messages import FinishReason, Hypothesis
from service.search.history import Ending, History
from service.search.search import Task


class GreedySearch:
    """The `Search` of segments with one hypothesis each, K = 1."""

    def __init__(self, begin_id: int, end_id: int) -> None:
        self._begin_id, self._end_id = begin_id, end_id
        self._history = History(1)
        self._limits = np.zeros(0, dtype=np.int64)
        self._columns = np.zeros(0, dtype=np.int64)
        self._endings: dict[int, Ending] = {}
        self.tokens = np.zeros(0, dtype=np.int64)
        """See `Search.tokens`."""

    def put(self, slots: Sequence[int], tasks: Sequence[Task]) -> None:
        """See `Search.put`."""
        added = sum(slot >= len(self.tokens) for slot in slots)
        room = np.zeros(added, dtype=np.int64)
        self.tokens, self._limits, self._columns = (
            np.concatenate([array, room]) for array in (self.tokens, self._limits, self._columns)
        )
        for slot, task in zip(slots, tasks, strict=True):
            self._history.put(slot, task.keeps_attention)
            self.tokens[slot], self._limits[slot] = self._begin_id, task.max_tokens
            self._columns[slot] = task.num_source_tokens

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """See `Search.move`."""
        for there, here in zip(to, source, strict=True):
            self._history.move(there, here)
            for array in (self.tokens, self._limits, self._columns):
                array[there] = array[here]
        self._history.shrink(num_slots)
        self.tokens, self._limits = self.tokens[:num_slots], self._limits[:num_slots]
        self._columns = self._columns[:num_slots]

    def advance(
        self, logits: np.ndarray, normalisers: np.ndarray, attention: np.ndarray
    ) -> tuple[np.ndarray | None, list[int]]:
        """See `Search.advance`."""
        self.tokens = best = logits.argmax(axis=1)
        log_probs = logits[np.arange(len(best)), best] - normalisers
        self._history.look(attention, self._columns)
        self._history.extend(best[:, None], np.zeros((len(best), 1), dtype=np.int8), log_probs[:, None])
        ended = best == self._end_id
        over = np.nonzero(ended | (self._history.lengths >= self._limits))[0].tolist()
        for slot in over:
            reason = FinishReason.EOS if ended[slot] else FinishReason.LENGTH
            step = int(self._history.lengths[slot]) - 1
            self._endings[slot] = Ending(step, 0, int(best[slot]), float(log_probs[slot]), reason)
        return None, over

    def hypotheses(self, slot: int) -> tuple[Hypothesis, ...]:
        """See `Search.hypotheses`."""
        return (self._history.hypothesis(slot, self._endings.pop(slot)),)
