"""Segments that were taken from the queue: encoded in mini-batches of like length, ahead of the rows they will get."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from service.engine.job import Job

MAX_MINI_BATCH = 32
"""Segments that are encoded at once: more are no cheaper, and rows wait meanwhile."""
SPARE_TOKENS = 8
"""Padding that costs less than another call of the encoder, in tokens."""


class Ready:
    """Jobs in the order in which they left the queue. Those in front are encoded first, together with their like."""

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()
        self.joining: list[Job] = []
        """Those that were taken to get rows now; they belong here until `joined`, so that a failure loses none."""

    def __len__(self) -> int:
        return len(self._waiting) + len(self.joining)

    def __iter__(self) -> Iterator[Job]:
        return iter((*self.joining, *self._waiting))

    @property
    def num_expected_tokens(self) -> int:
        """Work of those that wait."""
        return sum(job.expected_tokens for job in tuple(self._waiting))

    @property
    def has_front(self) -> bool:
        """Whether a job waits to be taken."""
        return bool(self._waiting)

    @property
    def front(self) -> Job:
        """The next job. Raises IndexError when there is none."""
        return self._waiting[0]

    def take(self) -> None:
        """Let the front join."""
        self.joining.append(self._waiting.popleft())

    def joined(self) -> None:
        """All that were taken have rows."""
        self.joining = []

    def extend(self, jobs: Sequence[Job]) -> None:
        """Add jobs that left the queue."""
        self._waiting.extend(jobs)

    def clear(self) -> list[Job]:
        """Take out and return everything."""
        jobs = list(self)
        self._waiting, self.joining = deque(), []
        return jobs

    def remove(self, is_unwanted: Callable[[Job], bool]) -> list[Job]:
        """Take out and return every unwanted job."""
        unwanted = [job for job in self if is_unwanted(job)]
        if unwanted:
            gone = set(unwanted)
            self._waiting = deque(job for job in self._waiting if job not in gone)
        return unwanted

    def next_mini_batch(self) -> list[Job]:
        """The first job that is not encoded, and those of like length that little padding takes along.

        Empty when all are encoded.
        """
        raw = [job for job in self._waiting if job.encoded is None]
        if len(raw) <= 1:
            return raw
        by_length = sorted(raw, key=lambda job: job.num_source_tokens)
        return around(by_length, by_length.index(raw[0]))


def around(by_length: Sequence[Job], start: int) -> list[Job]:
    """The largest run of jobs about number `start` that stays within MAX_MINI_BATCH and wastes little on padding."""
    lengths = [job.num_source_tokens for job in by_length]
    first, last, total = start, start + 1, lengths[start]
    while last - first < MAX_MINI_BATCH:
        options = []
        if last < len(lengths):
            options.append((lengths[last] * (last + 1 - first) - total - lengths[last], last))
        if first > 0:
            options.append((lengths[last - 1] * (last - first + 1) - total - lengths[first - 1], first - 1))
        if not options:
            break
        padding, chosen = min(options)
        if padding > max(SPARE_TOKENS, (total + lengths[chosen]) // 16):
            break
        total += lengths[chosen]
        first, last = min(first, chosen), max(last, chosen + 1)
    return list(by_length[first:last])
