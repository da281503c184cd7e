"""One segment on its way through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from service.errors import AttendantError
from service.messages import Segment, SegmentResult, Timings
from service.search.task import Task

Outcome = SegmentResult | AttendantError
"""The outcome of a job."""


@dataclass(slots=True, eq=False)
class Job:
    """A submitted segment; the engine owns it until it calls `deliver`, once."""

    segment: Segment
    deliver: Callable[[Outcome], None]
    submitted: float
    """Engine clock at submission."""
    task: Task
    cancelled: bool = False
    started: float = 0.0
    """Engine clock when its encoding began."""
    encode_s: float = 0.0

    @property
    def num_rows(self) -> int:
        """K: rows that it takes."""
        return self.segment.options.beam_size

    @property
    def num_source_tokens(self) -> int:
        """Source tokens, end token included."""
        return self.task.num_source_tokens

    @property
    def max_tokens(self) -> int:
        """Target tokens, end token included, after which it is cut."""
        return self.task.max_tokens

    def is_over(self, now: float) -> bool:
        """Whether it is cancelled or its deadline has passed."""
        return self.cancelled or (self.segment.deadline is not None and now >= self.segment.deadline)

    def timings(self, now: float) -> Timings:
        """Where its time went, if it ends at `now`."""
        return Timings(
            queue_s=self.started - self.submitted,
            encode_s=self.encode_s,
            decode_s=max(0.0, now - self.started - self.encode_s),
        )
