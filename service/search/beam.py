"""Beam search (Graves 2012, arXiv:1211.3711, with the stopping rule of Klein et al. 2017, arXiv:1701.02810).

Of the 2K best continuations, those among the first K that end are finished, and the K best that do not end go on; the
search is over once K hypotheses have finished or the limit of tokens is reached.
"""

from __future__ import annotations

import numpy as np

from service.messages import FinishReason, Hypothesis, SearchOptions
from service.search.history import Link, extend, hypothesis
from service.search.score import length_normalised
from service.search.seam import Survivors


def best_tokens(log_probs: np.ndarray, count: int) -> np.ndarray:
    """Ids of the `count` largest entries of each row of `log_probs` [k, V], in no order: [k, count]."""
    if count >= log_probs.shape[1]:
        return np.broadcast_to(np.arange(log_probs.shape[1]), log_probs.shape)
    return np.argpartition(log_probs, -count, axis=1)[:, -count:]


class BeamSearch:
    """K rows of one segment."""

    def __init__(self, options: SearchOptions, end_id: int, max_tokens: int) -> None:
        """`max_tokens` is the limit of target tokens, end token included."""
        self._options, self._end_id, self._max_tokens = options, end_id, max_tokens
        self._alive: list[Link | None] = [None]
        self._finished: list[tuple[float, int, Link, FinishReason]] = []

    def advance(self, log_probs: np.ndarray, attention: np.ndarray | None) -> Survivors:
        """See `Search.advance`."""
        width = self._options.beam_size
        parents: list[int] = []
        tokens: list[int] = []
        survivors: list[Link | None] = []
        for rank, (parent, token) in enumerate(self._continuations(log_probs)):
            ends = token == self._end_id
            if ends and rank >= width:
                continue
            kept = None if attention is None else attention[parent].copy()
            link = extend(self._alive[parent], token, float(log_probs[parent, token]), kept)
            if ends:
                self._finish(link, FinishReason.EOS)
                continue
            parents.append(parent)
            tokens.append(token)
            survivors.append(link)
            if len(survivors) == width:
                break
        self._alive = survivors
        if len(self._finished) >= width:
            return Survivors((), ())
        if self._length() >= self._max_tokens:
            for cut in survivors:
                assert cut is not None
                self._finish(cut, FinishReason.LENGTH)
            return Survivors((), ())
        return Survivors(parents, tokens)

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """See `Search.hypotheses`."""
        best = sorted(self._finished, key=lambda entry: (-entry[0], entry[1]))[: self._options.num_hypotheses]
        return tuple(hypothesis(link, reason) for _, _, link, reason in best)

    def _length(self) -> int:
        return self._alive[0].length if self._alive and self._alive[0] is not None else 0

    def _continuations(self, log_probs: np.ndarray) -> list[tuple[int, int]]:
        """The 2K best (row, token), best first; ties go to the upper row, then to the lower token id."""
        count = 2 * self._options.beam_size
        totals = np.array([0.0 if link is None else link.total for link in self._alive])
        tokens = best_tokens(log_probs, count)
        scores = totals[:, None] + np.take_along_axis(log_probs, tokens, axis=1)
        rows = np.broadcast_to(np.arange(len(totals))[:, None], tokens.shape)
        order = np.lexsort((tokens.ravel(), rows.ravel(), -scores.ravel()))[:count]
        return list(zip(rows.ravel()[order].tolist(), tokens.ravel()[order].tolist(), strict=True))

    def _finish(self, link: Link, reason: FinishReason) -> None:
        score = length_normalised(link.total, link.length, self._options.length_penalty)
        self._finished.append((score, len(self._finished), link, reason))
