"""Killed replicas: `python -m loadtests.faults.killed`. A replica gets SIGKILL again and again under load.

The load is 0.7 of the capacity C, which is found first. Nothing may fail, and every translation must be the one that
was given before.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter

import click

from loadtests.client import OK, Outcome, Target, run_plan, translations
from loadtests.faults.overload import BODY, capacity, long_texts
from loadtests.measure.setting import machine
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.processes import kill, replica_pids
from loadtests.server import Server, running_server

NUM_SENTENCES = 8
SHARE = 0.7
"""Of C."""
SEARCH_S = 20.0
"""Of each rate of the search for C."""


async def kill_often(server: Server, every_s: float, times: int) -> int:
    """Kill the oldest replica every so many seconds; how many were killed."""
    killed = set()
    for _ in range(times):
        await asyncio.sleep(every_s)
        oldest = replica_pids(server.process.pid)[:1]
        for pid in oldest:
            kill(pid, signal.SIGKILL)
        killed.update(oldest)
    await asyncio.sleep(every_s)
    return len(killed)


async def under_load(server: Server, rate: float, every_s: float, times: int) -> tuple[list[Outcome], int]:
    """Outcomes of all requests, and how many replicas were killed meanwhile."""
    texts = long_texts(NUM_SENTENCES)
    expected = await translations(texts, Target(server.url, BODY))
    plan = poisson_plan(PlanOptions(rate, round(rate * every_s * (times + 1)), seed=5), texts)
    target = Target(server.url, BODY, timeout_s=35.0, expected=expected)
    outcomes, killed = await asyncio.gather(run_plan(plan, target), kill_often(server, every_s, times))
    return outcomes, killed


def _capacity(server: Server, first_rate: float) -> float:
    texts, target = long_texts(NUM_SENTENCES), Target(server.url, BODY, timeout_s=35.0)
    return capacity(target, texts, first_rate, SEARCH_S).rate


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), help="Requests/s of 8 sentences.  [default: 0.7 of the capacity]")
@click.option("--first-rate", type=click.FloatRange(0.1), default=8.0, show_default=True, help="Of the search for C.")
@click.option(
    "--max-wait",
    "max_wait_s",
    type=click.FloatRange(0.1),
    default=1.0,
    show_default=True,
    help="ATTENDANT_MAX_WAIT_S of the server: one replica of two may have to do the work of both.",
)
@click.option("--every", "every_s", type=click.FloatRange(1), default=10.0, show_default=True, help="Seconds.")
@click.option("--times", type=click.IntRange(1), default=10, show_default=True)
@click.option("--replicas", type=click.IntRange(2), default=2, show_default=True)
def main(rate: float | None, first_rate: float, max_wait_s: float, every_s: float, times: int, replicas: int) -> None:
    """Kill replicas of a server of our own under load; ends by itself, with 0 when nothing failed."""
    with running_server(replicas, ATTENDANT_MAX_WAIT_S=str(max_wait_s)) as server:
        rate = rate or SHARE * _capacity(server, first_rate)
        outcomes, killed = asyncio.run(under_load(server, rate, every_s, times))
    codes = Counter(f"{one.code} {one.detail}".strip() for one in outcomes)
    slowest = max(one.latency_s for one in outcomes)
    click.echo(f"{rate:g} requests/s of {NUM_SENTENCES} sentences, beam 4, {replicas} replicas; {machine()}")
    click.echo(f"{len(outcomes)} requests, {dict(codes)}; slowest {slowest:.1f} s; {killed} replicas killed")
    sys.exit(0 if codes.keys() == {OK} and killed == times else 1)


if __name__ == "__main__":
    main()
