"""The few best continuations of many beams, without sorting the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

FAN_OUT = 8
"""Members of a group."""
SMALL = 128
"""So few entries are searched through as they are."""


class Continuations(NamedTuple):
    """The best continuations of B beams, best first; each array is [B, C]."""

    parents: np.ndarray
    """Row of the hypothesis that is continued, within its segment."""
    tokens: np.ndarray
    scores: np.ndarray
    """Of the whole hypothesis."""


def maxima(logits: np.ndarray) -> list[np.ndarray]:
    """`logits` [R, V] and, on top of each other, the largest entries of groups of 8, [R, V // 8] and so on.

    With n groups, group j has the members j, j + n, j + 2 n and so on, so that finding the maxima reads memory in
    order; what is left over at the end makes the first groups one larger.
    """
    levels = [logits]
    while (size := levels[-1].shape[1]) > SMALL:
        num_groups, below = size // FAN_OUT, levels[-1]
        whole = num_groups * FAN_OUT
        level = below[:, :whole].reshape(-1, FAN_OUT, num_groups).max(axis=1)
        if whole < size:
            np.maximum(level[:, : size - whole], below[:, whole:], out=level[:, : size - whole])
        levels.append(level)
    return levels


def best_continuations(levels: Sequence[np.ndarray], offsets: np.ndarray, count: int) -> Continuations:
    """The `count` best of `offsets[b, k] + logits[b K + k, token]` for each beam b.

    `levels` are the `maxima` of logits [B * K, V]; `offsets` [B, K], float64, -inf for rows that take no part. Ties go
    to the earlier row, then to the lower token id. When there are fewer than `count`, the rest has score -inf, or is
    missing where all rows together have not so many.

    The `count` best lie in the `count` groups with the largest maxima.
    """
    num_beams, width = offsets.shape
    beams = np.arange(num_beams)[:, None]
    top = levels[-1]
    scores = (top.reshape(num_beams, width, -1) + offsets[:, :, None]).reshape(num_beams, -1)
    chosen = _largest(scores, count)
    rows, entries = np.divmod(chosen, top.shape[1])
    for above, level in zip(levels[:0:-1], levels[-2::-1], strict=True):
        rows, entries, scores = _members(level, above.shape[1], rows, entries, offsets)
        chosen = _largest(scores, count)
        rows, entries = rows[beams, chosen], entries[beams, chosen]
    scores = scores[beams, chosen]
    order = np.lexsort((entries, rows, -scores), axis=-1)
    return Continuations(rows[beams, order], entries[beams, order], scores[beams, order])


def _members(
    level: np.ndarray, num_groups: int, rows: np.ndarray, groups: np.ndarray, offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, entries of `level` and scores of all members of `groups` [B, C]: each [B, C * 8], or [B, C * 9]."""
    num_beams, width = offsets.shape
    size = level.shape[1]
    is_even = size == num_groups * FAN_OUT
    entries = groups[:, :, None] + np.arange(FAN_OUT if is_even else FAN_OUT + 1) * num_groups
    every_row = np.broadcast_to(rows[:, :, None], entries.shape)
    first = (np.arange(num_beams) * width)[:, None, None]
    there = entries if is_even else np.minimum(entries, size - 1)
    scores = offsets.reshape(-1)[every_row + first] + level[every_row + first, there]
    if not is_even:
        scores[entries >= size] = -np.inf
    return every_row.reshape(num_beams, -1), entries.reshape(num_beams, -1), scores.reshape(num_beams, -1)


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Where the `count` largest of each row of `values` are, in no order."""
    size = values.shape[1]
    if size <= count:
        return np.broadcast_to(np.arange(size), values.shape)
    return np.argpartition(values, size - count, axis=1)[:, size - count :]
