"""One step of beam search over all segments, compiled.

Beam search after Graves 2012 (arXiv:1211.3711), with the stopping rule of Klein et al. 2017 (arXiv:1701.02810): of the
2K best continuations, those among the first K that end are finished, and the K best that do not end go on, but for
those that can come to no better score than what would be returned already. A search is over once K hypotheses have
finished, the limit of tokens is reached or none goes on. With K = 1 that is greedy search.

What a row yields depends on that row alone, so a segment's result does not depend on its company.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import call
from service.kernels.logits import BLOCK, block_maxima, exponential_sum

Record = Any
"""One record of an array; the layouts are in `records`."""

_block_maxima, _exponential_sum = block_maxima(), exponential_sum()


@compiled()
def length_normalised(total: float, length: int, alpha: float) -> float:
    """Wu et al. 2016 (arXiv:1609.08144), equation 14, without coverage: total / ((5 + length) / 6) ** alpha.

    `total` is a sum of log-probabilities over `length` tokens, end token included.
    """
    return float(total / ((5.0 + length) / 6.0) ** alpha)


@compiled()
def log_sum_exp(row: np.ndarray, maxima: np.ndarray) -> float:
    """log sum exp of `row` [V], float32, whatever its size; `maxima` [ceil(V / BLOCK)] gets those of its blocks."""
    whole = len(row) // BLOCK
    found = np.zeros(2, dtype=np.float32)
    if whole:
        _block_maxima((row.ctypes.data, whole, maxima.ctypes.data))
    if whole < len(maxima):
        maxima[whole] = row[BLOCK * whole :].max()
    largest = maxima[0]
    for block in range(len(maxima)):
        largest = maxima[block] if maxima[block] > largest else largest
    found[0] = largest
    if whole:
        _exponential_sum((row.ctypes.data, whole, found.ctypes.data, found[1:].ctypes.data))
    total = found[1]
    for x in row[BLOCK * whole :]:
        total += np.exp(x - largest)
    return float(np.float64(largest) + np.log(np.float64(total)))


@compiled()
def _top_blocks(maxima: np.ndarray, count: int, chosen: np.ndarray) -> int:
    """The `count` blocks with the largest maxima, largest first, into `chosen`; how many there are.

    The `count` best entries of a row lie in them. Of equal blocks the first is taken.
    """
    num_chosen = 0
    for block in range(len(maxima)):
        if num_chosen == count and not maxima[block] > maxima[chosen[num_chosen - 1]]:
            continue
        if num_chosen < count:
            num_chosen += 1
        place = num_chosen - 1
        while place > 0 and maxima[block] > maxima[chosen[place - 1]]:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = block
    return num_chosen


@compiled()
def _comes_before(score: float, parent: int, token: int, found: Record) -> bool:
    """Whether a continuation is better than `found`; ties go to the earlier row, then to the lower token id."""
    if score != found.score:
        return bool(score > found.score)
    return bool(parent < found.parent or (parent == found.parent and token < found.token))


@compiled()
def best_continuations(
    logits: np.ndarray,
    places: np.ndarray,
    rows: np.ndarray,
    normalisers: np.ndarray,
    maxima: np.ndarray,
    found: np.ndarray,
) -> int:
    """The len(found) best continuations of one segment's `rows` [K], best first, and how many there are.

    Row k has number `places[k]` of the `logits` [any, V]; `normalisers` [K] are written, `maxima` [ceil(V / BLOCK)] is
    used.
    """
    count, num_found, size = len(found), 0, logits.shape[1]
    chosen = np.empty(count, dtype=np.int64)
    for parent in range(len(rows)):
        if rows[parent].total == -np.inf:
            continue
        row = logits[places[parent]]
        normalisers[parent] = log_sum_exp(row, maxima)
        offset = rows[parent].total - normalisers[parent]
        for block in chosen[: _top_blocks(maxima, count, chosen)]:
            if num_found == count and maxima[block] + offset < found[num_found - 1].score:
                break
            for token in range(BLOCK * block, min(BLOCK * block + BLOCK, size)):
                score = np.float64(row[token]) + offset
                if num_found == count:
                    if score < found[num_found - 1].score:
                        continue
                    if not _comes_before(score, parent, token, found[num_found - 1]):
                        continue
                elif not score > -np.inf:
                    continue
                else:
                    num_found += 1
                place = num_found - 1
                while place > 0 and _comes_before(score, parent, token, found[place - 1]):
                    found[place].score = found[place - 1].score
                    found[place].parent = found[place - 1].parent
                    found[place].token = found[place - 1].token
                    place -= 1
                found[place].score, found[place].parent, found[place].token = score, parent, token
    for best in found[:num_found]:
        best.log_prob = logits[places[best.parent], best.token] - normalisers[best.parent]
    return num_found


@compiled()
def _finish(slot: Record, finished: np.ndarray, best: Record, first: int, cut: bool, coverage: float) -> None:
    """Put a continuation among `finished` [3 K], best first, of equal ones the earlier first.

    `first` is the number of its segment's first row; `coverage` is what its coverage penalty adds.
    """
    score = length_normalised(best.score, slot.length + 1, slot.alpha) + coverage
    place = slot.num_finished
    while place > 0 and score > finished[place - 1].score:
        finished[place] = finished[place - 1]
        place -= 1
    here = finished[place]
    here.score, here.step, here.cut = score, slot.length, cut
    here.last.token, here.last.log_prob, here.last.parent = best.token, best.log_prob, first + best.parent
    slot.num_finished += 1
    if slot.num_finished >= slot.wanted:
        slot.to_beat = finished[slot.wanted - 1].score


@compiled()
def _is_beaten(total: float, slot: Record) -> bool:
    """Whether a hypothesis with this `total` so far can come to nothing better than what would be returned now.

    Its total can only fall, and is divided by no more than that of one which reaches the limit. A coverage penalty adds
    nothing at the best.
    """
    return bool(length_normalised(total, slot.limit, slot.alpha) <= slot.to_beat)


@compiled()
def _go_on(
    found: np.ndarray, alive: np.ndarray, first: int, rows: np.ndarray, step: np.ndarray, parents: np.ndarray
) -> int:
    """Let continuations number `alive` of `found` go on in the `rows` [K] of one segment; how many change their row.

    A hypothesis keeps its row, and one more copy of it goes into a row whose hypothesis was given up: rows are in no
    order, and no more of them move than must. `step` [K] and `parents` [K] are written; `first` is as for `_finish`.
    """
    is_kept = np.zeros(len(rows), dtype=np.bool_)
    for rank in alive:
        is_kept[found[rank].parent] = True
    for k in range(len(rows)):
        parents[k] = k
        if not is_kept[k]:
            rows[k].total = -np.inf
    free = num_moved = 0
    for rank in alive:
        best = found[rank]
        place = best.parent
        if is_kept[place]:
            is_kept[place] = False  # later copies go elsewhere
        else:
            while rows[free].total != -np.inf:
                free += 1
            place = free
            parents[place] = best.parent
            num_moved += 1
        rows[place].token, rows[place].total = best.token, best.score
        step[place].token, step[place].log_prob, step[place].parent = best.token, best.log_prob, first + best.parent
    return num_moved


@compiled()
def _filter(
    logits: np.ndarray, places: np.ndarray, slots: np.ndarray, rows: np.ndarray, steps: np.ndarray, filters: np.ndarray,
    view: np.ndarray, end_id: int,
) -> None:  # fmt: skip
    """Let each segment's logit filters change the logits of its rows."""
    seen = view[0]
    seen.logits, seen.places, seen.slots = logits.ctypes.data, places.ctypes.data, slots.ctypes.data
    seen.rows, seen.steps = rows.ctypes.data, steps.ctypes.data
    seen.num_logits, seen.vocabulary_size = logits.shape
    seen.num_slots, seen.max_steps, seen.beam_size = steps.shape
    seen.end_id = end_id
    for b in range(len(slots)):
        for i in range(len(filters)):
            if slots[b].filters >> i & 1:
                call(filters[i], view.ctypes.data, b)


@compiled()
def advance(
    logits: np.ndarray,
    places: np.ndarray,
    slots: np.ndarray,
    rows: np.ndarray,
    steps: np.ndarray,
    finished: np.ndarray,
    parents: np.ndarray,
    found: np.ndarray,
    end_id: int,
    filters: np.ndarray,
    view: np.ndarray,
) -> tuple[int, int]:
    """One step of B segments: how many are over then, and how many rows now continue another row than their own.

    `logits` [any, V], of which row r has number `places[r]` [B K]; `slots` [B], `rows` [B, K], `steps` [B, T, K] and
    `finished` [B, 3 K] are the records of the module of that name and are brought up to date; `parents` [B, K] says
    which row of its segment each row continues. `found` [2 K] and `view` [1] are used; `filters` are the addresses of
    the logit filters.
    """
    num_slots, beam_size = rows.shape
    maxima = np.empty((logits.shape[1] + BLOCK - 1) // BLOCK, dtype=np.float32)
    normalisers = np.empty(beam_size, dtype=np.float64)
    alive = np.empty(beam_size, dtype=np.int64)
    num_over = num_moved = 0
    _filter(logits, places, slots, rows, steps, filters, view, end_id)
    for b in range(num_slots):
        slot, first = slots[b], b * beam_size
        num_found = best_continuations(logits, places[first : first + beam_size], rows[b], normalisers, maxima, found)
        num_alive = 0
        for rank in range(num_found):
            best = found[rank]
            if best.token != end_id:
                if num_alive < beam_size:
                    alive[num_alive] = rank
                    num_alive += 1
            elif rank < beam_size:
                _finish(slot, finished[b], best, first, False, rows[b, best.parent].coverage)
        enough = slot.num_finished >= beam_size
        at_limit = slot.length + 1 >= slot.limit
        if at_limit and not enough:
            for rank in alive[:num_alive]:
                _finish(slot, finished[b], found[rank], first, True, rows[b, found[rank].parent].coverage)
        while num_alive and _is_beaten(found[alive[num_alive - 1]].score, slot):
            num_alive -= 1  # the worst are the last
        slot.over = enough or at_limit or not num_alive
        num_over += slot.over
        num_moved += _go_on(found, alive[:num_alive], first, rows[b], steps[b, slot.length], parents[b])
        slot.length += 1
    return num_over, num_moved


@compiled(keeps_lock=True)
def trace(steps: np.ndarray, finished: Record) -> np.ndarray:
    """The tokens of a `finished` hypothesis, in order, out of its segment's `steps` [T, K]: a record for each."""
    beam_size = steps.shape[1]
    path = np.empty(finished.step + 1, dtype=steps.dtype)
    path[finished.step] = finished.last
    parent = finished.last.parent
    for step in range(finished.step - 1, -1, -1):
        path[step] = steps[step, parent % beam_size]
        parent = path[step].parent
    return path
