"""The learning rate rises, stays, and falls to zero, by tokens or by the clock."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from model_store.training import schedule
from model_store.training.recipe import TrainingPart
from model_store.training.schedule import Horizon, learning_rate

TRAINING = TrainingPart(num_tokens=1000, peak_learning_rate=0.5, warmup_steps=10, decay_fraction=0.4)


def rate(step: int, tokens: int, training: TrainingPart = TRAINING) -> float:
    return learning_rate(training, step, Horizon(training.num_tokens).done(tokens))


def test_it_rises_linearly_to_its_peak() -> None:
    assert [rate(step, 0) for step in (1, 5, 10)] == pytest.approx([0.05, 0.25, 0.5])


@pytest.mark.parametrize("tokens", [0, 300, 600])
def test_it_stays_at_its_peak_until_decay_begins(tokens: int) -> None:
    assert rate(50, tokens) == pytest.approx(0.5)


def test_it_falls_linearly_to_zero() -> None:
    assert [rate(50, t) for t in (800, 900, 1000, 1100)] == pytest.approx([0.25, 0.125, 0.0, 0.0])


def test_before_decay_a_longer_run_has_the_same_rates() -> None:
    longer = TRAINING.model_copy(update={"num_tokens": 2000})
    for step, tokens in itertools.product((1, 7, 100), (0, 100, 600)):
        assert rate(step, tokens) == rate(step, tokens, longer)


def test_bounded_time_counts_by_the_clock_alone_from_where_the_run_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(schedule, "time", SimpleNamespace(monotonic=lambda: clock.now))
    fresh, resumed = Horizon(1000, seconds=40.0), Horizon(1000, seconds=40.0, first=0.5)
    clock.now = 110.0
    assert [fresh.done(tokens) for tokens in (0, 5000)] == pytest.approx([0.25, 0.25])
    assert resumed.done(0) == pytest.approx(0.625)
    clock.now = 140.0
    assert fresh.done(0) == resumed.done(0) == pytest.approx(1.0)
