"""A load client that costs little, since it shares the cores with the server that it measures.

Requests are bytes made before the clock starts, connections are kept alive, httptools parses the answers, and no body
is kept unless it is asked for. One event loop (uvloop), one thread.

A closed loop sends the next request of a connection when its last was answered: it finds the throughput. An open loop
sends each request when it is due, whatever became of the others: it finds the latency that people would see.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar
from urllib.parse import urlsplit

import uvloop

from loadtests.peers.http_connection import OK, TIMEOUT, LoadError, Pool
from loadtests.peers.http_load import Load, Tally
from loadtests.peers.http_open_loop import OpenLoop, stopped

_T = TypeVar("_T")


def request_bytes(url: str, body: Mapping[str, Any]) -> bytes:
    """A POST of JSON with its headers, ready to be written to a connection."""
    parts = urlsplit(url)
    content = json.dumps(body, ensure_ascii=False).encode()
    head = f"POST {parts.path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(content)}\r\n\r\n".encode() + content


def closed_loop(
    url: str,
    requests: Sequence[bytes],
    num_connections: int,
    seconds: float,
    *,
    warm_s: float = 0.0,
    timeout_s: float = 30.0,
) -> Load:
    """Keep so many connections busy for `seconds`, after `warm_s` that are not counted; requests are taken in turn."""
    return _run(_closed_loop(url, cycle(requests), num_connections, seconds, warm_s, timeout_s))


def open_loop(
    url: str,
    requests: Sequence[bytes],
    due_s: Sequence[float],
    *,
    max_connections: int = 512,
    timeout_s: float = 10.0,
    is_hopeless: Callable[[float], bool] = lambda latency_s: False,
) -> Load:
    """Send request i when it is due, in seconds from the start, ascending; the run lasts until the last answer.

    At most `max_connections` are open; what finds none free waits for one, and the wait counts. After the last due time
    answers are awaited for `timeout_s`. `is_hopeless` is told each latency; when it says yes no more requests are sent.
    """
    return _run(_open_loop(url, requests, due_s, max_connections, timeout_s, is_hopeless))


def ask_all(url: str, requests: Sequence[bytes], num_connections: int = 8, timeout_s: float = 120.0) -> list[bytes]:
    """The bodies of the answers, in the order of the requests. Raises LoadError unless every one is a 200."""
    return _run(_ask_all(url, requests, num_connections, timeout_s))


async def _closed_loop(
    url: str, requests: Iterable[bytes], num_connections: int, seconds: float, warm_s: float, timeout_s: float
) -> Load:
    source, pool, tally, clock = iter(requests), Pool(url), Tally(), time.perf_counter
    start = clock() + warm_s
    end, cpu_start = start + seconds, 0.0

    async def one_connection() -> None:
        connection = await pool.open()
        loop = asyncio.get_running_loop()
        while clock() < end:
            if not connection.is_open:  # the server may close a connection after an answer
                connection = await pool.open()
            answered: asyncio.Future[str] = loop.create_future()
            sent = clock()
            connection.send(next(source), lambda code, _, f=answered: None if f.done() else f.set_result(code))  # type: ignore[misc]
            code = await answered
            done = clock()
            if start <= done <= end or code != OK:
                tally.add(code, done - sent)

    try:
        tasks = [asyncio.create_task(one_connection()) for _ in range(num_connections)]
        await asyncio.sleep(warm_s)
        cpu_start = time.process_time()
        await asyncio.sleep(seconds)
        cpu_s = time.process_time() - cpu_start
        _, late = await asyncio.wait(tasks, timeout=timeout_s)
        tally.errors.update({TIMEOUT: len(late)} if late else {})
        await stopped(tasks)
    finally:
        await pool.close()
    return tally.load(tally.num_answered + tally.errors.total(), seconds, cpu_s)


async def _open_loop(
    url: str,
    requests: Sequence[bytes],
    due_s: Sequence[float],
    max_connections: int,
    timeout_s: float,
    is_hopeless: Callable[[float], bool],
) -> Load:
    pool = Pool(url)
    try:
        for _ in range(min(32, max_connections)):  # people's connections are there before they ask
            pool.give(await pool.open())
        run = OpenLoop(pool, requests, due_s, max_connections, is_hopeless)
        return await run.finished(timeout_s)
    finally:
        await pool.close()


async def _ask_all(url: str, requests: Sequence[bytes], num_connections: int, timeout_s: float) -> list[bytes]:
    pool, left = Pool(url, keep_bodies=True), deque(enumerate(requests))
    bodies = [b""] * len(requests)

    async def one_connection() -> None:
        connection, loop = await pool.open(), asyncio.get_running_loop()
        while left:
            if not connection.is_open:
                connection = await pool.open()
            index, request = left.popleft()
            answered: asyncio.Future[tuple[str, bytes]] = loop.create_future()
            connection.send(request, lambda code, body, f=answered: f.set_result((code, body)))  # type: ignore[misc]
            code, bodies[index] = await answered
            if code != OK:
                raise LoadError(f"request {index} got {code}: {bodies[index][:300]!r}")

    try:
        async with asyncio.timeout(timeout_s), asyncio.TaskGroup() as group:
            for _ in range(num_connections):
                group.create_task(one_connection())
    except TimeoutError:
        raise LoadError(f"{len(left)} of {len(requests)} requests were not asked within {timeout_s:g} s") from None
    except ExceptionGroup as group_error:
        raise group_error.exceptions[0] from None
    finally:
        await pool.close()
    return bodies


def _run(main: Coroutine[Any, Any, _T]) -> _T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)
