"""An engine refuses what would wait too long, by its own speed, and says when to come back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.engine.engine import Engine
from service.engine.limits import EngineLimits
from service.engine.pace import Pace
from service.errors import OverloadedError
from service.messages import SearchOptions, Segment
from service.runtime.scripted import ScriptedRuntime
from tests.service.engine.driving import HandClock


def test_nothing_is_predicted_before_there_was_work() -> None:
    pace = Pace()
    assert pace.seconds_for(1000.0) is None
    pace.worked(100, 0.2)
    assert pace.seconds_for(1000.0) is None
    pace.worked(50, 0.1)
    assert pace.seconds_for(1000.0) == pytest.approx(2.0, rel=0.05)
    pace.worked(1, 30.0)  # it compiled: of no account
    assert pace.seconds_for(1000.0) == pytest.approx(2.0, rel=0.05)
    pace.finished(10, 20)
    assert pace.seconds_for(1000.0) == pytest.approx(4.0, rel=0.05)


def test_the_newest_seconds_count_most() -> None:
    pace = Pace()
    for _ in range(100):
        pace.worked(10, 0.1)
    for _ in range(100):
        pace.worked(100, 0.1)
    assert pace.seconds_for(1000.0) == pytest.approx(1.0, rel=0.05)


def some(count: int, client: str = "") -> list[Segment]:
    return [Segment(tuple(range(4, 14)), SearchOptions(beam_size=1), client=client) for _ in range(count)]


def test_a_request_that_would_wait_too_long_is_refused_and_taken_when_it_comes_back_as_told() -> None:
    clock = HandClock()
    engine = Engine(
        ScriptedRuntime(step_s=0.01, wait=clock.wait), EngineLimits(max_batch_rows=16, max_wait_s=1.0), clock=clock
    )
    taken = []
    for _ in range(80):  # nothing is known of its speed: all are taken
        engine.submit(some(8), lambda i, outcome: taken.append(clock.now))
    while clock.now < 101.0:
        engine.tick()
    with pytest.raises(OverloadedError, match=r"^the wait would be .* s, more than 1 s; try later$") as refused:
        engine.submit(some(8), lambda i, outcome: None)
    assert refused.value.retry_after_s is not None
    back = clock.now + refused.value.retry_after_s + 0.2
    assert engine.predicted_wait_s() > 0.0
    while clock.now < back and engine.tick():
        pass
    clock.now = max(clock.now, back)
    ended: list[float] = []
    submitted = clock.now
    engine.submit(some(8), lambda i, outcome: ended.append(clock.now))
    while engine.tick():
        pass
    assert len(taken) == 640
    assert len(ended) == 8
    alone_s = 8 * 12 * 0.01
    assert max(ended) - submitted <= 1.0 * 1.5 + alone_s


def test_another_client_is_not_refused_for_what_one_has_sent() -> None:
    clock = HandClock()
    engine = Engine(ScriptedRuntime(step_s=0.01, wait=clock.wait), EngineLimits(max_batch_rows=16), clock=clock)
    for _ in range(160):
        engine.submit(some(4, "batch"), lambda i, outcome: None)
    while clock.now < 101.0:
        engine.tick()
    with pytest.raises(OverloadedError):
        engine.submit(some(4, "batch"), lambda i, outcome: None)
    engine.submit(some(4, "web"), lambda i, outcome: None)


def test_a_further_search_of_an_admitted_request_is_not_refused_for_its_wait() -> None:
    clock = HandClock()
    engine = Engine(ScriptedRuntime(step_s=0.01, wait=clock.wait), EngineLimits(max_batch_rows=16), clock=clock)
    for _ in range(160):
        engine.submit(some(4), lambda i, outcome: None)
    while clock.now < 101.0:
        engine.tick()
    with pytest.raises(OverloadedError):
        engine.submit(some(4), lambda i, outcome: None)
    engine.submit([replace(segment, was_admitted=True) for segment in some(4)], lambda i, outcome: None)
