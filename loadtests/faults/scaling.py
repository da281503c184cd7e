"""Four times the load within a second: `python -m loadtests.faults.scaling`. Replicas become four, and fewer again.

The runtime is scripted: a step waits, so that four replicas fit on two cores and a replica's capacity is known.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Sequence
from dataclasses import replace

import click
import numpy as np

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.measure.setting import machine
from loadtests.peers.options import MODEL
from loadtests.peers.scripted_scale import MAX_ROWS, TEXT
from loadtests.peers.serving import running_application
from loadtests.plan import Arrival, PlanOptions, poisson_plan
from loadtests.processes import replica_pids
from loadtests.server import Server

STEP_S = 0.05
NUM_STEPS = 9
"""Of the text, its end token included."""
CAPACITY = MAX_ROWS / (STEP_S * NUM_STEPS)
"""Requests per second that one replica can answer."""
CALM, FACTOR = 0.5, 4
"""Load before the jump, of one replica's capacity, and the jump."""
TARGET_S = 1.0
"""Of the 97th percentile: twice the time of a translation that does not wait."""
WINDOW_S = 2.0
PARTS_S = (15.0, 45.0, 60.0)
"""Seconds of calm, of four times as much, and of calm again."""
OVERLOADED = "overloaded"


def plan_of(parts_s: Sequence[float]) -> list[Arrival]:
    """Calm, jump, calm."""
    arrivals: list[Arrival] = []
    started = 0.0
    for number, (seconds, factor) in enumerate(zip(parts_s, (1, FACTOR, 1), strict=True)):
        rate = CALM * CAPACITY * factor
        part = poisson_plan(PlanOptions(rate, round(rate * seconds), seed=number), [TEXT])
        arrivals += [replace(one, due_s=started + one.due_s) for one in part if one.due_s < seconds]
        started += seconds
    return arrivals


def slow_until(outcomes: Sequence[Outcome]) -> float:
    """End of the last window, in seconds from the start, whose 97th percentile was over the target; refusals are."""
    last = 0.0
    for begin in np.arange(0.0, max(one.due_s for one in outcomes), WINDOW_S):
        window = [one for one in outcomes if begin <= one.due_s < begin + WINDOW_S]
        latencies = [one.latency_s if one.code == OK else math.inf for one in window]
        if window and np.quantile(latencies, 0.97, method="higher") > TARGET_S:
            last = float(begin + WINDOW_S)
    return last


async def watched(server: Server, seconds: float) -> list[tuple[float, int]]:
    """When the number of replicas changed."""
    clock = asyncio.get_running_loop().time
    started, seen = clock(), [(0.0, len(replica_pids(server.process.pid)))]
    while (now := clock() - started) < seconds:
        count = len(await asyncio.to_thread(replica_pids, server.process.pid))
        if count != seen[-1][1]:
            seen.append((now, count))
        await asyncio.sleep(0.5)
    return seen


async def run(server: Server) -> tuple[list[Outcome], list[tuple[float, int]]]:
    """Outcomes of the plan, and the numbers of replicas meanwhile."""
    target = Target(server.url, {"beam_size": 1, "max_output_tokens": 64}, timeout_s=35.0)
    return await asyncio.gather(run_plan(plan_of(PARTS_S), target), watched(server, sum(PARTS_S)))


@click.command()
def main() -> None:
    """Quadruple the load of a server of our own; ends by itself, with 0 when nothing failed and it was fast in time."""
    settings = {
        "ATTENDANT_MODELS": MODEL,
        "ATTENDANT_MAX_BATCH_ROWS": str(MAX_ROWS),
        "ATTENDANT_MAX_REPLICAS": "4",
        "ATTENDANT_DOWNSCALE_DELAY_S": "15",
    }
    with running_application("loadtests.peers.scripted_runtime:application", {"step_s": STEP_S}, settings) as server:
        outcomes, replicas = asyncio.run(run(server))
    failed = [one for one in outcomes if one.code not in (OK, OVERLOADED)]
    refused = sum(one.code == OVERLOADED for one in outcomes)
    late_s = max(0.0, slow_until(outcomes) - PARTS_S[0])
    click.echo(f"{machine()}; {CALM * CAPACITY:.0f} requests/s, then {FACTOR} times as many after {PARTS_S[0]:g} s")
    click.echo(f"replicas: {', '.join(f'{count} at {when:.0f} s' for when, count in replicas)}")
    click.echo(f"{len(outcomes)} requests, {len(failed)} failed, {refused} refused")
    click.echo(f"p97 back under {TARGET_S:g} s {late_s:.0f} s after the jump")
    sys.exit(0 if not failed and late_s <= 20.0 else 1)


if __name__ == "__main__":
    main()
