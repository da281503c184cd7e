"""Which segments may come in, and which may join the batch now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from service.engine.job import Job
from service.engine.limits import EngineLimits
from service.errors import DeadlineExceededError, NotReadyError, OverloadedError

MAX_RETRY_AFTER_S = 30.0
"""Latest moment that a refused request is told to come back at: those before it may never come."""
SPACING = 0.75
"""Share of its own time that a refused request keeps the next one away: the engine is slowest in a crowd's first
moments, when predictions are made, and who comes back early may still wait."""


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


def require_places(waiting: int, asked: int, most: int) -> None:
    """Raise OverloadedError when `asked` segments more than those that wait are more than the queue holds."""
    if waiting + asked > most:
        detail = f"{waiting} segments wait, {asked} more pass the limit of {most}; try later"
        raise OverloadedError(detail, retry_after_s=1.0)


class Appointments:
    """Tells refused requests when to come back: each after those that were told before, by the time they will take.

    Told the same moment, a crowd that comes at once would come back at once, and most of it in vain.
    """

    def __init__(self) -> None:
        self._given_until = 0.0
        """Clock at which the work of those that were told to come back would be done."""

    def refusal(self, now: float, wait_s: float, most_s: float, own_s: float) -> OverloadedError:
        """What tells a request, which takes `own_s`, that it would wait `wait_s` for others and may only `most_s`."""
        at = min(max(now + wait_s - most_s, self._given_until), now + MAX_RETRY_AFTER_S)
        self._given_until = at + own_s * SPACING
        detail = f"the wait would be {wait_s:.1f} s, more than {most_s:g} s; try later"
        return OverloadedError(detail, retry_after_s=at - now)


def shutting_down() -> NotReadyError:
    """What a segment ends with that comes too late for this replica."""
    return NotReadyError("the server is shutting down; send the request to another replica")


def late() -> DeadlineExceededError:
    """The end of a segment whose deadline has passed."""
    detail = "the deadline passed before the translation was ready; ask for less or allow more time"
    return DeadlineExceededError(detail)
