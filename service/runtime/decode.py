"""Steps of kernels and choices of the search in one compiled call: no interpreter, and no lock of it, between them."""

from __future__ import annotations

import numpy as np

from service.compiled import compiled
from service.kernels.machine import run
from service.runtime.kv_cache import relink
from service.search.kernel import advance


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
def decode(
    program: np.ndarray,
    batch: np.ndarray,
    rows: np.ndarray,
    places: np.ndarray,
    token_ids: np.ndarray,
    positions: np.ndarray,
    cache_indirection: np.ndarray,
    map_bytes: int,
    logits: np.ndarray,
    slots: np.ndarray,
    search_rows: np.ndarray,
    search_steps: np.ndarray,
    finished: np.ndarray,
    parents: np.ndarray,
    found: np.ndarray,
    end_id: int,
    filters: np.ndarray,
    view: np.ndarray,
    most: int,
    halt: np.ndarray,
) -> tuple[int, int]:
    """See `Rows.decode`: how many steps were done, and how many searches the last one ended.

    `program` and `batch` are as for `machine.run`; the batch has the addresses of `rows`, `token_ids`, `positions` and
    `cache_indirection`. The attention of each step is written `map_bytes` behind that of the one before. `rows` and
    `places` [R] are used; `logits` [R, V] is where the program writes them, `slots` to `view` are `Searches`, `most`
    and `halt` are `Turns`.
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
