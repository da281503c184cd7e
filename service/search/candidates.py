"""The few best tokens of many rows, and the few best continuations of many beams."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BLOCK = 64
"""Entries that are searched through their largest first."""


def best_tokens(log_probs: np.ndarray, count: int) -> np.ndarray:
    """Ids of the `count` largest entries of each row of `log_probs` [R, V], in no order: [R, count].

    The `count` largest lie in the `count` blocks with the largest maxima, so only those are looked through.
    """
    num_rows, size = log_probs.shape
    count = min(count, size)
    num_blocks = size // BLOCK
    if num_blocks <= count:
        return np.argpartition(log_probs, size - count, axis=1)[:, size - count :]
    whole = num_blocks * BLOCK
    blocks = log_probs[:, :whole].reshape(num_rows, num_blocks, BLOCK)
    chosen = np.argpartition(blocks.max(axis=2), num_blocks - count, axis=1)[:, num_blocks - count :]  # [R, count]
    ids = (chosen[:, :, None] * BLOCK + np.arange(BLOCK)).reshape(num_rows, -1)
    rest = np.broadcast_to(np.arange(whole, size), (num_rows, size - whole))
    ids = np.concatenate([ids, rest], axis=1)
    values = np.take_along_axis(log_probs, ids, axis=1)
    best = np.argpartition(values, values.shape[1] - count, axis=1)[:, values.shape[1] - count :]
    return np.take_along_axis(ids, best, axis=1)


class Continuations(NamedTuple):
    """The best continuations of G beams, best first; each array is [G, C]."""

    parents: np.ndarray
    """Rank of the hypothesis that is continued."""
    tokens: np.ndarray
    log_probs: np.ndarray
    """Of the token alone."""


def best_continuations(totals: np.ndarray, tokens: np.ndarray, log_probs: np.ndarray, count: int) -> Continuations:
    """The `count` best of G beams of k rows: `totals` [G, k], candidate `tokens` and `log_probs` [G, k, C].

    Ties go to the better parent, then to the lower token id.
    """
    num_beams, num_rows, num_candidates = tokens.shape
    flat_tokens = tokens.reshape(num_beams, -1)
    flat_log_probs = log_probs.reshape(num_beams, -1)
    scores = (totals[:, :, None] + log_probs).reshape(num_beams, -1)
    parents = np.broadcast_to(np.repeat(np.arange(num_rows), num_candidates), scores.shape)
    order = np.lexsort((flat_tokens, parents, -scores), axis=-1)[:, :count]
    return Continuations(*(np.take_along_axis(a, order, axis=1) for a in (parents, flat_tokens, flat_log_probs)))
