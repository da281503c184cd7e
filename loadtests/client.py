"""Open-loop clients: each request is sent when it is due, whether or not earlier ones were answered.

A closed loop waits for an answer before it asks again, and so asks less of a slow server and forgets the time that its
requests would have waited ("coordinated omission", Tene 2013). Here latency counts from the moment a request was due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson

from loadtests.plan import Arrival

OK = "ok"
CANCELLED = "cancelled_by_client"
TIMEOUT = "timeout"
NO_ANSWER = "no_answer"
WRONG_ANSWER = "wrong_answer"
ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to ask, and how."""

    url: str
    """Of the server, without a path."""
    body: dict[str, Any] = field(default_factory=dict)
    """Fields of POST /v1/translate beside the text."""
    timeout_s: float = 60.0
    """Seconds from sending after which a client gives a request up; the server's own limit should be shorter."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """Translations by text: any other answer is wrong. A text that is not in it may have any."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one request. Times are seconds from the start."""

    due_s: float
    sent_s: float
    done_s: float
    code: str
    """`ok`, the slug of the server's error, `http_<status>` for an answer that is not the service's own, or one of the
    constants above."""
    status: int | None = None
    """HTTP status; None when there was no answer."""
    detail: str = ""
    """The exception's class, when there was no answer."""

    @property
    def latency_s(self) -> float:
        """From the moment it was due, so that waiting to be sent counts."""
        return self.done_s - self.due_s

    @property
    def is_answered(self) -> bool:
        """Whether the client got an answer or a refusal with a code, from the service itself."""
        return self.status is not None and not self.code.startswith("http_") and self.code != WRONG_ANSWER


Progress = Callable[[Outcome], None]


async def run_plan(
    plan: Sequence[Arrival],
    target: Target,
    progress: Progress = lambda outcome: None,
    max_duration_s: float | None = None,
) -> list[Outcome]:
    """Send every arrival when it is due; outcomes in the order of the plan.

    After `max_duration_s` what is under way is abandoned and what is left is not sent; None waits for everything.
    """
    async with connections(target.url) as session:
        run = _Run(session, target, progress)
        tasks = [asyncio.create_task(run.send(arrival)) for arrival in plan]
        _, late = await asyncio.wait(tasks, timeout=max_duration_s)
        for task in late:
            task.cancel()
        return list(await asyncio.gather(*tasks))


def connections(url: str, timeout_s: float | None = None) -> aiohttp.ClientSession:
    """Connections to the server at `url`, without a limit. httpx looks through all of them for each request: with some
    hundreds under way it was the bottleneck, and answers of 1.5 s took it 28 s."""
    unlimited = aiohttp.TCPConnector(limit=0)
    return aiohttp.ClientSession(url, connector=unlimited, timeout=aiohttp.ClientTimeout(timeout_s))


class _Run:
    """One run of a plan: its clock starts when it is made."""

    def __init__(self, session: aiohttp.ClientSession, target: Target, progress: Progress) -> None:
        self._session, self._target, self._progress = session, target, progress
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()

    async def send(self, arrival: Arrival) -> Outcome:
        """Wait until it is due, send it, and say what became of it."""
        sent = arrival.due_s
        try:
            await asyncio.sleep(self._start + arrival.due_s - self._clock())
            sent = self._now()
            code, status, detail = await self._ask(arrival)
        except asyncio.CancelledError:
            code, status, detail = ABANDONED, None, ""
        outcome = Outcome(arrival.due_s, sent, self._now(), code, status, detail)
        self._progress(outcome)
        return outcome

    async def _ask(self, arrival: Arrival) -> tuple[str, int | None, str]:
        leaves = arrival.cancel_after_s is not None and arrival.cancel_after_s < self._target.timeout_s
        try:
            async with asyncio.timeout(arrival.cancel_after_s if leaves else self._target.timeout_s):
                status, body = await _posted(self._session, self._target, arrival.text)
        except TimeoutError:
            return (CANCELLED if leaves else TIMEOUT), None, ""
        except aiohttp.ClientError as error:
            return NO_ANSWER, None, type(error).__name__
        return _code(status, body, self._target.expected.get(arrival.text)), status, ""

    def _now(self) -> float:
        return self._clock() - self._start


async def translations(texts: Sequence[str], target: Target) -> dict[str, str]:
    """What the server answers to each of `texts`, one after the other. Raises aiohttp.ClientError or TimeoutError."""
    found = {}
    async with connections(target.url, target.timeout_s) as session:
        for text in texts:
            status, body = await _posted(session, target, text)
            if status != 200:
                raise aiohttp.ClientError(f"the server answered {status}: {body.decode()}")
            found[text] = orjson.loads(body)["translations"][0]["text"]
    return found


async def _posted(session: aiohttp.ClientSession, target: Target, text: str) -> tuple[int, bytes]:
    """Status and body of an answer."""
    async with session.post("/v1/translate", json={**target.body, "text": text}) as response:
        return response.status, await response.read()


def _code(status: int, answer: bytes, expected: str | None) -> str:
    try:
        body = orjson.loads(answer)
    except ValueError:
        return f"http_{status}"
    if status == 200:
        found = body.get("translations", []) if isinstance(body, dict) else []
        return OK if len(found) == 1 and expected in (None, found[0].get("text")) else WRONG_ANSWER
    code = body.get("code") if isinstance(body, dict) else None
    return code if isinstance(code, str) else f"http_{status}"
