"""What many hypotheses have written so far: a token and a parent for each step, so extending one copies nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.messages import FinishReason, Hypothesis

_FIRST_STEPS = 32
"""Steps for which there is room at the start; the room doubles."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The last token of a finished hypothesis, and where the tokens before it lie."""

    step: int
    """Tokens before this one."""
    parent: int
    """The segment's row that wrote them."""
    token_id: int
    log_prob: float
    reason: FinishReason


class History:
    """The tokens of B segments with K rows each. A segment lies in a slot; slots may be moved and used again."""

    def __init__(self, rows_per_segment: int) -> None:
        self._width = rows_per_segment
        self.lengths = np.zeros(0, dtype=np.int64)
        """Tokens written by each row of a slot [B]."""
        self._tokens = np.zeros((0, _FIRST_STEPS, rows_per_segment), dtype=np.int32)
        self._parents = np.zeros((0, _FIRST_STEPS, rows_per_segment), dtype=np.int8)
        self._log_probs = np.zeros((0, _FIRST_STEPS, rows_per_segment), dtype=np.float32)
        self._attention: list[list[np.ndarray] | None] = []

    @property
    def num_slots(self) -> int:
        """B."""
        return len(self.lengths)

    def put(self, slot: int, keeps_attention: bool) -> None:
        """Start a segment in `slot`: one in use, which is given up, or the next after all others."""
        if slot == self.num_slots:
            self._add_slot()
        self.lengths[slot] = 0
        self._attention[slot] = [] if keeps_attention else None

    def move(self, to: int, source: int) -> None:
        """Give up the segment in slot `to` and put that of slot `source` there too."""
        for array in (self.lengths, self._tokens, self._parents, self._log_probs):
            array[to] = array[source]
        self._attention[to] = self._attention[source]

    def shrink(self, num_slots: int) -> None:
        """Give up all slots but the first `num_slots`."""
        self.lengths = self.lengths[:num_slots]
        del self._attention[num_slots:]

    def extend(self, tokens: np.ndarray, parents: np.ndarray, log_probs: np.ndarray) -> None:
        """One more token for each row, [B, K] each: `parents` says which row of the segment a row now continues."""
        if self.num_slots and int(self.lengths.max()) == self._tokens.shape[1]:
            self._double_steps()
        slots = np.arange(self.num_slots)
        self._tokens[slots, self.lengths] = tokens
        self._parents[slots, self.lengths] = parents
        self._log_probs[slots, self.lengths] = log_probs
        self.lengths += 1

    def look(self, attention: np.ndarray, num_columns: np.ndarray) -> None:
        """Keep the weights of the token that is chosen next, before `extend`: `attention` [B*K, A, S].

        Segments that asked for none cost nothing; of the others the first `num_columns` [B] source columns are copied.
        """
        for slot, kept in enumerate(self._attention):
            if kept is not None:
                first = slot * self._width
                kept.append(attention[first : first + self._width, :, : num_columns[slot]].copy())

    def hypothesis(self, slot: int, ending: Ending) -> Hypothesis:
        """The finished hypothesis; an end token gives no id, but has its score and attention row."""
        token_ids, log_probs, rows = [ending.token_id], [ending.log_prob], [ending.parent]
        tokens, parents, scores = (
            array[slot, : ending.step].tolist() for array in (self._tokens, self._parents, self._log_probs)
        )
        row = ending.parent
        for step in range(ending.step - 1, -1, -1):
            token_ids.append(tokens[step][row])
            log_probs.append(scores[step][row])
            row = parents[step][row]
            rows.append(row)
        if ending.reason is FinishReason.EOS:
            del token_ids[0]
        kept = self._attention[slot]
        weights = None if kept is None else np.stack([kept[i][row] for i, row in enumerate(reversed(rows))])
        return Hypothesis(tuple(reversed(token_ids)), tuple(reversed(log_probs)), ending.reason, weights)

    def _add_slot(self) -> None:
        count = self.num_slots
        if count == len(self._tokens):
            room = max(8, 2 * count)
            self._tokens, self._parents, self._log_probs = (
                _enlarged(array, (room, *array.shape[1:])) for array in (self._tokens, self._parents, self._log_probs)
            )
        self.lengths = np.append(self.lengths, 0)
        self._attention.append(None)

    def _double_steps(self) -> None:
        self._tokens, self._parents, self._log_probs = (
            _enlarged(array, (array.shape[0], 2 * array.shape[1], array.shape[2]))
            for array in (self._tokens, self._parents, self._log_probs)
        )


def _enlarged(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    larger = np.zeros(shape, dtype=array.dtype)
    larger[tuple(slice(0, size) for size in array.shape)] = array
    return larger
