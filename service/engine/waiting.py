"""How long a request would wait for others: told from the work before it and from the engine's pace."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.admission import Appointments
from service.engine.job import Job
from service.engine.pace import Pace
from service.engine.queue import FairQueue
from service.engine.ready import Ready


class Waiting:
    """The work that waits: segments of the queue, those that are ready to join, and those that are still being made.

    Not safe for threads: its owner has a lock.
    """

    def __init__(self, queue: FairQueue, ready: Ready, pace: Pace) -> None:
        """All three are the engine's."""
        self._queue, self._ready, self._pace = queue, ready, pace
        self._appointments = Appointments()
        self._last_tokens_per_segment = 0.0
        self._coming: list[tuple[str, int]] = []
        """Clients and numbers of segments of the requests that were let in and whose segments are being made."""

    def came(self, jobs: Sequence[Job]) -> None:
        """A call of `jobs` was queued."""
        self._last_tokens_per_segment = sum(job.expected_tokens for job in jobs) / len(jobs)

    def expect(self, client: str, num_segments: int) -> None:
        """About so many segments of a client are made from now on."""
        self._coming.append((client, num_segments))

    def expect_no_more(self, client: str, num_segments: int) -> None:
        """They are made, or their request has ended."""
        self._coming.remove((client, num_segments))

    @property
    def is_empty(self) -> bool:
        """Whether no segment waits in the queue, and none is being made."""
        return not (self._queue or self._coming)

    def seconds(self, client: str, num_segments: int, with_coming: bool = True) -> float:
        """Predicted seconds that the last of so many segments waits for others; 0 while nothing is known."""
        before = self._queue.tokens_before(client, num_segments) + self._ready.num_expected_tokens
        if with_coming:
            before += self._tokens(self._segments_coming(client, num_segments))
        return self._seconds_for(before)

    def require_short(
        self, client: str, num_segments: int, now: float, most_s: float, with_coming: bool = True
    ) -> None:
        """Raise OverloadedError when so many segments would wait more than `most_s` for others."""
        wait_s = self.seconds(client, num_segments, with_coming)
        if wait_s > most_s:
            raise self._appointments.refusal(now, wait_s, most_s, self._seconds_for(self._tokens(num_segments)))

    def _seconds_for(self, tokens: float) -> float:
        return self._pace.seconds_for(tokens) or 0.0

    def _tokens(self, num_segments: int) -> float:
        """Expected work of segments that nobody has seen yet: of such as wait, or of those that came last."""
        return num_segments * (self._queue.tokens_per_job or self._last_tokens_per_segment)

    def _segments_coming(self, client: str, num_segments: int) -> int:
        """Segments that are being made and have their turns before the last of a client's new ones, see `FairQueue`."""
        own = (count for name, count in self._coming if name == client and count <= num_segments)
        others = (min(count, num_segments) for name, count in self._coming if name != client)
        return sum(own) + sum(others)
