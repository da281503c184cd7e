"""What makes a load test fail, of numbers as a run finds them."""

from __future__ import annotations

from collections import Counter

import pytest

from loadtests.faults import models, overload
from loadtests.faults.overload import Shown
from loadtests.faults.soak import Look, Soaked, aged_over_fresh, verdict, windows

SECONDS = 1800.0
NAN = float("nan")


def soaked(per_look: float) -> Soaked:
    """Half an hour in which so many descriptors are opened between two looks, beside those of requests."""
    looks = [Look(30.0 * i, 1600.0, 660 + round(per_look * i) + 20 * (-1) ** i) for i in range(61)]
    latencies = [(float(second), 0.02) for second in range(int(SECONDS))]
    return Soaked(looks, latencies, Counter(ok=20_000))


def test_descriptors_that_come_and_go_are_no_fault() -> None:
    lines, faults = verdict(soaked(0), SECONDS)
    assert faults == []
    assert any(line.startswith("descriptors: ") for line in lines)


def test_descriptors_that_leak_are_a_fault() -> None:
    _, faults = verdict(soaked(2), SECONDS)
    assert [fault.partition(" more ")[2] for fault in faults] == ["descriptors are open in the end, more than 40"]


def test_a_short_soak_has_a_verdict() -> None:
    seen = soaked(0)
    seen.looks = [Look(0.0, 1600.0, 660), Look(30.0, 1600.0, 670)]
    seen.latencies = [(second / 10, 0.02) for second in range(300)]
    assert verdict(seen, 30.0)[1] == []


def test_each_window_tells_latency_beside_work_and_the_speed_of_the_machine() -> None:
    looks = [Look(30.0 * i, 1600.0, 660, 12.0 * i, 0.3 * i, 0.2 if i < 5 else 0.3) for i in range(11)]
    seen = Soaked(looks, [(float(second), 0.02 if second < 150 else 0.05) for second in range(300)], Counter(ok=300))
    assert windows(seen) == [
        "0 s: p50 20 ms, p99 20 ms, 400.0 ms of processor a translation, 1.0% of a processor stolen, 0.20 ms for a"
        " fixed loop",
        "150 s: p50 50 ms, p99 50 ms, 400.0 ms of processor a translation, 1.0% of a processor stolen, 0.30 ms for a"
        " fixed loop",
    ]


def in_turns(slower: float) -> list[tuple[Soaked, Soaked]]:
    """Turns on a machine that is twice as slow in the end; the aged server takes `slower` times as long."""
    fresh_s = [0.05, 0.06, 0.08, 0.1]
    return [(Soaked(latencies=[(1.0, slower * took)]), Soaked(latencies=[(1.0, took)])) for took in fresh_s]


def test_a_slower_machine_is_no_drift() -> None:
    line, faults = aged_over_fresh(in_turns(1.05))
    assert faults == []
    assert line.endswith("aged over fresh: 1.05, quartiles 1.05 and 1.05")


def test_an_aged_server_that_is_slower_than_a_fresh_one_is_a_fault() -> None:
    _, faults = aged_over_fresh(in_turns(1.2))
    assert faults == ["p99 of the aged server is 1.20 times that of a fresh one, more than 1.1"]


SETTLES = [334, 371, 380, 388, 392, 395, 403, 456, 420, 441, 405, 450, 431, 440, 412, 455, 409, 448, 433, 426]
"""MiB of the largest replica after each of 20 changes, as docs/reliability.md tells of them."""


def test_memory_that_settles_is_no_fault() -> None:
    assert models.faults(0, SETTLES) == []


def test_memory_that_grows_with_every_change_is_a_fault() -> None:
    (fault,) = models.faults(0, [334.0 + 15 * i for i in range(20)])
    assert fault == "memory of the largest replica grew by 90 MiB, more than 40"


def test_a_few_changes_are_judged_by_their_requests_alone() -> None:
    assert models.faults(0, [300.0, 500.0]) == []
    assert models.faults(3, [300.0, 500.0]) == ["3 requests failed"]


def shown(factor: float, answered_rate: float, **codes: int) -> Shown:
    return Shown(factor, 20.0 * factor, answered_rate, 1.0, NAN, codes, 0.003)


def test_overload_that_is_refused_is_no_fault() -> None:
    seen = [shown(1, 19.0, ok=1140), shown(10, 15.4, ok=924, overloaded=11_076), shown(0.7, 14.4, ok=140)]
    assert overload.faults(seen, 20.0) == []


@pytest.mark.parametrize("factor", [10, 0.7])
def test_a_server_that_refuses_everything_is_a_fault(factor: float) -> None:
    (fault,) = overload.faults([shown(factor, 0.0, overloaded=1200)], 20.0)
    assert fault.endswith(f"0.0 translations/s, fewer than {10.0 * min(factor, 1):.1f}")


def test_other_ends_under_overload_are_a_fault() -> None:
    (fault,) = overload.faults([shown(2, 19.0, ok=1140, overloaded=1200, timeout=2)], 20.0)
    assert fault == "2 C, 40 requests/s: 2 requests were neither translated nor refused as overload is"
