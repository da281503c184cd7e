"""The engine's thread, seen from an asyncio loop."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.engine.engine import Engine
from service.engine.handle import EngineHandle
from service.engine.limits import EngineLimits
from service.errors import AttendantError, DeadlineExceededError, NotReadyError, OverloadedError
from service.messages import SearchOptions, Segment
from service.observability.logs import configure_logging
from service.runtime.scripted import ScriptedRows, ScriptedRuntime

GREEDY = SearchOptions(beam_size=1)


def segment(*ids: int, deadline: float | None = None) -> Segment:
    return Segment(ids or (5, 6, 7), GREEDY, deadline=deadline)


def comes_to_rest(handle: EngineHandle) -> bool:
    """Whether the thread, which may still be ending its last tick, soon says that nothing is stalled."""
    give_up = handle.clock() + 30.0
    while handle.stalled_s() > 0.0 and handle.clock() < give_up:
        threading.Event().wait(0.001)
    return handle.stalled_s() == 0.0


class Gate:
    """Stands in for a step's waiting time: steps stop at it until it is opened."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.reached = threading.Event()

    def wait(self, _: float) -> None:
        self.reached.set()
        assert self.open.wait(30.0)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def gated(gate: Gate) -> Iterator[EngineHandle]:
    engine = Engine(ScriptedRuntime(step_s=1.0, wait=gate.wait), EngineLimits(max_queue_segments=4))
    handle = EngineHandle(engine, "test")
    handle.start()
    yield handle
    gate.open.set()
    handle.stop()


@pytest.fixture
def handle() -> Iterator[EngineHandle]:
    handle = EngineHandle(Engine(ScriptedRuntime()), "test")
    handle.start()
    yield handle
    handle.stop()


def test_results_come_in_the_order_of_the_segments(handle: EngineHandle) -> None:
    results = asyncio.run(handle.translate([segment(5, 6, 7), segment(9), segment(8, 4)]))
    assert [r.hypotheses[0].token_ids for r in results] == [(7, 6, 5), (9,), (4, 8)]
    assert asyncio.run(handle.translate([])) == []


def test_calls_from_many_tasks_share_the_engine(handle: EngineHandle) -> None:
    async def many() -> list[tuple[int, ...]]:
        calls = [handle.translate([segment(4 + i % 20, 5)]) for i in range(100)]
        return [r[0].hypotheses[0].token_ids for r in await asyncio.gather(*calls)]

    assert asyncio.run(many()) == [(5, 4 + i % 20) for i in range(100)]


def test_cancelling_the_task_frees_the_rows(gated: EngineHandle, gate: Gate) -> None:
    async def cancel() -> None:
        task = asyncio.create_task(gated.translate([segment()]))
        await asyncio.to_thread(gate.reached.wait, 30.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.open.set()
        await gated.drain(30.0)

    asyncio.run(cancel())
    assert comes_to_rest(gated)


def test_a_deadline_that_passes_is_an_error_for_the_caller(gated: EngineHandle, gate: Gate) -> None:
    gate.open.set()
    with pytest.raises(DeadlineExceededError):
        asyncio.run(gated.translate([segment(deadline=gated.clock())]))


def test_a_full_queue_refuses_at_once(gated: EngineHandle, gate: Gate) -> None:
    async def overload() -> None:
        first = asyncio.create_task(gated.translate([segment()]))
        await asyncio.to_thread(gate.reached.wait, 30.0)
        waiting = [asyncio.create_task(gated.translate([segment()])) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError):
            await gated.translate([segment()])
        gate.open.set()
        await asyncio.gather(first, *waiting)

    asyncio.run(overload())


def test_a_stuck_step_shows_as_stalled_time(gated: EngineHandle, gate: Gate) -> None:
    async def stick() -> float:
        task = asyncio.create_task(gated.translate([segment()]))
        await asyncio.to_thread(gate.reached.wait, 30.0)
        started = gated.clock()
        while (stalled := gated.stalled_s()) < 0.05:
            assert gated.clock() - started < 30.0
            await asyncio.sleep(0.001)
        gate.open.set()
        await task
        return stalled

    assert 0.05 <= asyncio.run(stick()) < 60.0
    assert comes_to_rest(gated)


def test_a_drained_handle_finishes_what_it_took_and_refuses_the_rest(gated: EngineHandle, gate: Gate) -> None:
    async def drain() -> int:
        task = asyncio.create_task(gated.translate([segment()]))
        await asyncio.to_thread(gate.reached.wait, 30.0)
        draining = asyncio.create_task(gated.drain(30.0))
        await asyncio.sleep(0)
        with pytest.raises(NotReadyError):
            await gated.translate([segment()])
        gate.open.set()
        await draining
        again = await gated.translate([replace(segment(), was_admitted=True)])  # of a request that was taken before
        gated.stop()
        with pytest.raises(NotReadyError):
            await gated.translate([replace(segment(), was_admitted=True)])
        return len(await task) + len(again)

    assert asyncio.run(drain()) == 2


def test_a_model_that_breaks_fails_its_callers_and_serves_the_next(
    monkeypatch: pytest.MonkeyPatch, handle: EngineHandle
) -> None:
    step = ScriptedRows.step
    monkeypatch.setattr(ScriptedRows, "step", lambda *_: 1 / 0)
    with pytest.raises(AttendantError, match="the model failed"):
        asyncio.run(handle.translate([segment()]))
    monkeypatch.setattr(ScriptedRows, "step", step)
    assert asyncio.run(handle.translate([segment(5)]))[0].hypotheses[0].token_ids == (5,)
    assert comes_to_rest(handle)


def test_a_failure_between_two_ticks_fails_the_callers_too(
    monkeypatch: pytest.MonkeyPatch, handle: EngineHandle
) -> None:
    start_in = Engine.start_in
    monkeypatch.setattr(Engine, "start_in", lambda _: 1 / 0)
    with pytest.raises(AttendantError, match="the model failed"):
        asyncio.run(handle.translate([segment()]))
    monkeypatch.setattr(Engine, "start_in", start_in)
    assert asyncio.run(handle.translate([segment(5)]))[0].hypotheses[0].token_ids == (5,)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_ends_the_thread_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch, handle: EngineHandle) -> None:
    def end(_: Engine) -> bool:
        raise SystemExit

    monkeypatch.setattr(Engine, "tick", end)
    for _ in range(2):  # one that it had accepted, one that comes afterwards
        with pytest.raises(NotReadyError):
            asyncio.run(handle.translate([segment()]))
        handle._thread.join(30.0)
    assert handle.stalled_s() == float("inf"), "the replica is restarted"


def test_a_failure_of_the_engine_is_a_line_of_the_servers_log(
    monkeypatch: pytest.MonkeyPatch, handle: EngineHandle
) -> None:
    stream = io.StringIO()
    configure_logging(stream=stream)
    monkeypatch.setattr(ScriptedRows, "step", lambda *_: 1 / 0)
    with pytest.raises(AttendantError, match="the model failed"):
        asyncio.run(handle.translate([segment()]))
    (line,) = map(json.loads, stream.getvalue().splitlines())
    assert (line["logger"], line["level"], line["error"]) == ("attendant.engine", "error", "ZeroDivisionError")


def test_stopping_ends_what_is_left_with_not_ready(gated: EngineHandle, gate: Gate) -> None:
    async def stop() -> None:
        tasks = [asyncio.create_task(gated.translate([segment(*range(4, 30))])) for _ in range(2)]
        await asyncio.to_thread(gate.reached.wait, 30.0)
        stopping = asyncio.create_task(asyncio.to_thread(gated.stop))
        gate.open.set()
        await stopping
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(o, NotReadyError | list) for o in outcomes)

    asyncio.run(stop())
