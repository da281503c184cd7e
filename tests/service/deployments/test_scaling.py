"""How many replicas the autoscaler is told to have."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.store import Store
from service.deployments.heartbeat import Siblings
from service.deployments.node_parts import NodeParts
from service.deployments.replica import Replica
from service.deployments.scaling import FULL, MAX_STEP, TARGET_FULL, WAIT, PredictedWaitPolicy, autoscaling, desired
from service.errors import ConfigurationError
from service.lifetimes import named, this_process
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings, read_settings


def context(waits: list[float], full: list[float], target: int = 2) -> Any:
    """What Serve shows a policy."""
    metrics = {WAIT: dict(enumerate(waits)), FULL: dict(enumerate(full))}
    return SimpleNamespace(aggregated_metrics=metrics, target_num_replicas=target)


@given(st.integers(1, 64), st.floats(0, 60), st.floats(0, 4), st.floats(0.01, 10))
def test_it_grows_exactly_when_somebody_waits_too_long_or_batches_are_too_full(
    num_replicas: int, wait_s: float, full: float, target_wait_s: float
) -> None:
    found = desired(num_replicas, wait_s, full, target_wait_s)
    assert (found > num_replicas) == (wait_s > target_wait_s or full > TARGET_FULL)
    assert 0 <= found <= num_replicas * MAX_STEP


def test_a_full_queue_on_one_replica_asks_for_several() -> None:
    assert PredictedWaitPolicy(0.3)(context([1.0], [1.0])) == (pytest.approx(10 / 3), {})


def test_idle_replicas_are_too_many_and_half_full_ones_are_kept() -> None:
    policy = PredictedWaitPolicy(0.3)
    assert policy(context([0.0] * 4, [0.0] * 4))[0] == 0.0
    assert 3.0 < policy(context([0.0] * 4, [0.6] * 4))[0] <= 4.0


def test_without_reports_nothing_changes() -> None:
    assert PredictedWaitPolicy(0.3)(context([], [], target=3)) == (3, {})


def test_the_number_is_fixed_unless_it_may_grow() -> None:
    assert autoscaling(Settings()) is None
    found = autoscaling(Settings(num_replicas=2, max_replicas=5, target_wait_s=0.5))
    assert found is not None
    assert (found["min_replicas"], found["max_replicas"]) == (2, 5)
    assert found["policy"]["policy_kwargs"] == {"target_wait_s": 0.5}


def test_replicas_cannot_grow_to_fewer() -> None:
    with pytest.raises(
        ConfigurationError, match=r"ATTENDANT_MAX_REPLICAS: it is less than num_replicas, 3 \(given .2.\)"
    ):
        read_settings({"ATTENDANT_NUM_REPLICAS": "3", "ATTENDANT_MAX_REPLICAS": "2"})


@pytest.mark.parametrize("most", [None, 3])
def test_a_replica_tells_what_its_load_calls_for_and_the_bounds(
    store: Path, monkeypatch: pytest.MonkeyPatch, most: int | None
) -> None:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    metrics = Metrics(SeriesTable())
    settings = Settings(max_replicas=most, target_wait_s=0.5)
    replica = Replica([Store(store).open("better")], settings, metrics, OnnxRuntime)

    async def run() -> None:
        await replica.start()
        if most is not None:
            replica.load()  # Serve asks only where it scales
        await replica.stop()

    asyncio.run(run())
    told = metrics.exposition()[0].decode()
    bounds = 'attendant_bound_replicas{bound="fewest"} 1.0', 'attendant_bound_replicas{bound="most"} 3.0'
    assert all((bound in told) == (most is not None) for bound in bounds)
    assert ("\nattendant_wanted_replicas " in told) == (most is not None)


def test_replicas_that_are_left_take_over_the_waiting_rooms_of_lost_ones(store: Path, tmp_path: Path) -> None:
    settings = Settings(max_wait_s=0.5)
    siblings, names = Siblings(tmp_path), (this_process(), named(os.getppid()))
    replica = Replica(
        [Store(store).open("better")], settings, Metrics(SeriesTable()), OnnxRuntime, NodeParts(siblings=siblings)
    )
    (engine,) = (worker.handle._engine for worker in replica._workers.values())

    def waits_s(*beaten_s_ago: float) -> float:
        """What a request may wait where replicas gave signs of life so many seconds ago."""
        for number, ago_s in enumerate(beaten_s_ago):
            (tmp_path / names[number]).touch()
            os.utime(tmp_path / names[number], (time.time() - ago_s,) * 2)
        replica.check_health()
        return engine.limits.max_wait_s

    async def run() -> None:
        await replica.start()
        assert waits_s() == waits_s(0.0) == waits_s(0.0, 0.0) == 0.5
        assert waits_s(0.0, 3.0) == 1.0
        assert replica.configure({"max_wait_s": 2.0}).max_wait_s == 2.0
        assert engine.limits.max_wait_s == 4.0
        assert waits_s(0.0, 0.0) == 2.0
        await replica.stop()

    asyncio.run(run())
