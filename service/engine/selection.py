"""Let every running job choose its next tokens: greedy rows all at once, beams of like size all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from service.engine.job import Job
from service.engine.placement import Change
from service.search.beam import BeamSearch
from service.search.candidates import best_continuations, best_tokens
from service.search.greedy import GreedySearch


def choose_next(jobs: Iterable[Job], log_probs: np.ndarray, attention: np.ndarray) -> tuple[list[Change], np.ndarray]:
    """Advance every job's search by the step's `log_probs` [R, V] and `attention` [R, A, S].

    Returns the jobs whose rows change (all beams, and greedy jobs that are over), and the most likely token of each
    row [R], which greedy rows go on with.
    """
    best = log_probs.argmax(axis=1)
    tokens = best.tolist()
    scores = log_probs[np.arange(len(best)), best].tolist()
    changes: list[Change] = []
    beams: dict[tuple[int, int], list[Job]] = {}
    for job in jobs:
        search = job.search
        if isinstance(search, GreedySearch):
            row = job.rows[0]
            if not search.advance(tokens[row], scores[row], _kept(job, row, attention)):
                changes.append((job, ()))
        else:
            beams.setdefault((job.reserved_rows, len(job.rows)), []).append(job)
    for (beam_size, _), alike in beams.items():
        changes += _advance_beams(alike, 2 * beam_size, log_probs, attention)
    return changes, best


def _advance_beams(jobs: Sequence[Job], count: int, log_probs: np.ndarray, attention: np.ndarray) -> list[Change]:
    """Advance beams that all have the same number of rows alive."""
    rows = np.array([job.rows for job in jobs])  # [G, k]
    chosen = log_probs[rows.ravel()]
    ids = best_tokens(chosen, count)
    shape = (*rows.shape, ids.shape[1])
    values = np.take_along_axis(chosen, ids, axis=1).reshape(shape)
    searches = [job.search for job in jobs]
    totals = np.array([search.totals for search in searches if isinstance(search, BeamSearch)])
    continuations = best_continuations(totals, ids.reshape(shape), values, count)
    listed = zip(jobs, searches, *(array.tolist() for array in continuations), strict=True)
    changes: list[Change] = []
    for job, search, parents, tokens, scores in listed:
        assert isinstance(search, BeamSearch)
        wanted = job.segment.want_attention
        kept = [_kept_row(job, row, attention) for row in job.rows] if wanted else None
        changes.append((job, search.advance(parents, tokens, scores, kept)))
    return changes


def _kept(job: Job, row: int, attention: np.ndarray) -> np.ndarray | None:
    return _kept_row(job, row, attention) if job.segment.want_attention else None


def _kept_row(job: Job, row: int, attention: np.ndarray) -> np.ndarray:
    """A copy of one row's weights over its own source [A, S]: the step's arrays are used again."""
    copied: np.ndarray = attention[row, :, : job.num_source_tokens].copy()
    return copied
