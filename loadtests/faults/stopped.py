"""A stopped replica: `python -m loadtests.faults.stopped`. One of two replicas gets SIGSTOP under load, or, with
`--engine`, one of two engines never ends a step while its replica goes on to answer probes.

Nothing may fail: the watchdog kills it, the requests that it held are tried elsewhere, and Serve starts another.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path

import click

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.faults.linear import WAITING_BODY
from loadtests.faults.nodes import Load
from loadtests.faults.overload import BODY, long_texts
from loadtests.faults.scaling import CAPACITY, STEP_S
from loadtests.measure.setting import machine
from loadtests.peers.options import MODEL
from loadtests.peers.scripted_scale import MAX_ROWS, TEXT
from loadtests.peers.serving import running_application
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.processes import is_running, kill, replica_pids
from loadtests.server import Server, running_server

REPLACED_WITHIN_S = 60.0
SHARE = 0.7
"""Of what one engine can do: the load with `--engine`."""


async def stop_one(server: Server, after_s: float, hang: Path | None) -> tuple[float, float]:
    """Stop the oldest replica, or let the file `hang` do it to one. Seconds until it has ended, and until there are as
    many as before."""
    await asyncio.sleep(after_s)
    before = replica_pids(server.process.pid)
    if hang is None:
        kill(before[0], signal.SIGSTOP)
    else:
        hang.touch()
    started, ended_s = time.monotonic(), math.nan
    while time.monotonic() - started < REPLACED_WITHIN_S:
        await asyncio.sleep(0.1)
        left = [pid for pid in before if is_running(pid)]
        if math.isnan(ended_s) and len(left) < len(before):
            ended_s = time.monotonic() - started
        running = [pid for pid in replica_pids(server.process.pid) if is_running(pid)]
        if len(left) < len(before) and len(running) == len(before):
            return ended_s, time.monotonic() - started
    return ended_s, math.nan


async def under_load(
    server: Server, load: Load, seconds: float, hang: Path | None
) -> tuple[list[Outcome], tuple[float, float]]:
    """Outcomes of all requests, and what `stop_one` says, a third into the run."""
    plan = poisson_plan(PlanOptions(load.rate, round(load.rate * seconds), seed=5), load.texts)
    target = Target(server.url, load.body, timeout_s=35.0)
    outcomes, stopped = await asyncio.gather(run_plan(plan, target), stop_one(server, seconds / 3, hang))
    return outcomes, stopped


def waiting_server(hang: Path) -> AbstractContextManager[Server]:
    """Two replicas over a runtime that waits, until a step finds the file `hang`."""
    settings = {"ATTENDANT_MODELS": MODEL, "ATTENDANT_MAX_BATCH_ROWS": str(MAX_ROWS)}
    options = {"step_s": STEP_S, "hang": str(hang)}
    return running_application("loadtests.peers.scripted_runtime:application", options, settings, 2)


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), default=15.0, show_default=True, help="Requests/s of 8 sentences.")
@click.option("--engine", is_flag=True, help="Hang an engine alone, over a runtime that waits.")
@click.option("--seconds", type=click.FloatRange(10), default=40.0, show_default=True)
def main(rate: float, engine: bool, seconds: float) -> None:
    """Stop one of two replicas of a server of our own under load; ends by itself with 0 when nothing failed."""
    with tempfile.TemporaryDirectory() as folder:
        hang = Path(folder, "hang") if engine else None
        load = Load(SHARE * CAPACITY, [TEXT], WAITING_BODY) if engine else Load(rate, long_texts(8), BODY)
        with running_server(2) if hang is None else waiting_server(hang) as server:
            outcomes, (ended_s, replaced_s) = asyncio.run(under_load(server, load, seconds, hang))
    codes = Counter(one.code for one in outcomes)
    slowest = max(one.latency_s for one in outcomes)
    click.echo(f"{len(outcomes)} requests, {dict(codes)}; slowest {slowest:.1f} s; {machine()}")
    click.echo(f"the stopped replica had ended after {ended_s:.1f} s, another ran after {replaced_s:.1f} s")
    sys.exit(0 if codes.keys() == {OK} else 1)


if __name__ == "__main__":
    main()
