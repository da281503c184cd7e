"""Beam search (Graves 2012, arXiv:1211.3711, with the stopping rule of Klein et al. 2017, arXiv:1701.02810).

Of the 2K best continuations, those among the first K that end are finished, and the K best that do not end go on; the
search is over once K hypotheses have finished or the limit of tokens is reached, and before that when nothing that goes
on can come to a better score than those that are to be returned.

A hypothesis that goes on keeps its row, and one more copy of it goes into a row whose hypothesis was given up: rows are
in no order, and no more of them move than must.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from service.messages import FinishReason, Hypothesis
from service.search.candidates import Continuations, best_continuations, maxima
from service.search.history import Ending, History
from service.search.score import length_normalised
from service.search.search import Task

Finished = tuple[float, int, Ending]
"""Length-normalised score, the number of hypotheses that finished before, the hypothesis."""


class BeamSearch:
    """The `Search` of segments with K hypotheses each. Each starts with one that is fed the begin token."""

    def __init__(self, beam_size: int, begin_id: int, end_id: int) -> None:
        self._width, self._begin_id, self._end_id = beam_size, begin_id, end_id
        self._history = History(beam_size)
        self._tasks: list[Task] = []
        self._finished: list[list[Finished]] = []
        self._totals = np.zeros((0, beam_size))
        self._tokens = np.zeros((0, beam_size), dtype=np.int64)
        self._limits = np.zeros(0, dtype=np.int64)
        self._columns = np.zeros(0, dtype=np.int64)
        self._num_finished = np.zeros(0, dtype=np.int64)
        self._most_penalty = np.zeros(0)
        """What the total of the longest possible hypothesis would be divided by."""
        self._to_beat = np.zeros(0)
        """Score of the worst hypothesis that would be returned now, -inf before there are enough."""

    @property
    def tokens(self) -> np.ndarray:
        """See `Search.tokens`."""
        return self._tokens.reshape(-1)

    def put(self, slots: Sequence[int], tasks: Sequence[Task]) -> None:
        """See `Search.put`."""
        self._make_room(sum(slot >= len(self._tasks) for slot in slots))
        for slot, task in zip(slots, tasks, strict=True):
            self._history.put(slot, task.keeps_attention)
            self._tasks[slot : slot + 1] = [task]
            self._finished[slot : slot + 1] = [[]]
            self._totals[slot] = -np.inf
            self._totals[slot, 0] = 0.0
            self._tokens[slot] = self._begin_id
            self._limits[slot], self._columns[slot] = task.max_tokens, task.num_source_tokens
            self._most_penalty[slot] = 1.0 / length_normalised(1.0, task.max_tokens, task.options.length_penalty)
            self._to_beat[slot], self._num_finished[slot] = -np.inf, 0

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """See `Search.move`."""
        for there, here in zip(to, source, strict=True):
            self._history.move(there, here)
            self._tasks[there], self._finished[there] = self._tasks[here], self._finished[here]
            for array in self._arrays():
                array[there] = array[here]
        self._history.shrink(num_slots)
        del self._tasks[num_slots:], self._finished[num_slots:]
        self._keep([array[:num_slots] for array in self._arrays()])

    def advance(
        self, logits: np.ndarray, normalisers: np.ndarray, attention: np.ndarray
    ) -> tuple[np.ndarray | None, list[int]]:
        """See `Search.advance`."""
        normalisers = normalisers.reshape(self._totals.shape)
        found = best_continuations(maxima(logits), self._totals - normalisers, 2 * self._width)
        log_probs = _token_log_probs(found, logits, normalisers)
        ends = found.tokens == self._end_id
        self._history.look(attention, self._columns)
        self._finish_ended(found, log_probs, ends)
        beams = np.arange(len(ends))[:, None]
        chosen = np.argsort(ends, axis=1, kind="stable")[:, : self._width]  # those that do not end, best first
        parents, tokens, scores, log_probs = (array[beams, chosen] for array in (*found, log_probs))
        over = self._over(Continuations(parents, tokens, scores), log_probs)
        rows = _rows_of(parents)
        owners, placed = np.empty_like(parents), np.empty_like(log_probs)
        owners[beams, rows], placed[beams, rows] = parents, log_probs
        self._tokens[beams, rows], self._totals[beams, rows] = tokens, scores
        self._history.extend(self._tokens, owners, placed)
        return owners, over

    def hypotheses(self, slot: int) -> tuple[Hypothesis, ...]:
        """See `Search.hypotheses`."""
        best = sorted(self._finished[slot], key=lambda entry: (-entry[0], entry[1]))
        wanted = best[: self._tasks[slot].options.num_hypotheses]
        return tuple(self._history.hypothesis(slot, ending) for _, _, ending in wanted)

    def _make_room(self, added: int) -> None:
        room = (np.zeros((added, *array.shape[1:]), dtype=array.dtype) for array in self._arrays())
        self._keep([np.concatenate(pair) for pair in zip(self._arrays(), room, strict=True)])

    def _arrays(self) -> tuple[np.ndarray, ...]:
        """What there is one entry of for each slot."""
        slots = (self._limits, self._columns, self._num_finished, self._most_penalty, self._to_beat)
        return (self._totals, self._tokens, *slots)

    def _keep(self, arrays: Iterable[np.ndarray]) -> None:
        self._totals, self._tokens, *slots = arrays
        self._limits, self._columns, self._num_finished, self._most_penalty, self._to_beat = slots

    def _finish_ended(self, found: Continuations, log_probs: np.ndarray, ends: np.ndarray) -> None:
        """Keep those among the K best that end."""
        taken = ends[:, : self._width] & (found.scores[:, : self._width] > -np.inf)
        for slot, rank in zip(*(where.tolist() for where in np.nonzero(taken)), strict=True):
            self._finish(slot, rank, found, log_probs, FinishReason.EOS)

    def _over(self, alive: Continuations, log_probs: np.ndarray) -> list[int]:
        """Slots whose search is over; hypotheses that reach the limit are cut."""
        enough = self._num_finished >= self._width
        at_limit = self._history.lengths + 1 >= self._limits
        for slot in np.flatnonzero(at_limit & ~enough).tolist() if at_limit.any() else ():
            for rank in np.flatnonzero(alive.scores[slot] > -np.inf).tolist():
                self._finish(slot, rank, alive, log_probs, FinishReason.LENGTH)
        hopeless = alive.scores[:, 0] / self._most_penalty <= self._to_beat  # -inf, when none goes on, always is
        over: list[int] = np.flatnonzero(enough | at_limit | hopeless).tolist()
        return over

    def _finish(self, slot: int, rank: int, found: Continuations, log_probs: np.ndarray, reason: FinishReason) -> None:
        step, finished = int(self._history.lengths[slot]), self._finished[slot]
        token, log_prob = int(found.tokens[slot, rank]), float(log_probs[slot, rank])
        penalty = self._tasks[slot].options.length_penalty
        score = length_normalised(float(found.scores[slot, rank]), step + 1, penalty)
        finished.append((score, len(finished), Ending(step, int(found.parents[slot, rank]), token, log_prob, reason)))
        self._num_finished[slot] += 1
        wanted = self._tasks[slot].options.num_hypotheses
        if len(finished) >= wanted:
            self._to_beat[slot] = sorted((entry[0] for entry in finished), reverse=True)[wanted - 1]


def _token_log_probs(found: Continuations, logits: np.ndarray, normalisers: np.ndarray) -> np.ndarray:
    """Log-probability of each continuation's own token [B, C]."""
    num_beams, width = normalisers.shape
    rows = np.arange(num_beams)[:, None] * width + found.parents
    log_probs: np.ndarray = logits[rows, found.tokens] - normalisers.reshape(-1)[rows]
    return log_probs


def _rows_of(parents: np.ndarray) -> np.ndarray:
    """The row of each chosen hypothesis: its parent's for the first of each parent, then rows that nobody continues.

    `parents` [B, K] and the result count rows within their segment; each row of the result is a permutation.
    """
    num_beams, width = parents.shape
    earlier = np.tri(width, k=-1, dtype=np.bool_)
    repeated = ((parents[:, :, None] == parents[:, None, :]) & earlier).any(axis=2)
    if not repeated.any():
        return parents
    beams = np.arange(num_beams)[:, None]
    used = np.zeros((num_beams, width), dtype=np.bool_)
    used[beams, parents] = True
    free = np.argsort(used, axis=1, kind="stable")
    turn = np.maximum(np.cumsum(repeated, axis=1) - 1, 0)
    rows: np.ndarray = np.where(repeated, free[beams, turn], parents)
    return rows
