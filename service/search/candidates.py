"""The few best continuations of many beams, without sorting the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

FAN_OUT = 8
"""Members of a group."""
SMALL = 128
"""So few entries of a row are searched through as they are."""
SMALL_IN_ALL = 20_000
"""So few entries of all rows are: another level would cost more calls than it saves reading."""


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
    while (size := levels[-1].shape[1]) > SMALL and levels[-1].size > SMALL_IN_ALL:
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
    top, offset = levels[-1], offsets.reshape(-1)
    scores = (top + offset[:, None]).reshape(num_beams, -1)
    chosen = _largest(scores, count)
    rows, entries = np.divmod(chosen, top.shape[1])
    rows += beams * width
    for above, level in zip(levels[:0:-1], levels[-2::-1], strict=True):
        members = _members(entries, above.shape[1], level.shape[1])  # [B, C, M]
        valid = np.minimum(members, level.shape[1] - 1)
        scores = level.reshape(-1)[(rows * level.shape[1])[:, :, None] + valid] + offset[rows][:, :, None]
        if level.shape[1] % FAN_OUT:
            scores[members != valid] = -np.inf
        scores = scores.reshape(num_beams, -1)
        chosen = _largest(scores, count)
        rows = rows[beams, chosen // members.shape[2]]
        entries = members.reshape(num_beams, -1)[beams, chosen]
    scores = scores[beams, chosen]
    order = np.lexsort((entries, rows, -scores), axis=-1)
    return Continuations((rows - beams * width)[beams, order], entries[beams, order], scores[beams, order])


def _members(groups: np.ndarray, num_groups: int, size: int) -> np.ndarray:
    """Entries of a level of `size` that are in `groups` [B, C] of the one above, [B, C, M]; some may pass its end."""
    num_members = FAN_OUT if size % FAN_OUT == 0 else FAN_OUT + 1
    return groups[:, :, None] + np.arange(num_members) * num_groups


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Where the `count` largest of each row of `values` are, in no order."""
    size = values.shape[1]
    if size <= count:
        return np.broadcast_to(np.arange(size), values.shape)
    return np.argpartition(values, size - count, axis=1)[:, size - count :]
