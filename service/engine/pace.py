"""How fast an engine works through its queue, as it has seen itself: what a new request would wait is predicted."""

from __future__ import annotations

import math

MEMORY_S = 2.0
"""Seconds of work after which what was seen before counts for 1/e."""
LONGEST_S = 0.5
"""A tick that takes longer says nothing of the next ones: it compiled, or the machine was busy elsewhere."""
LEAST_SEEN_S = 0.25
"""Seconds of work with a queue after which there is a prediction."""


class Pace:
    """Tokens per second, and target tokens for each source token, of an engine that has work waiting."""

    def __init__(self) -> None:
        self._tokens = self._seconds = 0.0
        self._targets = self._sources = 0.0

    def worked(self, num_tokens: int, seconds: float) -> None:
        """Rows have written `num_tokens` in so many `seconds`, while others waited."""
        if seconds > LONGEST_S:
            return
        kept = math.exp(-seconds / MEMORY_S)
        self._tokens = self._tokens * kept + num_tokens
        self._seconds = self._seconds * kept + seconds

    def finished(self, num_source_tokens: int, num_target_tokens: int) -> None:
        """A segment of so many tokens was translated."""
        self._sources = self._sources * 0.98 + num_source_tokens
        self._targets = self._targets * 0.98 + num_target_tokens

    @property
    def targets_per_source(self) -> float:
        """Target tokens for each source token; 1 until a segment has finished."""
        return self._targets / self._sources if self._sources else 1.0

    def seconds_for(self, source_tokens: float) -> float | None:
        """Predicted seconds for rows that read so many source tokens; None while there is nothing to tell it from."""
        if self._seconds < LEAST_SEEN_S or not self._tokens:
            return None
        return source_tokens * self.targets_per_source * self._seconds / self._tokens
