"""What rows looked at, kept while the segments that asked for it run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import floats_at
from service.memory import enlarged
from service.search.records import Searches

LEAST_COVERED = 1e-6
"""Attention that a source token has at least: an attention of exactly 0 would be a penalty without end."""


class AttentionLog:
    """What the rows of each segment that wants to know looked at, step after step, in memory of the segment's own.

    A step costs one compiled call, and nothing while nobody asks.
    """

    def __init__(self) -> None:
        self._kept: dict[int, np.ndarray] = {}
        """[T, K, A, S] by slot."""
        self._new: dict[int, bool] = {}
        """Slots of those that have not done their first step."""
        self._addresses = np.zeros(0, np.int64)
        """By slot: where what is kept lies; 0 for segments that do not want to know."""
        self._num_slices = 0
        """A."""

    @property
    def is_wanted(self) -> bool:
        """Whether any segment wants to know."""
        return bool(self._kept or self._new)

    def put(self, slot: int, wants_attention: bool) -> None:
        """A segment starts in `slot`."""
        if slot >= len(self._addresses):
            self._addresses = enlarged(self._addresses, 2 * slot + 8)
        self._addresses[slot] = 0
        self._kept.pop(slot, None)
        self._new.pop(slot, None)
        if wants_attention:
            self._new[slot] = True

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """Segments moved from slots `source` to slots `to`; then only the first `num_slots` are left."""
        if not self.is_wanted:
            return
        for of_slots in (self._kept, self._new):
            _move(of_slots, to, source, num_slots)
        if to:
            self._addresses[to] = self._addresses[source]
        self._addresses[num_slots:] = 0

    def look(self, attention: np.ndarray, slots: np.ndarray, beam_size: int, num_ahead: int) -> None:
        """Keep the `attention` [steps, at least B * K, A, S] of some steps, if anybody wants to know.

        `slots` [B] are the records of all segments, which are `num_ahead` steps further than the first of these;
        `beam_size` is K.
        """
        for slot in self._new:
            limit, columns = int(slots[slot]["limit"]), int(slots[slot]["columns"])
            self._kept[slot], self._addresses[slot] = room_for(limit, beam_size, attention.shape[2], columns)
            self._num_slices = attention.shape[2]
        self._new.clear()
        if self._kept:
            keep(attention, self._addresses, slots, beam_size, num_ahead)

    def cover(self, searches: Searches, slices: np.ndarray) -> None:
        """Write the coverage penalty of every live row, were it to end with the step that was just looked at. The mean
        of the attention `slices` [any] tells what is covered."""
        cover(self._addresses, searches.slots, searches.rows, searches.steps, slices, self._num_slices)

    def rows(self, slot: int, path: np.ndarray) -> np.ndarray | None:
        """What the rows that chose the tokens of `path` (`STEP` records) looked at, [T, A, S]; None when unwanted."""
        kept = self._kept.get(slot)
        return None if kept is None else along(kept, path)


def _move(of_slots: dict[int, Any], to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
    """Let what is kept of slots `source` be that of slots `to`, and forget all from `num_slots` on."""
    for there, here in zip(to, source, strict=True):
        of_slots.pop(there, None)
        if here in of_slots:
            of_slots[there] = of_slots[here]
    for slot in [slot for slot in of_slots if slot >= num_slots]:
        del of_slots[slot]


@compiled(keeps_lock=True)
def room_for(num_steps: int, beam_size: int, num_slices: int, num_columns: int) -> tuple[np.ndarray, int]:
    """Memory for what a segment may look at [T, K, A, S], most of which will never be touched, and where it lies."""
    room = np.empty((num_steps, beam_size, num_slices, num_columns), dtype=np.float32)
    return room, room.ctypes.data


@compiled(keeps_lock=True)
def keep(attention: np.ndarray, addresses: np.ndarray, slots: np.ndarray, beam_size: int, num_ahead: int) -> None:
    """Copy `attention` [steps, rows, A, S] to `addresses` [B], of each segment its own columns; see `look`."""
    num_slices = attention.shape[2]
    for b in range(len(slots)):
        if addresses[b] == 0:
            continue
        columns = slots[b].columns
        kept = floats_at(addresses[b], slots[b].limit * beam_size * num_slices * columns)
        at = (slots[b].length - num_ahead) * beam_size * num_slices * columns
        for step in attention:
            for row in step[b * beam_size : b * beam_size + beam_size]:
                for each in row:
                    for s in range(columns):
                        kept[at + s] = each[s]
                    at += columns


@compiled(keeps_lock=True)
def cover(
    addresses: np.ndarray, slots: np.ndarray, rows: np.ndarray, steps: np.ndarray, slices: np.ndarray, num_slices: int
) -> None:
    """Wu et al. 2016, equation 14: beta sum_j log(min(sum_i p_ij, 1)) over the source tokens j and all steps i so far,
    the present one included, of each row of the segments that ask for it."""
    beam_size = rows.shape[1]
    for b in range(len(slots)):
        if slots[b].beta == 0.0 or addresses[b] == 0:
            continue
        columns, length = slots[b].columns, slots[b].length
        kept = floats_at(addresses[b], slots[b].limit * beam_size * num_slices * columns)
        for k in range(beam_size):
            if rows[b, k].total == -np.inf:
                continue
            covered = np.zeros(columns, dtype=np.float64)
            row = k
            for step in range(length, -1, -1):
                if step < length:
                    row = steps[b, step, row].parent % beam_size
                for a in slices:
                    at = ((step * beam_size + row) * num_slices + a) * columns
                    for s in range(columns):
                        covered[s] += kept[at + s] / len(slices)
            penalty = 0.0
            for s in range(columns):
                penalty += np.log(min(max(covered[s], LEAST_COVERED), 1.0))
            rows[b, k].coverage = slots[b].beta * penalty


@compiled(keeps_lock=True)
def along(kept: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Of `kept` [T, K, A, S] what the row of each record of `path` looked at: [len(path), A, S]."""
    rows = np.empty((len(path), kept.shape[2], kept.shape[3]), dtype=kept.dtype)
    for t in range(len(path)):
        rows[t] = kept[t, path[t].parent % kept.shape[1]]
    return rows
