"""Admission, cancellation, deadlines, drain and failure of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from service.engine import lane
from service.engine.engine import STEPS_PER_TICK, Engine
from service.engine.fused import advance_rows
from service.engine.job import Job, Outcome
from service.engine.limits import EngineLimits
from service.engine.queue import FairQueue
from service.errors import AttendantError, CancelledError, DeadlineExceededError, NotReadyError, OverloadedError
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.scripted import ScriptedRuntime
from service.runtime.seam import Rows, Turns
from service.search.search import Search
from tests.service.engine.driving import Events, HandClock

GREEDY = SearchOptions(beam_size=1)


class Inbox:
    """Collects outcomes by number."""

    def __init__(self) -> None:
        self.outcomes: dict[int, Outcome] = {}

    def __call__(self, i: int, outcome: Outcome) -> None:
        assert i not in self.outcomes, "delivered twice"
        self.outcomes[i] = outcome


def segment(length: int = 4, options: SearchOptions = GREEDY, deadline: float | None = None) -> Segment:
    return Segment(tuple(range(4, 4 + length)), options, deadline=deadline)


def finish(engine: Engine) -> None:
    while engine.tick():
        pass


def test_segments_join_while_others_are_under_way() -> None:
    events, inbox, late = Events(), Inbox(), Inbox()
    engine = Engine(ScriptedRuntime(), observer=events)
    engine.submit([segment(8)], inbox)
    engine.tick()
    engine.tick()
    engine.submit([segment(2)], late)
    engine.tick()
    assert events.step_rows == [1, 1, 2]
    finish(engine)
    assert isinstance(inbox.outcomes[0], SegmentResult)
    assert isinstance(late.outcomes[0], SegmentResult)


def test_rows_leave_as_soon_as_their_segment_is_over() -> None:
    events = Events()
    engine = Engine(ScriptedRuntime(), observer=events)
    engine.submit(
        [segment(9, SearchOptions(1, max_output_tokens=3)), segment(9, SearchOptions(1, max_output_tokens=6))], Inbox()
    )
    finish(engine)
    assert events.step_rows == [2, 2, 2, 1, 1, 1]


def test_a_cancelled_segment_frees_its_rows_before_the_next_step() -> None:
    events, inbox = Events(), Inbox()
    engine = Engine(ScriptedRuntime(), observer=events)
    jobs = engine.submit([segment(9, SearchOptions(beam_size=4)), segment(9)], inbox)
    engine.tick()
    engine.tick()
    engine.cancel(jobs[:1])
    engine.tick()
    assert sorted(events.step_rows) == [1, 1, 1, 4, 4], "each beam size steps by itself; four rows end with their job"
    assert isinstance(inbox.outcomes[0], CancelledError)
    finish(engine)
    assert isinstance(inbox.outcomes[1], SegmentResult)
    assert events.codes == ["cancelled"]


def test_a_waiting_segment_can_be_cancelled() -> None:
    inbox = Inbox()
    engine = Engine(ScriptedRuntime())
    engine.cancel(engine.submit([segment()], inbox))
    assert not engine.tick()
    assert isinstance(inbox.outcomes[0], CancelledError)


@pytest.mark.parametrize("ticks_before", [0, 2])
def test_a_deadline_ends_waiting_and_running_segments(ticks_before: int) -> None:
    clock, inbox = HandClock(), Inbox()
    engine = Engine(ScriptedRuntime(), clock=clock)
    engine.submit([segment(9, deadline=101.0), segment(9)], inbox)
    for _ in range(ticks_before):
        engine.tick()
    clock.now = 101.0
    engine.tick()
    assert isinstance(inbox.outcomes[0], DeadlineExceededError)
    finish(engine)
    assert isinstance(inbox.outcomes[1], SegmentResult)


def test_the_queue_takes_all_segments_of_a_call_or_none() -> None:
    engine = Engine(ScriptedRuntime(), EngineLimits(max_queue_segments=8))
    for _ in range(3):
        engine.submit([segment(), segment()], Inbox())
    engine.submit([segment()], Inbox())
    with pytest.raises(OverloadedError, match="limit of 8") as caught:
        engine.submit([segment(), segment()], Inbox())
    assert caught.value.retry_after_s is not None
    assert caught.value.retry_after_s > 0
    assert engine.num_queued == 7
    engine.submit([segment()], Inbox())
    assert engine.num_queued == 8


def test_a_call_of_more_segments_than_the_queue_has_places_shuts_nobody_out() -> None:
    engine, large, small = (
        Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16, max_queue_segments=8)),
        Inbox(),
        Inbox(),
    )
    engine.submit([segment(1 + i % 9) for i in range(50)], large)
    for n in range(6):
        engine.submit([segment()], lambda _, outcome, n=n: small(n, outcome))
    with pytest.raises(OverloadedError):
        engine.submit([segment()], Inbox())
    assert engine.num_queued == 56
    finish(engine)
    assert (len(large.outcomes), len(small.outcomes)) == (50, 6)


def test_a_call_gives_its_places_back_while_the_rest_of_it_waits() -> None:
    engine, inbox = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16, max_queue_segments=20)), Inbox()
    for _ in range(4):
        engine.submit([segment(9) for _ in range(100)], lambda *_: None)
    with pytest.raises(OverloadedError):
        engine.submit([segment()], inbox)
    for _ in range(30):
        engine.tick()
    assert engine.num_queued > 300
    engine.submit([segment()], inbox)
    for _ in range(40):
        engine.tick()
    assert set(inbox.outcomes) == {0}


def test_a_segment_larger_than_the_budget_still_runs_alone() -> None:
    events, inbox = Events(), Inbox()
    engine = Engine(ScriptedRuntime(), EngineLimits(max_batch_tokens=1024), events)
    wide = segment(20, SearchOptions(beam_size=16, max_output_tokens=200))
    engine.submit([segment(2), wide, segment(2)], inbox)
    finish(engine)
    assert all(isinstance(outcome, SegmentResult) for outcome in inbox.outcomes.values())
    assert max(events.step_rows) <= 16


def test_a_wide_segment_is_not_overtaken_by_later_narrow_ones() -> None:
    order: list[int] = []
    engine = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16))
    wide = SearchOptions(beam_size=16, max_output_tokens=2)
    engine.submit([segment(6)], lambda _, __: order.append(0))
    engine.tick()
    engine.submit([segment(6, wide)], lambda _, __: order.append(1))
    for i in range(2, 6):
        engine.submit([segment(1)], lambda _, __, i=i: order.append(i))
        engine.tick()
    finish(engine)
    assert order[:2] == [0, 1]


def test_a_small_call_does_not_wait_for_a_large_one_to_end() -> None:
    order: list[str] = []
    engine = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16))
    engine.submit([segment(6) for _ in range(200)], lambda _, __: order.append("large"))
    engine.tick()
    engine.submit([segment(6)], lambda _, __: order.append("small"))
    finish(engine)
    assert order.index("small") < 40
    assert len(order) == 201


def test_limits_change_while_it_runs() -> None:
    events = Events()
    engine = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16), events)
    engine.submit([segment(6) for _ in range(40)], Inbox())
    engine.tick()
    engine.configure(EngineLimits(max_batch_rows=32))
    engine.tick()
    assert events.step_rows == [16, 32]


def test_an_idle_engine_waits_for_company_only_as_long_as_it_was_told() -> None:
    clock = HandClock()
    engine = Engine(ScriptedRuntime(), EngineLimits(batch_wait_ms=20.0, max_batch_rows=16), clock=clock)
    assert engine.start_in() == 0.0
    engine.submit([segment()], Inbox())
    assert engine.start_in() == pytest.approx(0.020)
    clock.now += 0.015
    assert engine.start_in() == pytest.approx(0.005)
    engine.submit([segment() for _ in range(15)], Inbox())
    assert engine.start_in() == 0.0, "a full batch has no reason to wait"


@pytest.mark.parametrize(("batch_wait_ms", "looks"), [(0.0, []), (20.0, [True])])
def test_the_queue_is_looked_through_under_the_lock_and_only_where_segments_are_waited_for(
    batch_wait_ms: float, looks: list[bool]
) -> None:
    """Another thread's `submit` would change it meanwhile."""
    seen: list[bool] = []

    class Seen(FairQueue):
        def __iter__(self) -> Iterator[Job]:
            seen.append(engine._lock.locked())
            return super().__iter__()

    engine = Engine(ScriptedRuntime(), EngineLimits(batch_wait_ms=batch_wait_ms), clock=HandClock())
    engine._queue = Seen()
    engine.submit([segment()], lambda *_: None)
    assert engine.start_in() == batch_wait_ms / 1000.0
    assert seen == looks


def test_a_closed_engine_refuses_new_work_and_finishes_the_old() -> None:
    inbox = Inbox()
    engine = Engine(ScriptedRuntime())
    engine.submit([segment()], inbox)
    engine.close()
    with pytest.raises(NotReadyError):
        engine.submit([segment()], Inbox())
    finish(engine)
    assert isinstance(inbox.outcomes[0], SegmentResult)


def test_fail_ends_everything_and_leaves_a_usable_engine() -> None:
    inbox, later = Inbox(), Inbox()
    engine = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16))
    engine.submit([segment() for _ in range(20)], inbox)
    engine.tick()
    engine.fail(AttendantError("broken"))
    assert len(inbox.outcomes) == 20
    assert not engine.has_work
    engine.submit([segment()], later)
    finish(engine)
    assert isinstance(later.outcomes[0], SegmentResult)


def test_a_runtime_that_breaks_while_segments_join_loses_none_of_them() -> None:
    class Breaking(ScriptedRuntime):
        def encode(self, sources: Sequence[Sequence[int]]):  # type: ignore[no-untyped-def]
            if max(map(len, sources)) > 50:
                raise RuntimeError("too long for this model")
            return super().encode(sources)

    running, inbox = Inbox(), Inbox()
    engine = Engine(Breaking())
    engine.submit([segment(6)], running)
    engine.tick()
    engine.submit([segment(6), segment(6), segment(60)], inbox)  # two are encoded and on their way to rows by then
    with pytest.raises(RuntimeError, match="too long"):
        engine.tick()
    assert engine.has_work
    assert engine.num_queued == 3
    engine.fail(AttendantError("broken"))
    assert sorted(inbox.outcomes) == [0, 1, 2]
    assert len(running.outcomes) == 1
    assert not engine.has_work


def test_timings_add_up_on_the_engines_clock() -> None:
    clock, inbox = HandClock(), Inbox()

    class Slow(ScriptedRuntime):
        def encode(self, sources: Sequence[Sequence[int]]):  # type: ignore[no-untyped-def]
            clock.now += 2.0
            return super().encode(sources)

    runtime = Slow(step_s=1.0, wait=lambda seconds: setattr(clock, "now", clock.now + seconds))
    engine = Engine(runtime, clock=clock)
    engine.submit([segment(4, SearchOptions(1, max_output_tokens=3))], inbox)
    clock.now += 5.0
    finish(engine)
    result = inbox.outcomes[0]
    assert isinstance(result, SegmentResult)
    assert (result.timings.queue_s, result.timings.encode_s, result.timings.decode_s) == pytest.approx((5.0, 2.0, 3.0))


@pytest.mark.parametrize("field", ["max_batch_rows", "max_batch_tokens", "batch_wait_ms", "max_queue_segments"])
def test_limits_name_what_is_out_of_range(field: str) -> None:
    with pytest.raises(ValidationError, match=rf"{field}\n.*greater than or equal to \d+ .*input_value=-1"):
        EngineLimits(**{field: -1})


def during_the_next_step(monkeypatch: pytest.MonkeyPatch, act: Callable[[Turns], None]) -> None:
    """Let `act` happen while the engine's rows step, as another thread would."""
    waiting = [act]

    def advance(rows: Rows[Any], search: Search, turns: Turns) -> tuple[int, list[int]]:
        if waiting:
            waiting.pop()(turns)
        return advance_rows(rows, search, turns)

    monkeypatch.setattr(lane, "advance_rows", advance)


def test_steps_go_on_by_themselves_until_somebody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, inbox, seen = Engine(ScriptedRuntime()), Inbox(), list[int]()

    def come(turns: Turns) -> None:
        assert (turns.most, turns.halt[0]) == (STEPS_PER_TICK, 0)
        engine.submit([segment()], inbox)
        seen.append(int(turns.halt[0]))

    engine.submit([segment()], lambda *_: None)
    during_the_next_step(monkeypatch, come)
    engine.tick()
    assert seen == [1]
    during_the_next_step(monkeypatch, lambda turns: seen.append(int(turns.halt[0])))
    engine.tick()
    assert seen == [1, 0], "a tick looks at who came, and need not be told again"
    finish(engine)
    assert set(inbox.outcomes) == {0}


def test_steps_are_not_ended_by_somebody_who_must_wait_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, seen = Engine(ScriptedRuntime(), EngineLimits(max_batch_rows=16)), list[int]()
    engine.submit([segment()] * 40, lambda *_: None)

    def come(turns: Turns) -> None:
        engine.submit([segment()], lambda *_: None)
        seen.append(int(turns.halt[0]))

    during_the_next_step(monkeypatch, come)
    engine.tick()
    assert seen == [0]
    finish(engine)


def test_a_cancellation_ends_the_steps_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, seen = Engine(ScriptedRuntime()), list[int]()
    jobs = engine.submit([segment()], lambda *_: None)

    def give_up(turns: Turns) -> None:
        engine.cancel(jobs)
        seen.append(int(turns.halt[0]))

    during_the_next_step(monkeypatch, give_up)
    engine.tick()
    assert seen == [1]
    assert not engine.tick()


def test_two_lanes_take_turns_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, seen = Engine(ScriptedRuntime()), list[int]()
    engine.submit([segment(), segment(options=SearchOptions(beam_size=4))], lambda *_: None)
    during_the_next_step(monkeypatch, lambda turns: seen.append(turns.most))
    engine.tick()
    assert seen == [1]


def test_a_tick_that_left_some_unencoded_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, seen = Engine(ScriptedRuntime(1000, max_source_tokens=600), EngineLimits(max_batch_rows=64)), list[int]()
    engine.submit([segment(500), segment(300), segment(400), segment(450), segment(200)], lambda *_: None)
    during_the_next_step(monkeypatch, lambda turns: seen.append(turns.most))
    engine.tick()
    assert seen == [1]
    assert 0 < engine.num_running_rows < 5
    finish(engine)
