"""What happens to the past of rows, their entries of growing arrays, when one goes on where another has been."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from service.compiled import compiled
from service.runtime.ancestry import Ancestry
from service.runtime.buffers import Buffers


class Past(Protocol):
    """The past of all rows of a lane."""

    def resize(self, num_segments: int, depth: int) -> None:
        """Have room for so many segments and entries; what there was stays."""
        ...

    def begin(self, slots: np.ndarray) -> None:
        """New segments start in `slots`."""
        ...

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """The segments of slots `source` move to slots `to`."""
        ...

    def reorder(self, owners: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """Let row k of segment b go on as its row `owners[b, k]`, which stays as it is; all have `positions` [B K]."""
        ...


class CopiedPast:
    """Each row has its past in its own memory: for graphs that look nowhere else. Only what differs is copied."""

    def __init__(self, rows_per_segment: int) -> None:
        self._ancestry = Ancestry(rows_per_segment)
        self._num_segments = 0

    def resize(self, num_segments: int, depth: int) -> None:
        """See `Past.resize`."""
        if num_segments != self._num_segments:
            self._ancestry.resize(num_segments)
            self._num_segments = num_segments

    def begin(self, slots: np.ndarray) -> None:
        """See `Past.begin`."""
        self._ancestry.begin(slots)

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """See `Past.move`."""
        self._ancestry.move(to, source)

    def reorder(self, owners: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """See `Past.reorder`."""
        buffers.copy_rows(self._ancestry.reorder(owners, positions))


class LinkedPast:
    """A row knows in which row of its segment each entry of its past lies; entries stay where they were written.

    An entry is never written over while its segment lives, because a row writes entry t at step t only.
    """

    def __init__(self, rows_per_segment: int) -> None:
        self._rows_per_segment = rows_per_segment
        self.cache_indirection = np.zeros((0, 0), dtype=np.int32)
        """[R, T]: k of the row that wrote the entry."""

    def resize(self, num_segments: int, depth: int) -> None:
        """See `Past.resize`."""
        larger = np.zeros((num_segments * self._rows_per_segment, depth), dtype=np.int32)
        rows, entries = (min(sizes) for sizes in zip(larger.shape, self.cache_indirection.shape, strict=True))
        larger[:rows, :entries] = self.cache_indirection[:rows, :entries]
        self.cache_indirection = larger

    def begin(self, slots: np.ndarray) -> None:
        """See `Past.begin`; an entry's origin is noted when it is written."""

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """See `Past.move`."""
        segments = self.cache_indirection.reshape(-1, self._rows_per_segment, self.cache_indirection.shape[1])
        segments[to] = segments[source]

    def reorder(self, owners: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """See `Past.reorder`."""
        relink(owners, positions, self.cache_indirection)


@compiled()
def relink(owners: np.ndarray, positions: np.ndarray, cache_indirection: np.ndarray) -> None:
    """Let row k of segment b go on with the `cache_indirection` [R, T] of its row `owners[b, k]`; see `LinkedPast`."""
    num_segments, width = owners.shape
    for b in range(num_segments):
        first = b * width
        for k in range(width):
            if owners[b, k] != k:
                for t in range(positions[first]):
                    cache_indirection[first + k, t] = cache_indirection[first + owners[b, k], t]


@compiled()
def find_rows(positions: np.ndarray, num_rows: int, width: int, rows: np.ndarray, places: np.ndarray) -> int:
    """Which of the first `num_rows` rows have numbers of their own, into `rows`, and how many they are.

    When a segment of `width` rows begins, all of them are fed the same token, and the first stands for the others.
    `places` gets, for every row, the place in `rows` of the one that it is or that stands for it.
    """
    count = 0
    for r in range(num_rows):
        if r % width and positions[r] == 0:
            places[r] = places[r - 1]
        else:
            rows[count], places[r] = r, count
            count += 1
    return count
