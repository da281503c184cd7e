"""What all instructions of a run are about: which rows, of which segments, at which positions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import float_rows_at, int32_rows_at, int64_rows_at, int64s_at, record_at
from service.kernels.heads import MOST_VECTORS, SHARING_ROWS
from service.kernels.target import LANES

ROW_BATCH = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("rows", "num_rows", "beam_size", "token_ids", "positions", "source_lengths", "num_segments"),
            *("cache_indirection", "capacity", "source_length", "num_slices", "map_offset"),
            *("weights", "weights_length", "entry_offsets", "num_entries"),
        )
    ],
    align=True,
)
"""Addresses of a `RowBatch`'s arrays, and its sizes, as kernels read them."""

NO_CACHE = np.zeros((0, 0), np.int32)


@dataclass(slots=True)
class RowBatch:
    """Some rows of R. State and attention maps, `token_ids` and `positions` have all R; rows that instructions hand to
    each other, and results, are those of `rows` alone."""

    rows: np.ndarray
    """int64 [rows]: which of R."""
    beam_size: int
    """K: rows of each segment; 1 in an encoder, where a row is a token."""
    token_ids: np.ndarray
    """int64 [R]."""
    positions: np.ndarray
    """int64 [R]."""
    source_lengths: np.ndarray
    """int64 [B]: source tokens of each segment."""
    cache_indirection: np.ndarray = field(default_factory=lambda: NO_CACHE)
    """int32 [R, T]: which row of its segment wrote an entry of a row's KV cache."""
    source_length: int = 0
    """S: source columns of attention maps."""
    num_slices: int = 0
    """Attention slices of each row."""
    map_offset: int = 0
    """How many bytes behind its place attention is written."""
    scratch: tuple[np.ndarray, np.ndarray] | None = None
    """What attention uses; see `attention_scratch`. Enough of it is made when there is none."""
    record: np.ndarray = field(init=False)
    """ROW_BATCH [1]: what kernels take."""

    def __post_init__(self) -> None:
        longest = max(self.cache_indirection.shape[1], self.source_length, int(self.source_lengths.max(initial=0)))
        weights, offsets = self.scratch = self.scratch or attention_scratch(longest)
        self.record = np.zeros(1, ROW_BATCH)
        self.record["weights"], self.record["weights_length"] = weights.ctypes.data, weights.shape[1]
        self.record["entry_offsets"], self.record["num_entries"] = offsets.ctypes.data, offsets.shape[1]
        self.record["beam_size"], self.record["num_slices"] = self.beam_size, self.num_slices
        self.set(self.rows, self.token_ids, self.positions, self.source_lengths)
        self.set_extent(self.cache_indirection, self.source_length)

    def set(self, rows: np.ndarray, token_ids: np.ndarray, positions: np.ndarray, source_lengths: np.ndarray) -> None:
        """Let the batch be about other rows."""
        self.rows, self.token_ids, self.positions, self.source_lengths = rows, token_ids, positions, source_lengths
        record = self.record
        record["rows"], record["num_rows"] = rows.ctypes.data, len(rows)
        record["token_ids"], record["positions"] = token_ids.ctypes.data, positions.ctypes.data
        record["source_lengths"], record["num_segments"] = source_lengths.ctypes.data, len(source_lengths)

    def set_extent(self, cache_indirection: np.ndarray, source_length: int, map_offset: int = 0) -> None:
        """Let KV caches and attention maps be of other sizes; the scratch must be enough for them."""
        self.cache_indirection, self.source_length, self.map_offset = cache_indirection, source_length, map_offset
        record = self.record
        record["cache_indirection"], record["capacity"] = cache_indirection.ctypes.data, cache_indirection.shape[1]
        record["source_length"], record["map_offset"] = source_length, map_offset


def attention_scratch(num_entries: int) -> tuple[np.ndarray, np.ndarray]:
    """What attention to so many entries uses: weights of each head, whole vectors of them, and offsets of entries."""
    return np.zeros((MOST_VECTORS, num_entries + LANES), np.float32), np.zeros((SHARING_ROWS, num_entries), np.int64)


@compiled()
def row_batch_at(address: int) -> Any:
    """The ROW_BATCH record at `address`."""
    return record_at(address, ROW_BATCH)


@compiled()
def cached_rows(batch: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`rows` of a ROW_BATCH record, and `positions` and `cache_indirection` as far as those go."""
    rows = int64s_at(batch.rows, batch.num_rows)
    last = rows[-1] + 1
    parents = int32_rows_at(batch.cache_indirection, last, batch.capacity)
    return rows, int64s_at(batch.positions, last), parents


@compiled()
def scratch_of(batch: Any) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of `attention_scratch` of a ROW_BATCH record."""
    weights = float_rows_at(batch.weights, MOST_VECTORS, batch.weights_length)
    return weights, int64_rows_at(batch.entry_offsets, SHARING_ROWS, batch.num_entries)
