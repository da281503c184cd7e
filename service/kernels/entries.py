"""How rows attend to entries, head after head, whoever the entries belong to.

Rows of a beam have most of their KV cache in common, and their source wholly: what they have in common is read once for
SHARING_ROWS of them. A row's numbers are the same to the bit either way.
"""

from __future__ import annotations

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import clear_floats
from service.kernels.heads import (
    HEAD_SIZES,
    MOST_VECTORS,
    SHARING_ROWS,
    attention,
    attention_variant,
    entries_variant,
    head_variant,
    scores,
    softmax,
    sums,
)
from service.kernels.target import LANES

MOST_FLOATS = MOST_VECTORS * LANES
LEAST_SHARED = 24
"""Entries that several rows must have in common for that to be worth it."""
_SHARED_SIZES = len(HEAD_SIZES)

_attention, _scores, _sums, _softmax = attention(), scores(), sums(), softmax()


@compiled()
def _bits(scale: np.float32) -> np.int64:
    return np.int64(np.float32(scale).view(np.int32))


@compiled()
def _score(
    size: int, is_shared: bool, is_half: bool, query: int, query_distance: int, keys: int, offsets: np.ndarray,
    first: int, count: int, weights: np.ndarray,
) -> None:  # fmt: skip
    """Scores of entries `first` to `count` - 1, at least one, to their places in `weights` [rows, entries]."""
    _scores((
        entries_variant(size, is_half, is_shared), query, query_distance, keys, offsets[first:].ctypes.data,
        count - first, weights.ctypes.data + 4 * first, 4 * weights.shape[1],
    ))  # fmt: skip


@compiled()
def _sum(
    size: int, is_shared: bool, is_half: bool, weights: np.ndarray, values: int, offsets: np.ndarray, first: int,
    count: int, target: int, target_distance: int,
) -> None:  # fmt: skip
    """Add the values of entries `first` to `count` - 1, at least one, by their weights."""
    _sums((
        entries_variant(size, is_half, is_shared), weights.ctypes.data + 4 * first, 4 * weights.shape[1], values,
        offsets[first:].ctypes.data, count - first, target, target_distance,
    ))  # fmt: skip


@compiled()
def softmax_rows(num_rows: int, weights: np.ndarray, count: int, scale: np.float32) -> None:
    """softmax(scale * scores) in the first rows of `weights`, 1 or SHARING_ROWS."""
    _softmax((num_rows // SHARING_ROWS, weights.ctypes.data, 4 * weights.shape[1], count, _bits(scale)))


@compiled()
def heads_at_once(size: int, num_heads: int, first: int) -> int:
    """How many heads from number `first` on `attend` takes: 1 or MOST_FLOATS / D."""
    if head_variant(size) >= _SHARED_SIZES:
        return 1
    return MOST_FLOATS // size if (num_heads - first) * size >= MOST_FLOATS else 1


@compiled()
def attend(
    size: int, num_heads: int, is_half: bool, query: int, keys: int, values: int, offsets: np.ndarray, count: int,
    scale: np.float32, weights: np.ndarray, target: int,
) -> None:  # fmt: skip
    """Some heads of one row, as many as `heads_at_once` says: `weights` [heads, entries] = softmax(query . keys *
    scale), then their sums of the values to `target`.

    Addresses of what has D = `size` numbers for each head; key and value t lie `offsets[t]` bytes behind.
    """
    _attention((
        attention_variant(size, is_half, num_heads > 1), query, keys, values, offsets.ctypes.data, count,
        weights.ctypes.data, 4 * weights.shape[1], _bits(scale), target, size,
    ))  # fmt: skip


@compiled()
def attend_shared(
    size: int, is_half: bool, query: int, query_distance: int, keys: int, values: int, offsets: np.ndarray,
    num_alike: int, count: int, scale: np.float32, weights: np.ndarray, target: int, target_distance: int,
) -> None:  # fmt: skip
    """One head of SHARING_ROWS rows, which have the first `num_alike` entries in common; as `attend` otherwise.

    `offsets` [SHARING_ROWS, entries], `weights` [SHARING_ROWS, entries]; queries and targets lie so many bytes apart.
    """
    for j in range(SHARING_ROWS):
        clear_floats(target + j * target_distance, size)
    _score(size, True, is_half, query, query_distance, keys, offsets[0], 0, num_alike, weights)
    if num_alike < count:
        for j in range(SHARING_ROWS):
            own = query + j * query_distance
            _score(size, False, is_half, own, 0, keys, offsets[j], num_alike, count, weights[j:])
    softmax_rows(SHARING_ROWS, weights, count, scale)
    _sum(size, True, is_half, weights, values, offsets[0], 0, num_alike, target, target_distance)
    if num_alike < count:
        for j in range(SHARING_ROWS):
            own = target + j * target_distance
            _sum(size, False, is_half, weights[j:], values, offsets[j], num_alike, count, own, 0)


@compiled()
def rows_together(rows: np.ndarray, first: int, beam_size: int, size: int) -> int:
    """How many of `rows` from number `first` on may be looked at together: SHARING_ROWS of one segment, or 1."""
    last = first + SHARING_ROWS - 1
    are = last < len(rows) and rows[last] // beam_size == rows[first] // beam_size
    return SHARING_ROWS if are and head_variant(size) < _SHARED_SIZES else 1


@compiled()
def num_shared(offsets: np.ndarray, num_rows: int, count: int) -> int:
    """Of how many entries from the first on SHARING_ROWS rows [SHARING_ROWS, entries] are to share the reading.

    0: each reads for itself. Sharing what is little, or when each has much of its own besides, would take longer.
    """
    if num_rows < SHARING_ROWS:
        return 0
    shared = 0
    while shared < count:
        for j in range(1, SHARING_ROWS):
            if offsets[j, shared] != offsets[0, shared]:
                return shared if shared >= max(LEAST_SHARED, 2 * (count - shared)) else 0
        shared += 1
    return shared if shared >= LEAST_SHARED else 0
