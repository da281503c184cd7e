"""How many KV cache entries two rows of a segment have in common, so that beam reordering copies only the others."""

from __future__ import annotations

import numpy as np

from service.compiled import compiled
from service.memory import enlarged

MOVE = np.dtype([("to", np.int64), ("source", np.int64), ("first", np.int64), ("last", np.int64)])
"""A copy of entries `first` to `last` - 1 of growing arrays from row `source` to row `to`."""


class Ancestry:
    """For every two rows of a segment, the length of the common prefix of their KV caches, in entries."""

    def __init__(self, beam_size: int) -> None:
        self._alike = np.zeros((0, beam_size, beam_size), dtype=np.int64)
        self._moves = np.zeros(0, MOVE)

    def resize(self, num_segments: int) -> None:
        """Enlarge the capacity to so many segments."""
        self._alike = enlarged(self._alike, num_segments)
        self._moves = np.zeros(num_segments * self._alike.shape[1], MOVE)

    def begin(self, slots: np.ndarray) -> None:
        """New segments start in `slots`: nothing in common yet."""
        self._alike[slots] = 0

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """The segments of slots `source` move to slots `to`."""
        self._alike[to] = self._alike[source]

    def reorder(self, parents: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Row k of segment b continues from its parent, row `parents[b, k]`, which does not change: the copies to make.

        `parents` [B, K]; `positions` [B K] is the number of entries of each row. Returns `MOVE` records.
        """
        return self._moves[: _reorder(parents, positions, self._alike, self._moves)]


@compiled()
def copy_entries(array: np.ndarray, moves: np.ndarray) -> None:
    """Make the copies `moves` within a growing array, viewed as [R, X, T, Y]."""
    for i in range(len(moves)):
        move = moves[i]
        for x in range(array.shape[1]):
            for t in range(move.first, move.last):
                for y in range(array.shape[3]):
                    array[move.to, x, t, y] = array[move.source, x, t, y]


@compiled()
def _reorder(parents: np.ndarray, positions: np.ndarray, alike: np.ndarray, moves: np.ndarray) -> int:
    num_segments, beam_size = parents.shape
    before = np.empty((beam_size, beam_size), dtype=np.int64)
    num_moves = 0
    for b in range(num_segments):
        position = positions[b * beam_size]
        has_moved = False
        for k in range(beam_size):
            parent = parents[b, k]
            if parent != k:
                has_moved = True
                move = moves[num_moves]
                move.to, move.source = b * beam_size + k, b * beam_size + parent
                move.first, move.last = alike[b, k, parent], position
                num_moves += 1
        if not has_moved:
            continue
        before[:] = alike[b]
        for k in range(beam_size):
            before[k, k] = position
        for i in range(beam_size):
            for j in range(beam_size):
                alike[b, i, j] = before[parents[b, i], parents[b, j]]
    return num_moves
