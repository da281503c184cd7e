"""One segment on its way through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from service.errors import AttendantError
from service.messages import Segment, SegmentResult, Timings
from service.runtime.seam import Runtime

Outcome = SegmentResult | AttendantError
"""The outcome of a job."""


@dataclass(slots=True, eq=False)
class Job:
    """A submitted segment; the engine owns it until it calls `deliver`, once."""

    segment: Segment
    deliver: Callable[[Outcome], None]
    submitted: float
    """Engine clock at submission."""
    max_tokens: int
    """Target tokens, end token included, after which it is cut."""
    cancelled: bool = False
    started: float = 0.0
    """Engine clock when its encoding began."""
    encode_s: float = 0.0
    encoded: Any = None
    """Encoder output of its mini-batch; None before."""
    pick: int = 0
    """Its number in the mini-batch."""

    num_rows: int = field(init=False)
    """K: rows that it takes."""
    num_source_tokens: int = field(init=False)
    """Source tokens, end token included."""

    def __post_init__(self) -> None:
        self.num_rows, self.num_source_tokens = self.segment.options.beam_size, self.segment.num_source_tokens

    @property
    def expected_tokens(self) -> int:
        """Its work: source tokens of all of its rows. What they write is about as long."""
        return self.num_source_tokens * self.num_rows

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


def job_of(segment: Segment, deliver: Callable[[Outcome], None], now: float, runtime: Runtime[Any]) -> Job:
    """A job for a segment that fits the model."""
    assert segment.source_ids, "a segment needs at least one token"
    assert len(segment.source_ids) < runtime.max_source_tokens, "a segment must fit the model"
    return Job(segment, deliver, now, segment.output_limit(runtime.max_target_tokens))
