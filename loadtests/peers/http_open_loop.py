"""The open loop of the load client: a request is sent when it is due, whatever became of the others."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from loadtests.peers.http_connection import NO_ANSWER, TIMEOUT, Connection, LoadError, Pool
from loadtests.peers.http_load import Load, Tally
from loadtests.peers.timer import Timer


class OpenLoop:
    """One run of an open loop: a timer for what is due next, a queue of what found no connection."""

    def __init__(
        self,
        pool: Pool,
        requests: Sequence[bytes],
        due_s: Sequence[float],
        max_connections: int,
        is_hopeless: Callable[[float], bool],
    ) -> None:
        self._pool, self._requests, self._due_s = pool, requests, due_s
        self._max_connections, self._is_hopeless = max_connections, is_hopeless
        self._loop = asyncio.get_running_loop()
        self._tally, self._waiting, self._opening = Tally(), deque[int](), set[asyncio.Task[None]]()
        self._next, self._num_sent, self._num_done, self._is_over = 0, 0, 0, False
        self._finished: asyncio.Future[None] = self._loop.create_future()
        self._timer = Timer(self._loop, self._tick)
        self._cpu_start, self._start = time.process_time(), time.perf_counter()
        self._tick()

    async def finished(self, timeout_s: float) -> Load:
        """Wait for the last answer, at most `timeout_s` after the last due time."""
        longest = self._due_s[-1] + timeout_s - self._now()
        try:
            await asyncio.wait_for(self._finished, longest)
        except TimeoutError:
            self._tally.errors[TIMEOUT] += self._next - self._num_done
        seconds, cpu_s = self._now(), time.process_time() - self._cpu_start
        self._is_over = True
        self._timer.close()
        await stopped(self._opening)
        return self._tally.load(len(self._due_s), seconds, cpu_s)

    def _now(self) -> float:
        return time.perf_counter() - self._start

    def _tick(self) -> None:
        """Send what is due, and come back when the next is."""
        if self._is_over:
            return
        now = self._now()
        while self._next < len(self._due_s) and self._due_s[self._next] <= now:
            self._send(self._next)
            self._next += 1
        if self._next < len(self._due_s):
            self._timer.set(self._due_s[self._next] - self._now())

    def _send(self, index: int) -> None:
        connection = self._pool.take()
        if connection is not None:
            self._write(connection, index)
            return
        self._waiting.append(index)
        if self._pool.num_open + len(self._opening) < self._max_connections:
            task = self._loop.create_task(self._open())
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _open(self) -> None:
        try:
            connection = await self._pool.open()
        except LoadError:
            if self._waiting:
                self._done(self._waiting.popleft(), NO_ANSWER)
            return
        self._free(connection)

    def _write(self, connection: Connection, index: int) -> None:
        def done(code: str, _: bytes) -> None:
            self._done(index, code)
            self._free(connection)

        connection.send(self._requests[index], done)

    def _free(self, connection: Connection) -> None:
        if self._waiting and connection.is_open:
            self._write(connection, self._waiting.popleft())
        else:
            self._pool.give(connection)
            if self._waiting:
                self._send(self._waiting.popleft())

    def _done(self, index: int, code: str) -> None:
        latency_s = self._now() - self._due_s[index]
        self._tally.add(code, latency_s)
        self._num_done += 1
        if self._is_hopeless(latency_s):  # what was sent is awaited, so that the server is idle afterwards
            self._due_s = self._due_s[: self._next]
        if self._num_done == len(self._due_s) and not self._finished.done():
            self._finished.set_result(None)


async def stopped(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end; raises what one of them raised."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome
