"""The steps of a lane: one by one, or, where the runtime declares it, steps and choices in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.machine import run
from service.runtime.kv_cache import relink
from service.runtime.seam import FusedRows, Rows, Turns
from service.search.kernel import advance
from service.search.search import Search


def advance_rows(rows: Rows[Any], search: Search, turns: Turns) -> tuple[int, list[int]]:
    """Step all `rows` and advance their `search`, as `turns` allows: steps made, slots whose search is over."""
    if rows.fused is not None and not search.needs_single_steps:
        return _advance_fused(rows.fused, search, turns)
    parents, over = search.advance(*rows.step(search.tokens))
    if parents is not None:
        rows.reorder(parents)
    return 1, over


def _advance_fused(rows: FusedRows, search: Search, turns: Turns) -> tuple[int, list[int]]:
    """Repeat step, search and beam reordering, at least once, with no interpreter and no lock of it in between.

    The last step is the first that ends a search, or the last that `turns` or the rows' memory allow.
    """
    steps = rows.fused_steps(turns.most, search.wants_attention)
    num_steps, num_over = steps_and_choices(*steps, *search.searches, turns.halt)
    rows.passed(num_steps)
    return num_steps, search.follow(steps.attention[:num_steps], num_over)


@compiled()
def _live_rows(search_rows: np.ndarray, rows: np.ndarray, places: np.ndarray, token_ids: np.ndarray) -> int:
    """Which rows of R hold a hypothesis, into `rows`, and how many do; the others need no step.

    `token_ids` [R] get what these are fed, `places` [R] their place in `rows`.
    """
    count = r = 0
    for segment in search_rows:
        for row in segment:
            if row.total > -np.inf:
                rows[count], places[r], token_ids[r] = r, count, row.token
                count += 1
            r += 1
    return count


@compiled()
def steps_and_choices(
    program: np.ndarray,
    batch: np.ndarray,
    rows: np.ndarray,
    places: np.ndarray,
    token_ids: np.ndarray,
    positions: np.ndarray,
    cache_indirection: np.ndarray,
    map_bytes: int,
    logits: np.ndarray,
    attention: np.ndarray,
    most: int,
    slots: np.ndarray,
    search_rows: np.ndarray,
    search_steps: np.ndarray,
    finished: np.ndarray,
    parents: np.ndarray,
    found: np.ndarray,
    end_id: int,
    filters: np.ndarray,
    view: np.ndarray,
    halt: np.ndarray,
) -> tuple[int, int]:
    """How many steps were made, and how many searches the last one ended.

    `program` to `most` are `FusedSteps`, `slots` to `view` are `Searches`, and `halt` is that of `Turns`.
    """
    for step in range(most):
        batch[0].num_rows = _live_rows(search_rows, rows, places, token_ids)
        batch[0].map_offset = step * map_bytes
        run(program, batch)
        num_over, num_moved = advance(
            logits, places, slots, search_rows, search_steps, finished, parents, found, end_id, filters, view
        )
        for r in range(search_rows.size):
            positions[r] += 1
        if num_moved:
            relink(parents, positions, cache_indirection)
        if num_over or halt[0]:
            return step + 1, num_over
    return most, 0
