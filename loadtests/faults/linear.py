"""From one machine to three: `python -m loadtests.faults.linear`. Throughput of a cluster over a runtime that waits.

The machines are network namespaces of this one. Their steps wait instead of computing, so that three fit on two cores,
and a replica's capacity is set by its engine. Each machine has one replica, and gets more requests than that can take;
what it cannot take is refused.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import click

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.faults.machines import Cluster, cluster, wait_until_answering, why_not
from loadtests.faults.scaling import NUM_STEPS, OVERLOADED
from loadtests.measure.setting import machine as processor
from loadtests.measure.setting import show
from loadtests.peers.options import MODEL
from loadtests.peers.scripted_runtime import application
from loadtests.peers.scripted_scale import MAX_ROWS, TEXT
from loadtests.plan import PlanOptions, poisson_plan
from service.deployments.connecting import connected
from service.deployments.rollout import deploy
from service.settings import Settings

COUNTS = (1, 3)
STEP_S = 0.15
"""Seconds of a step: so many that three machines, their proxies and the clients need less than two cores."""
CAPACITY = MAX_ROWS / (STEP_S * NUM_STEPS)
"""Requests per second of a replica."""
WAITING_BODY = {"beam_size": 1, "max_output_tokens": 64}
"""Of each request, beside TEXT."""
FACTOR = 1.3
"""Load, of what all replicas together can answer."""
SECONDS, WARM_S = 30.0, 8.0
BAR = 0.9
READY_WITHIN_S = 60.0


def deploy_waiting(of: Cluster, cpus_per_replica: float = 1.0) -> None:
    """As many replicas over a waiting runtime as there are machines; with a whole processor each, one for each machine.

    Raises CalledProcessError.
    """
    folder, counts = str(of.folder), f"{len(of.machines)}, {cpus_per_replica}"
    call = f"deploy_scripted({of.control!r}, Path({folder!r}) / 'token', {counts})"
    code = f"from loadtests.faults.linear import *; {call}"
    command = ["ip", "netns", "exec", of.head.name, sys.executable, "-c", code]
    subprocess.run(command, check=True, stdout=sys.stderr)


def deploy_scripted(control: str, token_file: Path, num_replicas: int, cpus_per_replica: float) -> None:
    """Runs on the head."""
    settings = Settings(
        models=(MODEL,),
        num_replicas=num_replicas,
        max_batch_rows=MAX_ROWS,
        open=True,
        cpus_per_replica=cpus_per_replica,
    )
    with connected(control, token_file.read_text("ascii").strip()):
        deploy(settings, 120.0, True, print, partial(application, step_s=STEP_S))


async def goodput(of: Cluster) -> tuple[float, Counter[str]]:
    """Answers per second after the first seconds, and what became of all requests."""
    rate = FACTOR * CAPACITY
    plans = [
        poisson_plan(PlanOptions(rate, round(rate * SECONDS), seed=machine.number), [TEXT]) for machine in of.machines
    ]
    runs = [run_plan(plan, Target(one.url, WAITING_BODY, 35.0)) for plan, one in zip(plans, of.machines, strict=True)]
    outcomes: list[Outcome] = [one for run in await asyncio.gather(*runs) for one in run]
    counted = [one for one in outcomes if one.code == OK and WARM_S <= one.done_s < SECONDS]
    return len(counted) / (SECONDS - WARM_S), Counter(one.code for one in outcomes)


def measured(count: int) -> tuple[float, Counter[str]]:
    """The goodput of a cluster of so many machines."""
    with cluster(count) as made:
        deploy_waiting(made)
        for machine in made.machines:
            wait_until_answering(machine, READY_WITHIN_S)
        return asyncio.run(goodput(made))


@click.command()
def main() -> None:
    """Measure one machine and three; ends by itself, with 0 when three do nearly three times as much and none fails."""
    if missing := why_not():
        raise click.ClickException(missing)
    rows, found, lost = [], [], 0
    for count in COUNTS:
        rate, codes = measured(count)
        found.append(rate / count)
        failed = sum(number for code, number in codes.items() if code not in (OK, OVERLOADED))
        lost += failed
        shares = rate / count / found[0], rate / (CAPACITY * count)
        rows.append((count, f"{rate:.1f}", *(f"{share:.2f}" for share in shares), codes[OVERLOADED], failed))
    header = ["machines", "answers/s", f"of linear (bar {BAR})", "of what its rows can do", "refused", "failed"]
    show(f"One machine and three, {processor()}", header, rows)
    sys.exit(0 if found[-1] >= BAR * found[0] and not lost else 1)


if __name__ == "__main__":
    main()
