"""Waiting segments, in turns: a request of many segments cannot keep a small one waiting until it is through."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from service.engine.job import Job


@dataclass(slots=True)
class _Call:
    """The waiting segments of one call."""

    jobs: deque[Job]
    num_places: int
    """Places that it takes in the queue: one for each of its first portion that still waits."""


class FairQueue:
    """Round robin over calls (Nagle 1987, "On Packet Switches with Infinite Storage"): one segment of each in turn.

    Calls take their first turn in the order in which they came. Within a call the longest segments come first: like
    lengths are encoded and stepped together with little padding, and no long one is left to run alone at the end
    (longest processing time first, Graham 1969, "Bounds on Multiprocessing Timing Anomalies"). A call of more segments
    than the queue has places is taken, too: those beyond a portion wait without places, so that it shuts nobody out.
    """

    def __init__(self) -> None:
        self._calls: deque[_Call] = deque()
        self._num_jobs = 0
        self.num_places = 0
        """Places taken: no more than segments that wait."""

    def __len__(self) -> int:
        return self._num_jobs

    def __iter__(self) -> Iterator[Job]:
        return (job for call in self._calls for job in call.jobs)

    def extend(self, jobs: Sequence[Job], portion: int) -> None:
        """Add the segments of one call, of which the first `portion` take places."""
        if jobs:
            longest_first = deque(sorted(jobs, key=lambda job: -job.num_source_tokens))
            call = _Call(longest_first, min(portion, len(jobs)))
            self._calls.append(call)
            self._num_jobs += len(jobs)
            self.num_places += call.num_places

    @property
    def front(self) -> Job:
        """The segment whose turn it is. Raises IndexError when none waits."""
        return self._calls[0].jobs[0]

    def pop(self) -> Job:
        """Take the front; the next turn of its call comes after all other calls. Raises IndexError when none waits."""
        call = self._calls.popleft()
        job = call.jobs.popleft()
        if call.jobs:
            self._calls.append(call)
        self._num_jobs -= 1
        if call.num_places:
            call.num_places -= 1
            self.num_places -= 1
        return job

    def remove(self, is_unwanted: Callable[[Job], bool]) -> list[Job]:
        """Take out and return every unwanted segment."""
        unwanted = [job for job in self if is_unwanted(job)]
        if unwanted:
            gone = set(unwanted)
            for call in self._calls:
                call.jobs = deque(job for job in call.jobs if job not in gone)
                call.num_places = min(call.num_places, len(call.jobs))
            self._calls = deque(call for call in self._calls if call.jobs)
            self._num_jobs = sum(len(call.jobs) for call in self._calls)
            self.num_places = sum(call.num_places for call in self._calls)
        return unwanted

    def clear(self) -> list[Job]:
        """Take out and return everything."""
        return self.remove(lambda _: True)
