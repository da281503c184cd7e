"""Requests whose segments are being made count for those that come meanwhile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.engine import Engine
from service.engine.limits import EngineLimits
from service.engine.pace import Pace
from service.engine.queue import FairQueue
from service.engine.ready import Ready
from service.engine.waiting import Waiting
from service.errors import NotReadyError, OverloadedError
from service.messages import SearchOptions, Segment
from service.runtime.scripted import ScriptedRuntime
from tests.service.engine.driving import HandClock

CLIENTS = st.sampled_from(["", "web", "batch"])


def seasoned() -> Engine:
    """An idle engine that knows its pace: 8 segments of 12 tokens take 0.12 s."""
    clock = HandClock()
    engine = Engine(ScriptedRuntime(step_s=0.01, wait=clock.wait), EngineLimits(max_batch_rows=16), clock=clock)
    for _ in range(40):
        submit(engine, 8)
    while engine.tick():
        pass
    assert engine.predicted_wait_s() == 0.0
    return engine


def submit(engine: Engine, count: int, client: str = "") -> None:
    segment = Segment(tuple(range(4, 14)), SearchOptions(beam_size=1), client=client)
    engine.submit([segment] * count, lambda i, outcome: None)


def test_a_request_waits_for_those_that_were_let_in_before_it_though_nothing_is_queued_yet() -> None:
    engine = seasoned()
    with engine.room("", 4000):
        assert engine.predicted_wait_s() == 0.0  # a short request has its turn first
        with pytest.raises(OverloadedError, match="the wait would be"), engine.room("", 4000):
            pass
        with engine.room("web", 8), engine.room("", 8):
            pass
        with engine.room("", 4000, True):  # was admitted before
            pass
    with engine.room("", 4000):
        pass


def test_room_is_given_back_when_a_request_ends_before_its_segments_are_made() -> None:
    engine = seasoned()
    with pytest.raises(ZeroDivisionError), engine.room("", 4000):
        raise ZeroDivisionError
    with engine.room("", 4000):
        pass


def test_a_closed_engine_has_room_for_requests_under_way_alone() -> None:
    engine = seasoned()
    engine.close()
    with engine.room("", 1, True):
        pass
    with pytest.raises(NotReadyError), engine.room("", 1):
        pass


def test_a_request_with_room_counts_once_when_it_is_queued() -> None:
    engine = seasoned()
    with engine.room("", 50):
        pass
    submit(engine, 50)
    queued = engine.predicted_wait_s()
    with engine.room("web", 50):
        assert engine.predicted_wait_s() > queued
    assert engine.predicted_wait_s() == queued


@given(st.lists(st.tuples(CLIENTS, st.integers(0, 300)), max_size=12), CLIENTS, st.integers(1, 300))
def test_expected_work_is_never_negative_nor_more_than_all_and_is_gone_in_the_end(
    coming: list[tuple[str, int]], client: str, count: int
) -> None:
    pace = Pace()
    pace.worked(1000, 1.0)
    waiting = Waiting(FairQueue(), Ready(), pace)
    submitted = Engine(ScriptedRuntime())
    jobs = submitted.submit([Segment((4, 5, 6), SearchOptions(beam_size=2))], lambda i, outcome: None)
    waiting.came(jobs)
    for each in coming:
        waiting.expect(*each)
    seconds = waiting.seconds(client, count)
    assert 0.0 <= seconds <= sum(number for _, number in coming) * jobs[0].expected_tokens / 1000 + 1e-9
    assert waiting.seconds(client, count, with_coming=False) == 0.0
    for each in coming:
        waiting.expect_no_more(*each)
    assert waiting.is_empty
    assert waiting.seconds(client, count) == 0.0
