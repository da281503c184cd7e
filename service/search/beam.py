"""Beam search (Graves 2012, arXiv:1211.3711, with the stopping rule of Klein et al. 2017, arXiv:1701.02810).

Of the 2K best continuations, those among the first K that end are finished, and the K best that do not end go on; the
search is over once K hypotheses have finished or the limit of tokens is reached.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.messages import FinishReason, Hypothesis, SearchOptions
from service.search.history import Link, extend, hypothesis
from service.search.score import length_normalised


class BeamSearch:
    """K hypotheses of one segment. It starts with one that is fed the begin token."""

    def __init__(self, options: SearchOptions, end_id: int, max_tokens: int) -> None:
        """`max_tokens` is the limit of target tokens, end token included."""
        self._options, self._end_id, self._max_tokens = options, end_id, max_tokens
        self._alive: list[Link] = []
        self._finished: list[tuple[float, int, Link, FinishReason]] = []

    @property
    def totals(self) -> list[float]:
        """Sum of log-probabilities of each hypothesis alive, in the order of its rows."""
        return [link.total for link in self._alive] if self._alive else [0.0]

    @property
    def tokens(self) -> list[int]:
        """The token that each hypothesis alive is fed next."""
        return [link.token_id for link in self._alive]

    def advance(
        self,
        parents: Sequence[int],
        tokens: Sequence[int],
        log_probs: Sequence[float],
        attention: Sequence[np.ndarray] | None,
    ) -> list[int]:
        """Go on with the 2K best continuations, best first; `attention` [A, S] of each present hypothesis, or None.

        Returns, for each hypothesis that goes on, the rank of the one it continues; none when the search is over.
        """
        width = self._options.beam_size
        ranks: list[int] = []
        survivors: list[Link] = []
        for order, (parent, token, log_prob) in enumerate(zip(parents, tokens, log_probs, strict=True)):
            ends = token == self._end_id
            if ends and order >= width:
                continue
            before = self._alive[parent] if self._alive else None
            link = extend(before, token, log_prob, None if attention is None else attention[parent])
            if ends:
                self._finish(link, FinishReason.EOS)
                continue
            ranks.append(parent)
            survivors.append(link)
            if len(survivors) == width:
                break
        self._alive = survivors
        if len(self._finished) >= width:
            return []
        if survivors and survivors[0].length >= self._max_tokens:
            for cut in survivors:
                self._finish(cut, FinishReason.LENGTH)
            return []
        return ranks

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The result, best first by the length-normalised score; only after the search is over."""
        best = sorted(self._finished, key=lambda entry: (-entry[0], entry[1]))[: self._options.num_hypotheses]
        return tuple(hypothesis(link, reason) for _, _, link, reason in best)

    def _finish(self, link: Link, reason: FinishReason) -> None:
        score = length_normalised(link.total, link.length, self._options.length_penalty)
        self._finished.append((score, len(self._finished), link, reason))
