"""Which segments may join the batch now, and which are encoded ahead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from service.engine.job import Job
from service.engine.limits import EngineLimits


@dataclass(slots=True)
class Load:
    """The running segments, in the units of the limits."""

    rows: int = 0
    source_tokens: int = 0
    """Longest source."""
    target_tokens: int = 0
    """Longest target limit."""

    def with_job(self, job: Job) -> Load:
        """The load with one more segment."""
        return Load(
            self.rows + job.num_rows,
            max(self.source_tokens, job.num_source_tokens),
            max(self.target_tokens, job.max_tokens),
        )

    def is_within(self, limits: EngineLimits) -> bool:
        """Whether the engine may take on so much."""
        return (
            self.rows <= limits.max_batch_rows
            and self.rows * (self.source_tokens + self.target_tokens) <= limits.max_batch_tokens
        )


def load_of(jobs: Iterable[Job]) -> Load:
    """The load of running jobs."""
    running = list(jobs)
    return Load(
        sum(job.num_rows for job in running),
        max((job.num_source_tokens for job in running), default=0),
        max((job.max_tokens for job in running), default=0),
    )
