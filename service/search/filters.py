"""Logit filters: what changes a row's logits before the search chooses, one small compiled function each.

A filter is a function of two numbers, the address of a `VIEW` and the number of a segment; it writes into the logits of
that segment's live rows, those whose total is not -inf: a dead row's place may be that of another segment's logits. The
compiled search calls those that a segment asks for, in the order of `FILTERS`. A new one is a function here and its
line in `FILTERS`; a number that it needs is a line in `records.FILTER_NUMBERS`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np

from service.compiled import code_address, compiled
from service.kernels.addresses import int64s_at, pointer, record_at
from service.messages import SearchOptions
from service.search.records import ROW, SLOT, STEP

VIEW = np.dtype(
    [
        (name, np.int64)
        for name in ("logits", "num_logits", "vocabulary_size", "places", "slots", "rows", "steps", "num_slots")
    ]
    + [("max_steps", np.int64), ("beam_size", np.int64), ("end_id", np.int64)],
    align=True,
)
"""Addresses and sizes of what `kernel.advance` takes, and the end token."""


@compiled()
def _segment(view_at: int, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Segment b: `SLOT` [1], its live rows [any], `STEP` [T, K], the places of its rows' logits [K], and all logits
    [any, V]."""
    view = record_at(view_at, VIEW)
    k, t = view.beam_size, view.max_steps
    slot = numba.carray(pointer(view.slots), (view.num_slots,), SLOT)[b : b + 1]
    rows = numba.carray(pointer(view.rows), (view.num_slots, k), ROW)[b]
    steps = numba.carray(pointer(view.steps), (view.num_slots, t, k), STEP)[b]
    logits = numba.carray(pointer(view.logits), (view.num_logits, view.vocabulary_size), np.float32)
    live, count = np.empty(k, np.int64), 0
    for row in range(k):
        if rows[row].total != -np.inf:
            live[count] = row
            count += 1
    return slot, live[:count], steps, int64s_at(view.places + 8 * k * b, k), logits


def no_repeat_ngram(view_at: int, b: int) -> None:
    """-inf for each token that would complete an n-gram which its row has already, n = slot.no_repeat.

    The probabilities of the other tokens are those of the distribution without these.
    """
    slots, live, steps, places, logits = _segment(view_at, b)
    slot = slots[0]
    size, length, beam_size = slot.no_repeat, slot.length, len(places)
    if length < size:
        return
    history = np.empty(length, dtype=np.int64)
    for k in live:
        place = k
        for step in range(length - 1, -1, -1):
            history[step] = steps[step, place].token
            place = steps[step, place].parent % beam_size
        for start in range(length - size + 1):
            is_same = True
            for offset in range(size - 1):
                if history[start + offset] != history[length - size + 1 + offset]:
                    is_same = False
                    break
            if is_same:
                logits[places[k], history[start + size - 1]] = -np.inf


def min_length(view_at: int, b: int) -> None:
    """-inf for the end token while a hypothesis that ended with it would have less than slot.min_length tokens."""
    slots, live, _, places, logits = _segment(view_at, b)
    if slots[0].length + 1 < slots[0].min_length:
        end_id = record_at(view_at, VIEW).end_id
        for k in live:
            logits[places[k], end_id] = -np.inf


def forbidden(view_at: int, b: int) -> None:
    """-inf for each token that no hypothesis may have.

    The probabilities of the other tokens are those of the distribution without these.
    """
    slots, live, _, places, logits = _segment(view_at, b)
    slot = slots[0]
    tokens = int64s_at(slot.listed + 8 * slot.num_prefix, slot.num_forbidden)
    for k in live:
        for token in tokens:
            logits[places[k], token] = -np.inf


def forced_prefix(view_at: int, b: int) -> None:
    """-inf for all tokens but the next one of the prefix that the translation must begin with.

    So a forced token has a log-probability of 0. It comes last of all filters: a prefix may repeat itself.
    """
    slots, live, _, places, logits = _segment(view_at, b)
    slot = slots[0]
    if slot.length >= slot.num_prefix:
        return
    token = int64s_at(slot.listed, slot.num_prefix)[slot.length]
    for k in live:
        row = logits[places[k]]
        row[:] = -np.inf
        row[token] = np.float32(0.0)


@dataclass(frozen=True, slots=True)
class LogitFilter:
    """One filter, and which searches ask for it."""

    function: Callable[[int, int], None]
    is_wanted: Callable[[SearchOptions], bool]


FILTERS = (
    LogitFilter(no_repeat_ngram, lambda options: options.no_repeat_ngram > 0),
    LogitFilter(min_length, lambda options: options.min_output_tokens > 1),
    LogitFilter(forbidden, lambda options: bool(options.forbidden)),
    LogitFilter(forced_prefix, lambda options: bool(options.target_prefix)),
)


def wanted_filters(options: SearchOptions) -> int:
    """A bit for each of FILTERS, the first one the lowest: those that a search asks for."""
    return sum(filter_.is_wanted(options) << i for i, filter_ in enumerate(FILTERS))


@functools.cache
def filter_addresses() -> np.ndarray:
    """Where the machine code of each of FILTERS lies, int64."""
    return np.array([code_address(filter_.function, 2) for filter_ in FILTERS], np.int64)
