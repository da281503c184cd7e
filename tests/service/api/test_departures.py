"""Clients that go away; servers that are full, slow or not ready. A scripted runtime waits at a gate in its steps."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from model_store.contract.bundle import Bundle
from service.deployments.heartbeat import Heartbeat
from service.deployments.node_parts import NodeParts
from service.deployments.replica import Replica
from service.engine.handle import EngineHandle
from service.observability.metrics import Metrics
from service.runtime.scripted import ScriptedRuntime
from service.settings import Settings

BODY = json.dumps({"text": "The black cat.", "beam_size": 1, "max_output_tokens": 5, "model": "better"}).encode()
SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/v1/translate",
    "headers": [(b"content-type", b"application/json")],
}


class Gate:
    """Closed, it holds the engine inside a step."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.reached = threading.Event()
        self.is_held = False
        """Whether the engine is inside a step now."""

    def wait(self, seconds: float) -> None:
        """What the runtime calls in every step."""
        self.reached.set()
        self.is_held = True
        self._open.wait(timeout=30.0)
        self.is_held = False

    def open(self) -> None:
        """Let every step pass."""
        self._open.set()

    def close(self) -> None:
        """Hold the next step."""
        self.reached.clear()
        self._open.clear()


@pytest.fixture
def gate() -> Gate:
    return Gate()


@asynccontextmanager
async def running(
    bundles: list[Bundle], gate: Gate, heartbeat: Heartbeat | None = None, **values: Any
) -> AsyncIterator[Replica]:
    """A started replica whose engines wait at the gate, which is closed after the warm-up."""
    runtime = ScriptedRuntime(vocabulary_size=290, step_s=0.001, wait=gate.wait)
    replica = Replica(bundles[:1], Settings(**values), Metrics(), lambda bundle: runtime, NodeParts(heartbeat))
    gate.open()
    await replica.start()
    gate.close()
    try:
        yield replica
    finally:
        gate.open()
        await replica.stop()


class Connection:
    """A client's side of one ASGI exchange, which can be dropped."""

    def __init__(self, replica: Replica, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        self.sent: list[Any] = []
        self._gone = asyncio.Event()
        self._body_given = False
        scope = {**SCOPE, "headers": [*SCOPE["headers"], *headers]}
        self.task = asyncio.ensure_future(replica.app(scope, self._receive, self._send))

    def drop(self) -> None:
        """Close the connection."""
        self._gone.set()

    async def _receive(self) -> Any:
        if not self._body_given:
            self._body_given = True
            return {"type": "http.request", "body": BODY, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message)


async def at_the_gate(gate: Gate) -> None:
    assert await asyncio.to_thread(gate.reached.wait, 10.0)


def test_a_client_that_goes_away_takes_its_work_with_it(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate) as replica:
            connection = Connection(replica)
            await at_the_gate(gate)
            connection.drop()
            await connection.task
            assert connection.sent == []
            gate.open()
            later = Connection(replica)
            await later.task  # the engine still turns
            assert later.sent[0]["status"] == 200

    asyncio.run(run())


def test_a_cancelled_exchange_cancels_its_work(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate) as replica:
            connection = Connection(replica)
            await at_the_gate(gate)
            connection.task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await connection.task
            assert connection.sent == []
            assert {task.get_coro().__name__ for task in asyncio.all_tasks()} == {"run"}  # type: ignore[union-attr]

    asyncio.run(run())


def test_a_full_queue_is_answered_with_429_and_when_to_come_back(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate, max_queue_segments=1) as replica:
            first = Connection(replica)
            await at_the_gate(gate)
            second = Connection(replica)  # waits in the queue
            await asyncio.sleep(0)
            connections = [Connection(replica) for _ in range(3)]
            done, _ = await asyncio.wait([c.task for c in connections], return_when=asyncio.FIRST_COMPLETED)
            refused = next(c for c in connections if c.task in done)
            assert refused.sent[0]["status"] == 429
            assert int(dict(refused.sent[0]["headers"])[b"retry-after"]) >= 1
            assert json.loads(refused.sent[1]["body"])["code"] == "overloaded"
            gate.open()
            await asyncio.gather(first.task, second.task, *(c.task for c in connections))

    asyncio.run(run())


def test_a_stuck_engine_is_answered_with_408_all_the_same(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate) as replica:
            connection = Connection(replica, ((b"x-request-timeout-seconds", b"0.05"),))
            await connection.task
            assert connection.sent[0]["status"] == 408
            assert gate.is_held  # the answer did not wait for the engine

    asyncio.run(run())


def test_a_request_larger_than_the_queue_is_translated_in_portions(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate, max_queue_segments=4) as replica:
            gate.open()
            async with httpx.AsyncClient(transport=httpx.ASGITransport(replica.app), base_url="http://a") as client:
                texts = ["The cat.", "The mouse.", "I know."] * 10
                answer = await client.post("/v1/translate", json={"text": texts, "beam_size": 1})
            assert answer.status_code == 200
            assert len(answer.json()["translations"]) == 30

    asyncio.run(run())


def test_ready_only_between_the_warm_up_and_the_drain(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        runtime = ScriptedRuntime(vocabulary_size=290)
        replica = Replica(bundles, Settings(), Metrics(), lambda bundle: runtime)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(replica.app), base_url="http://a") as client:
            before = await client.get("/health/ready")
            await replica.start()
            between = await client.get("/health/ready")
            await replica.stop()
            after, refused = await client.get("/health/ready"), await client.post("/v1/translate", json={"text": "Hi."})
            live = await client.get("/health/live")
        assert [answer.status_code for answer in (before, between, after, live)] == [503, 200, 503, 200]
        assert (refused.status_code, refused.json()["code"]) == (503, "not_ready")

    asyncio.run(run())


def test_a_stuck_engine_fails_the_health_check_and_ages_the_heartbeat(
    bundles: list[Bundle], gate: Gate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def run() -> None:
        async with running(bundles, gate, heartbeat=Heartbeat(tmp_path)) as replica:
            replica.check_health()
            connection = Connection(replica)
            await at_the_gate(gate)
            monkeypatch.setattr(EngineHandle, "stalled_s", lambda self: 30.0)
            (path,) = tmp_path.iterdir()
            while time.time() - path.stat().st_mtime < 29.0:  # pytest's own limit ends what hangs
                await asyncio.sleep(0.05)
            with pytest.raises(Exception, match="has computed nothing for 30"):
                replica.check_health()
            gate.open()
            await connection.task

    asyncio.run(run())


def test_an_engine_that_may_take_longer_leaves_the_heartbeat_young(
    bundles: list[Bundle], gate: Gate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def run() -> None:
        async with running(bundles, gate, heartbeat=Heartbeat(tmp_path), max_stall_s=60.0) as replica:
            monkeypatch.setattr(EngineHandle, "stalled_s", lambda self: 30.0)
            (path,) = tmp_path.iterdir()
            begun = path.stat().st_mtime
            while path.stat().st_mtime < begun + 1.0:  # it beats on, and is never old
                assert time.time() - path.stat().st_mtime < 20.0
                await asyncio.sleep(0.05)
            replica.check_health()

    asyncio.run(run())


def test_draining_finishes_what_was_taken(bundles: list[Bundle], gate: Gate) -> None:
    async def run() -> None:
        async with running(bundles, gate) as replica:
            connection = Connection(replica)
            await at_the_gate(gate)
            stopping = asyncio.ensure_future(replica.stop())
            await asyncio.sleep(0)
            gate.open()
            await asyncio.gather(stopping, connection.task)
            assert connection.sent[0]["status"] == 200

    asyncio.run(run())
