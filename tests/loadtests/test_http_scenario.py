"""The search for the highest rate, on a simulated server whose capacity is known."""

from __future__ import annotations

import heapq
import math
from pathlib import Path

import numpy as np
import pytest

from loadtests.peers.latency_curve import CurvePoint, draw
from loadtests.peers.scenario import LIMIT_MS, PERCENTILE, PRECISION, STEP, Probe, Prober, confirm, highest_rate
from loadtests.plan import PlanOptions, poisson_plan


class Simulation:
    """First come, first served, `service_s` each: its capacity is num_servers / service_s requests/s."""

    def __init__(self, service_s: float, num_servers: int = 1) -> None:
        self.service_s, self.num_servers, self.calls = service_s, num_servers, list[tuple[float, float, int]]()

    def __call__(self, rate: float, seconds: float, seed: int) -> Probe:
        self.calls.append((rate, seconds, seed))
        plan = poisson_plan(PlanOptions(rate, math.ceil(rate * seconds), seed), ("x",))
        free = [0.0] * self.num_servers
        latencies = []
        for arrival in plan:
            done = max(arrival.due_s, heapq.heappop(free)) + self.service_s
            heapq.heappush(free, done)
            latencies.append((done - arrival.due_s) * 1000.0)
        p50, p97 = np.percentile(latencies, [50, PERCENTILE])
        return Probe(rate, rate, float(p50), float(p97), 0)


def step(capacity: float) -> Prober:
    """Holds up to a rate and never beyond."""
    return lambda rate, seconds, seed: Probe(rate, rate, 1.0, 10.0 if rate <= capacity else math.inf, 0)


@pytest.mark.parametrize("start", [3.0, 90.0, 100.0, 900.0])
def test_bisection_finds_a_sharp_capacity_from_above_and_below(start: float) -> None:
    found = highest_rate(step(100.0), start, 1.0)
    assert 100.0 / (1 + PRECISION) <= found <= 100.0


def test_bisection_finds_where_the_queue_of_a_server_grows_too_long() -> None:
    """M/D/1 with 10 ms: capacity 100/s; the wait's 97th percentile reaches 240 ms a little below it."""
    found = highest_rate(Simulation(0.01), 30.0, 60.0)
    assert 85.0 < found < 100.0
    assert Simulation(0.01)(0.9 * found, 60.0, 7).p97_ms <= LIMIT_MS


def test_twice_the_servers_hold_twice_the_rate() -> None:
    one, two = (highest_rate(Simulation(0.01, count), 50.0, 60.0) for count in (1, 2))
    assert two / one == pytest.approx(2.0, rel=0.06)


def test_a_server_that_is_always_too_slow_is_told() -> None:
    with pytest.raises(ValueError, match="no rate down to"):
        highest_rate(Simulation(0.3), 10.0, 10.0)


def test_errors_fail_a_rate_however_fast_the_answers_were() -> None:
    assert Probe(10, 10, 1, LIMIT_MS, 0).holds
    assert not Probe(10, 10, 1, 1, 1).holds
    assert not Probe(10, 10, 1, LIMIT_MS + 1, 0).holds


def test_a_rate_that_fails_a_confirmation_is_lowered_and_confirmed_anew() -> None:
    fails, holds = confirm([step(97.5), step(50.0)], [100.0, 50.0], 60.0, 5)
    assert fails.rate == pytest.approx(100.0 * STEP)
    assert (fails.num_lowered, len(fails.probes)) == (1, 5)
    assert (holds.rate, holds.num_lowered, len(holds.probes)) == (50.0, 0, 5)


def test_confirmations_differ_in_their_arrivals() -> None:
    server = Simulation(0.001)
    confirm([server], [100.0], 1.0, 5)
    assert len({seed for _, _, seed in server.calls}) == 5


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    points = [CurvePoint(10, 5, 9), CurvePoint(20, 8, 100)]
    draw({"ours": points, "peer": points}, LIMIT_MS, "greedy", tmp_path / "images" / "curve.png")
    assert (tmp_path / "images" / "curve.png").read_bytes().startswith(b"\x89PNG")
