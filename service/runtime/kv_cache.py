"""How the KV cache of rows, their entries of growing arrays, follows beam reordering."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from service.compiled import compiled
from service.runtime.ancestry import Ancestry
from service.runtime.buffers import Buffers


class KVCache(Protocol):
    """The KV cache of all rows of a lane."""

    def resize(self, num_segments: int, capacity: int) -> None:
        """Set the capacity in segments and in entries (`capacity`); present entries stay."""
        ...

    def begin(self, slots: np.ndarray) -> None:
        """New segments start in `slots`."""
        ...

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """The segments of slots `source` move to slots `to`."""
        ...

    def reorder(self, parents: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """Row k of segment b continues from its parent, row `parents[b, k]`, whose own cache stays.

        `parents` [B, K]; `positions` [B K] is the number of entries of each row.
        """
        ...


class CopiedKVCache:
    """Each row has a KV cache of its own, as ONNX graphs need it. Only entries that differ are copied."""

    def __init__(self, beam_size: int) -> None:
        self._ancestry = Ancestry(beam_size)
        self._num_segments = 0

    def resize(self, num_segments: int, capacity: int) -> None:
        """See `KVCache.resize`."""
        if num_segments != self._num_segments:
            self._ancestry.resize(num_segments)
            self._num_segments = num_segments

    def begin(self, slots: np.ndarray) -> None:
        """See `KVCache.begin`."""
        self._ancestry.begin(slots)

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """See `KVCache.move`."""
        self._ancestry.move(to, source)

    def reorder(self, parents: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """See `KVCache.reorder`."""
        buffers.copy_rows(self._ancestry.reorder(parents, positions))


class LinkedKVCache:
    """An index names the row that wrote each KV cache entry. Reordering changes the index; no entry moves.

    An entry is never written over while its segment lives, because a row writes entry t at step t only.
    """

    def __init__(self, beam_size: int) -> None:
        self._beam_size = beam_size
        self.cache_indirection = np.zeros((0, 0), dtype=np.int32)
        """[R, T]: k, within the segment, of the row that wrote entry t."""

    def resize(self, num_segments: int, capacity: int) -> None:
        """See `KVCache.resize`."""
        larger = np.zeros((num_segments * self._beam_size, capacity), dtype=np.int32)
        rows, entries = (min(sizes) for sizes in zip(larger.shape, self.cache_indirection.shape, strict=True))
        larger[:rows, :entries] = self.cache_indirection[:rows, :entries]
        self.cache_indirection = larger

    def begin(self, slots: np.ndarray) -> None:
        """See `KVCache.begin`; an entry's parent is noted when it is written."""

    def move(self, to: np.ndarray, source: np.ndarray) -> None:
        """See `KVCache.move`."""
        segments = self.cache_indirection.reshape(-1, self._beam_size, self.cache_indirection.shape[1])
        segments[to] = segments[source]

    def reorder(self, parents: np.ndarray, positions: np.ndarray, buffers: Buffers) -> None:
        """See `KVCache.reorder`."""
        relink(parents, positions, self.cache_indirection)


@compiled()
def relink(parents: np.ndarray, positions: np.ndarray, cache_indirection: np.ndarray) -> None:
    """Row k of segment b takes the `cache_indirection` [R, T] of its parent, row `parents[b, k]`.

    See `LinkedKVCache`.
    """
    num_segments, beam_size = parents.shape
    for b in range(num_segments):
        first = b * beam_size
        for k in range(beam_size):
            if parents[b, k] != k:
                for t in range(positions[first]):
                    cache_indirection[first + k, t] = cache_indirection[first + parents[b, k], t]


@compiled()
def find_rows(positions: np.ndarray, num_rows: int, beam_size: int, rows: np.ndarray, places: np.ndarray) -> int:
    """Write the rows that a step must compute, of the first `num_rows`, to `rows`; returns their number.

    At the first step of a segment its `beam_size` rows are fed the same token, so only the first of them is computed.
    `places` gets, for every row, the index in `rows` of the row whose result it has.
    """
    count = 0
    for r in range(num_rows):
        if r % beam_size and positions[r] == 0:
            places[r] = places[r - 1]
        else:
            rows[count], places[r] = r, count
            count += 1
    return count
