"""How rows attend to entries, head after head, whoever the entries belong to.

Rows of a beam have most of their past in common, and their source wholly: what they have in common is read once for
GROUP of them. A row's numbers are the same to the bit either way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import clear_floats
from service.kernels.heads import MOST_VECTORS, attention, products, shares, sums
from service.kernels.vectors import HALVES, LANES

GROUP = 4
"""Rows that look at the same entries together."""
MOST_FLOATS = MOST_VECTORS * LANES
LEAST_SHARED = 24
"""Entries that several rows must have in common for that to be worth it."""

_head_1, _head_2, _head_4 = (attention(n, 1) for n in (1, 2, 4))
_heads_1, _heads_2, _heads_4 = (attention(n, MOST_VECTORS // n) for n in (1, 2, 4))
_halved_head_1, _halved_head_2, _halved_head_4 = (attention(n, 1, HALVES) for n in (1, 2, 4))
_halved_heads_1, _halved_heads_2, _halved_heads_4 = (attention(n, MOST_VECTORS // n, HALVES) for n in (1, 2, 4))
_products_1, _products_2, _products_4 = (products(n, 1) for n in (1, 2, 4))
_shared_products_1, _shared_products_2, _shared_products_4 = (products(n, GROUP, are_shared=True) for n in (1, 2, 4))
_halved_products_1, _halved_products_2, _halved_products_4 = (products(n, 1, HALVES) for n in (1, 2, 4))
_halved_shared_products_1, _halved_shared_products_2, _halved_shared_products_4 = (
    products(n, GROUP, HALVES, are_shared=True) for n in (1, 2, 4)
)
_sums_1, _sums_2, _sums_4 = (sums(n, 1) for n in (1, 2, 4))
_shared_sums_1, _shared_sums_2, _shared_sums_4 = (sums(n, GROUP, are_shared=True) for n in (1, 2, 4))
_halved_sums_1, _halved_sums_2, _halved_sums_4 = (sums(n, 1, HALVES) for n in (1, 2, 4))
_halved_shared_sums_1, _halved_shared_sums_2, _halved_shared_sums_4 = (
    sums(n, GROUP, HALVES, are_shared=True) for n in (1, 2, 4)
)
_shares_1, _shares_4 = shares(1), shares(GROUP)


@compiled()
def _attend_floats(size: int, together: bool, attended: tuple[Any, ...]) -> None:
    """See `heads.attention`: one head, or as many `together` as MOST_VECTORS hold."""
    if size == 64:
        _heads_4(attended) if together else _head_4(attended)
    elif size == 32:
        _heads_2(attended) if together else _head_2(attended)
    else:
        _heads_1(attended) if together else _head_1(attended)


@compiled()
def _attend_halves(size: int, together: bool, attended: tuple[Any, ...]) -> None:
    """As `_attend_floats`, keys and values having 16 bits."""
    if size == 64:
        _halved_heads_4(attended) if together else _halved_head_4(attended)
    elif size == 32:
        _halved_heads_2(attended) if together else _halved_head_2(attended)
    else:
        _halved_heads_1(attended) if together else _halved_head_1(attended)


@compiled()
def _products(size: int, shared: bool, sizes: tuple[Any, ...]) -> None:
    """See `heads.products`, for heads of `size`: the same one of GROUP rows, `shared`, or one of a row."""
    if size == 64:
        _shared_products_4(sizes) if shared else _products_4(sizes)
    elif size == 32:
        _shared_products_2(sizes) if shared else _products_2(sizes)
    else:
        _shared_products_1(sizes) if shared else _products_1(sizes)


@compiled()
def _halved_products(size: int, shared: bool, sizes: tuple[Any, ...]) -> None:
    """As `_products`, keys or values having 16 bits."""
    if size == 64:
        _halved_shared_products_4(sizes) if shared else _halved_products_4(sizes)
    elif size == 32:
        _halved_shared_products_2(sizes) if shared else _halved_products_2(sizes)
    else:
        _halved_shared_products_1(sizes) if shared else _halved_products_1(sizes)


@compiled()
def _sums(size: int, shared: bool, sizes: tuple[Any, ...]) -> None:
    """See `heads.sums`, for heads of `size`: the same one of GROUP rows, `shared`, or one of a row."""
    if size == 64:
        _shared_sums_4(sizes) if shared else _sums_4(sizes)
    elif size == 32:
        _shared_sums_2(sizes) if shared else _sums_2(sizes)
    else:
        _shared_sums_1(sizes) if shared else _sums_1(sizes)


@compiled()
def _halved_sums(size: int, shared: bool, sizes: tuple[Any, ...]) -> None:
    """As `_sums`, keys or values having 16 bits."""
    if size == 64:
        _halved_shared_sums_4(sizes) if shared else _halved_sums_4(sizes)
    elif size == 32:
        _halved_shared_sums_2(sizes) if shared else _halved_sums_2(sizes)
    else:
        _halved_shared_sums_1(sizes) if shared else _halved_sums_1(sizes)


@compiled()
def _look(
    size: int, shared: bool, are_halved: bool, query: int, query_distance: int, keys: int, offsets: np.ndarray,
    first: int, count: int, weights: np.ndarray,
) -> None:  # fmt: skip
    """Products with entries `first` to `count` - 1, at least one, to their places in `weights` [heads, entries]."""
    sizes = (
        query, query_distance, keys, offsets[first:].ctypes.data, count - first,
        weights.ctypes.data + 4 * first, 4 * weights.shape[1],
    )  # fmt: skip
    if are_halved:
        _halved_products(size, shared, sizes)
    else:
        _products(size, shared, sizes)


@compiled()
def _gather(
    size: int, shared: bool, are_halved: bool, weights: np.ndarray, values: int, offsets: np.ndarray, first: int,
    count: int, target: int, target_distance: int,
) -> None:  # fmt: skip
    """Add the values of entries `first` to `count` - 1, at least one, by their weights."""
    sizes = (
        weights.ctypes.data + 4 * first, 4 * weights.shape[1], values, offsets[first:].ctypes.data, count - first,
        target, target_distance,
    )  # fmt: skip
    if are_halved:
        _halved_sums(size, shared, sizes)
    else:
        _sums(size, shared, sizes)


@compiled()
def soften(num_heads: int, weights: np.ndarray, count: int, scale: np.float32) -> None:
    """softmax(scale * products) in the first rows of `weights`, 1 or GROUP."""
    sizes = weights.ctypes.data, 4 * weights.shape[1], count, np.int64(np.float32(scale).view(np.int32))
    if num_heads == GROUP:
        _shares_4(sizes)
    else:
        _shares_1(sizes)


@compiled()
def heads_at_once(size: int, num_heads: int, first: int) -> int:
    """How many heads from number `first` on `attend` takes: 1 or MOST_FLOATS / D."""
    return MOST_FLOATS // size if (num_heads - first) * size >= MOST_FLOATS else 1


@compiled()
def attend(
    size: int, num_heads: int, are_halved: bool, query: int, keys: int, values: int, offsets: np.ndarray, count: int,
    scale: np.float32, weights: np.ndarray, target: int,
) -> None:  # fmt: skip
    """Some heads of one row, as many as `heads_at_once` says: `weights` [heads, entries] = softmax(query . keys *
    scale), then their sums of the values to `target`.

    Addresses of what has D = `size` numbers for each head; key and value t lie `offsets[t]` bytes behind.
    """
    attended = (
        query, keys, values, offsets.ctypes.data, count, weights.ctypes.data, 4 * weights.shape[1],
        np.int64(np.float32(scale).view(np.int32)), target,
    )  # fmt: skip
    if are_halved:
        _attend_halves(size, num_heads > 1, attended)
    else:
        _attend_floats(size, num_heads > 1, attended)


@compiled()
def attend_shared(
    size: int, are_halved: bool, query: int, query_distance: int, keys: int, values: int, offsets: np.ndarray,
    num_alike: int, count: int, scale: np.float32, weights: np.ndarray, target: int, target_distance: int,
) -> None:  # fmt: skip
    """One head of GROUP rows, which have the first `num_alike` entries in common; as `attend` otherwise.

    `offsets` [GROUP, entries], `weights` [GROUP, entries]; queries and targets lie so many bytes apart.
    """
    for j in range(GROUP):
        clear_floats(target + j * target_distance, size)
    _look(size, True, are_halved, query, query_distance, keys, offsets[0], 0, num_alike, weights)
    if num_alike < count:
        for j in range(GROUP):
            own = query + j * query_distance
            _look(size, False, are_halved, own, 0, keys, offsets[j], num_alike, count, weights[j:])
    soften(GROUP, weights, count, scale)
    _gather(size, True, are_halved, weights, values, offsets[0], 0, num_alike, target, target_distance)
    if num_alike < count:
        for j in range(GROUP):
            own = target + j * target_distance
            _gather(size, False, are_halved, weights[j:], values, offsets[j], num_alike, count, own, 0)


@compiled()
def rows_together(rows: np.ndarray, first: int, rows_per_segment: int) -> int:
    """How many of `rows` from number `first` on may be looked at together: GROUP of one segment, or 1."""
    last = first + GROUP - 1
    are = last < len(rows) and rows[last] // rows_per_segment == rows[first] // rows_per_segment
    return GROUP if are else 1


@compiled()
def num_shared(offsets: np.ndarray, num_rows: int, count: int) -> int:
    """Of how many entries from the first on GROUP rows [GROUP, entries] are to share the reading; 0: each for itself.

    Sharing what is little, or when each has much of its own besides, would take longer.
    """
    if num_rows < GROUP:
        return 0
    shared = 0
    while shared < count:
        for j in range(1, GROUP):
            if offsets[j, shared] != offsets[0, shared]:
                return shared if shared >= max(LEAST_SHARED, 2 * (count - shared)) else 0
        shared += 1
    return shared if shared >= LEAST_SHARED else 0
