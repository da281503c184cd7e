"""Greedy search: the most likely token at each step."""

from __future__ import annotations

import numpy as np

from service.messages import FinishReason, Hypothesis
from service.search.history import Link, extend, hypothesis
from service.search.seam import Survivors

_OVER = Survivors((), ())


class GreedySearch:
    """One row from begin to end."""

    def __init__(self, end_id: int, max_tokens: int) -> None:
        """`max_tokens` is the limit of target tokens, end token included."""
        self._end_id, self._max_tokens = end_id, max_tokens
        self._last: Link | None = None
        self._reason = FinishReason.LENGTH

    def advance(self, log_probs: np.ndarray, attention: np.ndarray | None) -> Survivors:
        """See `Search.advance`."""
        token = int(log_probs[0].argmax())
        return self.accept(token, float(log_probs[0, token]), None if attention is None else attention[0].copy())

    def accept(self, token: int, log_prob: float, attention: np.ndarray | None) -> Survivors:
        """Go on with a token that the caller found to be the most likely; `attention` [A, S] is kept, not copied."""
        self._last = extend(self._last, token, log_prob, attention)
        if token == self._end_id:
            self._reason = FinishReason.EOS
            return _OVER
        return _OVER if self._last.length >= self._max_tokens else Survivors((0,), (token,))

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """See `Search.hypotheses`."""
        assert self._last is not None
        return (hypothesis(self._last, self._reason),)
