"""Waiting segments, in turns: neither a request of many segments nor a client of many requests keeps the others
waiting until it is through."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from service.engine.job import Job

RENEWED = 2
"""Segments of others, for each that waits, that may have a turn before a new call ends: under steady load calls that
end are replaced, and of a waiting call half is done on average."""


@dataclass(slots=True)
class _Call:
    """The waiting segments of one call."""

    jobs: deque[Job]
    num_places: int
    """Places that it takes in the queue: one for each of its first portion that still waits."""


@dataclass(slots=True)
class _Client:
    """The waiting calls of one client, who has one turn in each round."""

    name: str
    calls: deque[_Call] = field(default_factory=deque)
    num_jobs: int = 0
    num_tokens: int = 0
    """Expected work of its segments, see `Job.expected_tokens`."""

    @property
    def tokens_per_job(self) -> float:
        """Mean work of a waiting segment."""
        return self.num_tokens / self.num_jobs


class FairQueue:
    """Round robin over clients, and over the calls of each (Nagle 1987, "On Packet Switches with Infinite Storage"):
    one segment of each in turn.

    Clients and calls take their first turn in the order in which they came. Within a call the longest segments come
    first: like lengths are encoded and stepped together with little padding, and no long one is left to run alone at
    the end (longest processing time first, Graham 1969, "Bounds on Multiprocessing Timing Anomalies"). A call of more
    segments than the queue has places is taken, too: those beyond a portion wait without places, so that it shuts
    nobody out.
    """

    def __init__(self) -> None:
        self._clients: dict[str, _Client] = {}
        self._round: deque[_Client] = deque()
        self._num_jobs = 0
        self.num_places = 0
        """Places taken: no more than segments that wait."""

    def __len__(self) -> int:
        return self._num_jobs

    def __iter__(self) -> Iterator[Job]:
        return (job for client in self._round for call in client.calls for job in call.jobs)

    def extend(self, jobs: Sequence[Job], portion: int) -> None:
        """Add the segments of one call, of which the first `portion` take places."""
        if not jobs:
            return
        longest_first = deque(sorted(jobs, key=lambda job: -job.num_source_tokens))
        call, name = _Call(longest_first, min(portion, len(jobs))), jobs[0].segment.client
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = _Client(name)
            self._round.append(client)
        client.calls.append(call)
        client.num_jobs += len(jobs)
        client.num_tokens += sum(job.expected_tokens for job in jobs)
        self._num_jobs += len(jobs)
        self.num_places += call.num_places

    def tokens_before(self, name: str, num_jobs: int) -> float:
        """Expected work that others have their turns for before the last of a new call's `num_jobs` segments, in
        tokens. `name` is the client's. As much as waits may come anew meanwhile, and takes turns as well."""
        client = self._clients.get(name)
        own = 0 if client is None else sum(min(RENEWED * len(call.jobs), num_jobs) for call in client.calls)
        tokens = 0.0 if client is None else own * client.tokens_per_job
        others = (one for one in self._round if one is not client)
        return tokens + sum(min(RENEWED * one.num_jobs, own + num_jobs) * one.tokens_per_job for one in others)

    @property
    def tokens_per_job(self) -> float:
        """Mean expected work of a waiting segment; 0 when none waits."""
        return sum(client.num_tokens for client in self._round) / self._num_jobs if self._num_jobs else 0.0

    @property
    def front(self) -> Job:
        """The segment whose turn it is. Raises IndexError when none waits."""
        return self._round[0].calls[0].jobs[0]

    def pop(self) -> Job:
        """Take the front; the next turn of its client comes after all other clients, and the next of its call after all
        other calls of the client. Raises IndexError when none waits."""
        client = self._round.popleft()
        call = client.calls.popleft()
        job = call.jobs.popleft()
        if call.jobs:
            client.calls.append(call)
        client.num_jobs -= 1
        client.num_tokens -= job.expected_tokens
        if client.calls:
            self._round.append(client)
        else:
            del self._clients[client.name]
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
            for client in self._round:
                for call in client.calls:
                    call.jobs = deque(job for job in call.jobs if job not in gone)
                    call.num_places = min(call.num_places, len(call.jobs))
                client.calls = deque(call for call in client.calls if call.jobs)
                client.num_jobs = sum(len(call.jobs) for call in client.calls)
                client.num_tokens = sum(job.expected_tokens for call in client.calls for job in call.jobs)
            self._round = deque(client for client in self._round if client.calls)
            self._clients = {client.name: client for client in self._round}
            self._num_jobs = sum(client.num_jobs for client in self._round)
            self.num_places = sum(call.num_places for client in self._round for call in client.calls)
        return unwanted

    def clear(self) -> list[Job]:
        """Take out and return everything."""
        return self.remove(lambda _: True)
