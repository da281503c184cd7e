"""Waiting segments, in turns: a request of many segments cannot keep a small one waiting until it is through."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from service.engine.job import Job


class FairQueue:
    """Round robin over calls (Nagle 1987, "On Packet Switches with Infinite Storage"): one segment of each in turn.

    Calls take their first turn in the order in which they came. Within a call the longest segments come first: like
    lengths are encoded and stepped together with little padding, and no long one is left to run alone at the end
    (longest processing time first, Graham 1969, "Bounds on Multiprocessing Timing Anomalies").
    """

    def __init__(self) -> None:
        self._turns: deque[deque[Job]] = deque()
        self._num_jobs = 0

    def __len__(self) -> int:
        return self._num_jobs

    def __iter__(self) -> Iterator[Job]:
        return (job for turn in self._turns for job in turn)

    def extend(self, jobs: Sequence[Job]) -> None:
        """Add the segments of one call."""
        if jobs:
            self._turns.append(deque(sorted(jobs, key=lambda job: -job.num_source_tokens)))
            self._num_jobs += len(jobs)

    @property
    def front(self) -> Job:
        """The segment whose turn it is. Raises IndexError when none waits."""
        return self._turns[0][0]

    def pop(self) -> Job:
        """Take the front; the next turn of its call comes after all other calls. Raises IndexError when none waits."""
        turn = self._turns.popleft()
        self._num_jobs -= 1
        job = turn.popleft()
        if turn:
            self._turns.append(turn)
        return job

    def remove(self, is_unwanted: Callable[[Job], bool]) -> list[Job]:
        """Take out and return every unwanted segment."""
        unwanted = [job for job in self if is_unwanted(job)]
        if unwanted:
            gone = set(unwanted)
            kept = (deque(job for job in turn if job not in gone) for turn in self._turns)
            self._turns = deque(turn for turn in kept if turn)
            self._num_jobs -= len(unwanted)
        return unwanted

    def clear(self) -> list[Job]:
        """Take out and return everything."""
        return self.remove(lambda _: True)
