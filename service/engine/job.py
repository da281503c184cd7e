"""One segment on its way through the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from service.errors import AttendantError
from service.messages import Segment, SegmentResult, Timings
from service.search.beam import BeamSearch
from service.search.greedy import GreedySearch

Outcome = SegmentResult | AttendantError
"""What a job ends with."""


@dataclass(slots=True, eq=False)
class Job:
    """A submitted segment; the engine owns it until it calls `deliver`, once."""

    segment: Segment
    deliver: Callable[[Outcome], None]
    submitted: float
    """Engine clock at submission."""
    max_tokens: int
    """Target tokens, end token included, after which it is cut."""
    search: GreedySearch | BeamSearch
    cancelled: bool = False
    started: float = 0.0
    """Engine clock when it left the queue."""
    encode_s: float = 0.0
    rows: list[int] = field(default_factory=list)
    """The batch's rows that hold its hypotheses, best first; empty while it waits."""

    @property
    def reserved_rows(self) -> int:
        """Rows that it may come to have."""
        return self.segment.options.beam_size

    @property
    def num_source_tokens(self) -> int:
        """Source tokens, end token included."""
        return len(self.segment.source_ids) + 1

    def is_over(self, now: float) -> bool:
        """Whether nobody wants its result any more."""
        return self.cancelled or (self.segment.deadline is not None and now >= self.segment.deadline)

    def next_tokens(self) -> list[int]:
        """What its rows are fed next; only while a beam search goes on."""
        assert isinstance(self.search, BeamSearch)
        return self.search.tokens

    def timings(self, now: float) -> Timings:
        """Where its time went, if it ends at `now`."""
        return Timings(
            queue_s=self.started - self.submitted,
            encode_s=self.encode_s,
            decode_s=max(0.0, now - self.started - self.encode_s),
        )
