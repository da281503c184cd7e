"""A stopped replica: `python -m loadtests.faults.stopped`. One of two replicas gets SIGSTOP under load.

Nothing may fail: the watchdog kills it, the requests that it held are tried elsewhere, and Serve starts another.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import time
from collections import Counter

import click

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.faults.overload import BODY, long_texts
from loadtests.measure.setting import machine
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.processes import is_running, kill, replica_pids
from loadtests.server import Server, running_server

REPLACED_WITHIN_S = 60.0


async def stop_one(server: Server, after_s: float) -> tuple[float, float]:
    """Stop the oldest replica. Seconds until it has ended, and until there are as many as before."""
    await asyncio.sleep(after_s)
    before = replica_pids(server.process.pid)
    kill(before[0], signal.SIGSTOP)
    started, ended_s = time.monotonic(), math.nan
    while time.monotonic() - started < REPLACED_WITHIN_S:
        await asyncio.sleep(0.1)
        now = replica_pids(server.process.pid)
        if math.isnan(ended_s) and not is_running(before[0]):
            ended_s = time.monotonic() - started
        if len([pid for pid in now if pid != before[0] and is_running(pid)]) == len(before):
            return ended_s, time.monotonic() - started
    return ended_s, math.nan


async def under_load(server: Server, rate: float, seconds: float) -> tuple[list[Outcome], tuple[float, float]]:
    """Outcomes of all requests, and what `stop_one` says, a third into the run."""
    plan = poisson_plan(PlanOptions(rate, round(rate * seconds), seed=5), long_texts(8))
    target = Target(server.url, BODY, timeout_s=35.0)
    outcomes, stopped = await asyncio.gather(run_plan(plan, target), stop_one(server, seconds / 3))
    return outcomes, stopped


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), default=15.0, show_default=True, help="Requests/s of 8 sentences.")
@click.option("--seconds", type=click.FloatRange(10), default=40.0, show_default=True)
def main(rate: float, seconds: float) -> None:
    """Stop one of two replicas of a server of our own under load; ends by itself with 0 when nothing failed."""
    with running_server(2) as server:
        outcomes, (ended_s, replaced_s) = asyncio.run(under_load(server, rate, seconds))
    codes = Counter(one.code for one in outcomes)
    slowest = max(one.latency_s for one in outcomes)
    click.echo(f"{len(outcomes)} requests, {dict(codes)}; slowest {slowest:.1f} s; {machine()}")
    click.echo(f"the stopped replica had ended after {ended_s:.1f} s, another ran after {replaced_s:.1f} s")
    sys.exit(0 if codes.keys() == {OK} else 1)


if __name__ == "__main__":
    main()
