"""Drive an engine by hand: segments that arrive at given ticks, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.engine.engine import Engine
from service.engine.job import Outcome
from service.engine.limits import EngineLimits
from service.messages import FinishReason, Segment, SegmentResult, Timings

PATIENT = EngineLimits(max_wait_s=3600.0)
"""Nobody is refused, however busy the machine is: what admission does has tests of its own."""


@dataclass
class HandClock:
    """A clock that stands still until it is moved."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        """Move it on, as a runtime's steps do."""
        self.now += seconds


@dataclass
class Events:
    """An observer that keeps everything it is told."""

    step_rows: list[int] = field(default_factory=list)
    depths: list[tuple[int, int]] = field(default_factory=list)
    reasons: list[FinishReason] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def encoded(self, num_segments: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        assert 0 < num_tokens <= num_padded_tokens

    def stepped(self, num_steps: int, num_rows: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        assert 0 < num_tokens <= num_padded_tokens
        self.step_rows += [num_rows] * num_steps

    def finished(self, reason: FinishReason, timings: Timings, num_source_tokens: int, num_target_tokens: int) -> None:
        self.reasons.append(reason)

    def dropped(self, code: str) -> None:
        self.codes.append(code)

    def depth(self, queued_segments: int, running_rows: int) -> None:
        self.depths.append((queued_segments, running_rows))


def run_with_arrivals(engine: Engine, segments: Sequence[Segment], arrivals: Sequence[int]) -> list[Outcome]:
    """Submit `segments[i]` before tick `arrivals[i]`, tick until all is done; outcomes in the order of `segments`."""
    outcomes: dict[int, Outcome] = {}
    tick = 0
    while len(outcomes) < len(segments):
        for i, due in enumerate(arrivals):
            if due == tick:
                engine.submit([segments[i]], lambda _, outcome, i=i: outcomes.update({i: outcome}))
        engine.tick()
        tick += 1
        assert tick < 100_000, "the engine does not come to an end"
    return [outcomes[i] for i in range(len(segments))]


def alone(engine: Engine, segment: Segment) -> SegmentResult:
    """What `segment` gives with nobody beside it."""
    (outcome,) = run_with_arrivals(engine, [segment], [0])
    assert isinstance(outcome, SegmentResult)
    return outcome
