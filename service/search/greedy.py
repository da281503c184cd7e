"""Greedy search: the most likely token at each step."""

from __future__ import annotations

import numpy as np

from service.messages import FinishReason, Hypothesis
from service.search.history import Link, extend, hypothesis


class GreedySearch:
    """One hypothesis from begin to end."""

    def __init__(self, end_id: int, max_tokens: int) -> None:
        """`max_tokens` is the limit of target tokens, end token included."""
        self._end_id, self._max_tokens = end_id, max_tokens
        self._last: Link | None = None
        self._reason = FinishReason.LENGTH

    def advance(self, token: int, log_prob: float, attention: np.ndarray | None) -> bool:
        """Go on with the most likely token; `attention` [A, S] is kept with it. Returns whether the search goes on."""
        self._last = link = extend(self._last, token, log_prob, attention)
        if token == self._end_id:
            self._reason = FinishReason.EOS
            return False
        return link.length < self._max_tokens

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The one result; only after the search is over."""
        assert self._last is not None
        return (hypothesis(self._last, self._reason),)
