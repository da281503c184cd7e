"""Waiting segments, in turns: neither a request of many segments nor a client of many requests keeps the others
waiting until it is through."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from service.engine.job import Job

RENEWED = 2
"""Segments of shorter calls and of other clients, for each that waits, that may have a turn before a new call ends:
under steady load calls that end are replaced."""
LEAST_WORK = 1e-9
"""Of a segment: less is rounding."""


@dataclass(slots=True)
class _Call:
    """The waiting segments of one call."""

    finish: float
    """Turns of its client's rounds after which it would be through if all calls took turns."""
    number: int
    """Of its client's calls, in the order in which they came."""
    size: int
    """Segments that it came with."""
    jobs: deque[Job]

    def __lt__(self, other: _Call) -> bool:
        return (self.finish, self.number) < (other.finish, other.number)


@dataclass(slots=True)
class _Client:
    """The waiting calls of one client, who has one turn in each round.

    Calls are served one after the other, in the order in which they would end if they took turns: none ends later than
    with turns, and like ones end as they came (Friedman and Henderson 2003, "Fairness and Efficiency in Web Server
    Protocols", the fair sojourn protocol).
    """

    name: str
    calls: list[_Call] = field(default_factory=list)
    """A heap."""
    num_jobs: int = 0
    num_tokens: int = 0
    """Expected work of its segments, see `Job.expected_tokens`."""
    rounds: float = 0.0
    """Rounds that would have passed if calls took turns."""
    unfinished: list[float] = field(default_factory=list)
    """A heap: `finish` of the calls that would not be through then."""
    num_calls: int = 0
    """Calls that ever came."""
    num_places: int = 0
    """Places that it takes in the queue: those of its calls' first portions, less the segments taken since."""

    @property
    def tokens_per_job(self) -> float:
        """Mean work of a waiting segment."""
        return self.num_tokens / self.num_jobs

    def add(self, jobs: deque[Job], num_places: int) -> None:
        """A new call."""
        self.num_calls += 1
        call = _Call(self.rounds + len(jobs), self.num_calls, len(jobs), jobs)
        heappush(self.calls, call)
        heappush(self.unfinished, call.finish)
        self.num_jobs += len(jobs)
        self.num_tokens += sum(job.expected_tokens for job in jobs)
        self.num_places += num_places

    def take(self) -> Job:
        """The segment whose turn it is."""
        call = self.calls[0]
        job = call.jobs.popleft()
        if not call.jobs:
            heappop(self.calls)
        self.num_jobs -= 1
        self.num_tokens -= job.expected_tokens
        self.num_places = max(0, self.num_places - 1)
        self._pass()
        return job

    def _pass(self) -> None:
        """One segment more was taken: so far would rounds be."""
        work = 1.0
        while work > LEAST_WORK and self.unfinished:
            count = len(self.unfinished)
            passed = max(0.0, min(work / count, self.unfinished[0] - self.rounds))
            self.rounds += passed
            work -= passed * count
            if self.rounds >= self.unfinished[0]:
                heappop(self.unfinished)

    def keep(self, gone: set[Job]) -> None:
        """Calls lose the segments that are `gone`; those that are left count as if they came now, in their order."""
        kept = []
        for call in sorted(self.calls):
            call.jobs = deque(job for job in call.jobs if job not in gone)
            if call.jobs:
                call.finish = min(call.finish, self.rounds + len(call.jobs))
                kept.append(call)
        self.calls, self.unfinished = kept, [call.finish for call in kept]
        heapify(self.calls)
        heapify(self.unfinished)
        self.num_jobs = sum(len(call.jobs) for call in kept)
        self.num_tokens = sum(job.expected_tokens for call in kept for job in call.jobs)
        self.num_places = min(self.num_places, self.num_jobs)

    def segments_before(self, count: int) -> int:
        """Segments that have their turns before the last of a new call of `count`."""
        finish = self.rounds + count
        shorter = sum(min(RENEWED * len(call.jobs), count) for call in self.calls if call.size < count)
        return shorter + sum(len(call.jobs) for call in self.calls if call.size >= count and call.finish <= finish)


class FairQueue:
    """Round robin over clients (Nagle 1987, "On Packet Switches with Infinite Storage"): one segment of each in turn,
    of the call that comes first among the client's, see `_Client`.

    Clients take their first turn in the order in which they came. Within a call the longest segments come first: like
    lengths are encoded and stepped together with little padding, and no long one is left to run alone at the end
    (longest processing time first, Graham 1969, "Bounds on Multiprocessing Timing Anomalies"). A call of more segments
    than the queue has places is taken, too: those beyond a portion wait without places, so that it shuts nobody out.
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
        num_places, name = min(portion, len(jobs)), jobs[0].segment.client
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = _Client(name)
            self._round.append(client)
        client.add(longest_first, num_places)
        self._num_jobs += len(jobs)
        self.num_places += num_places

    def tokens_before(self, name: str, num_jobs: int) -> float:
        """Expected work that others have their turns for before the last of a new call's `num_jobs` segments, in
        tokens. `name` is the client's. Shorter calls and other clients' may come anew meanwhile."""
        client = self._clients.get(name)
        own = 0 if client is None else client.segments_before(num_jobs)
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
        """Take the front; the next turn of its client comes after all other clients. Raises IndexError when none
        waits."""
        client = self._round.popleft()
        places = client.num_places
        job = client.take()
        if client.calls:
            self._round.append(client)
        else:
            del self._clients[client.name]
        self._num_jobs -= 1
        self.num_places -= places - client.num_places
        return job

    def remove(self, is_unwanted: Callable[[Job], bool]) -> list[Job]:
        """Take out and return every unwanted segment."""
        unwanted = [job for job in self if is_unwanted(job)]
        if unwanted:
            gone = set(unwanted)
            for client in self._round:
                client.keep(gone)
            self._round = deque(client for client in self._round if client.calls)
            self._clients = {client.name: client for client in self._round}
            self._num_jobs = sum(client.num_jobs for client in self._round)
            self.num_places = sum(client.num_places for client in self._round)
        return unwanted

    def clear(self) -> list[Job]:
        """Take out and return everything."""
        return self.remove(lambda _: True)
