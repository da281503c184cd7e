"""Faults of a cluster of three machines: `python -m loadtests.faults.nodes`. Each scenario prints a row of a table.

The machines are network namespaces of this one, so that their processors are shared. The load goes through the HTTP
ports of machines that are not hurt, as a load balancer in front would send it; where machines begin and cease to take
requests, through a load balancer.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from loadtests.client import OK, Outcome, Target, run_plan, translations
from loadtests.faults.linear import CAPACITY, WAITING_BODY, deploy_waiting
from loadtests.faults.machines import Cluster, Machine, cluster, load_balancer, wait_until_answering, why_not
from loadtests.faults.overload import BODY, long_texts
from loadtests.faults.seen import Seen, within
from loadtests.faults.spoilt import MODEL, bad_bundles
from loadtests.measure.setting import machine as processor
from loadtests.peers.scripted_scale import TEXT
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.processes import title
from loadtests.scrape import Scrape, scrape
from service.observability.table import REQUESTS

NUM_SENTENCES = 8
"""Of a request, unless told otherwise."""
CPUS_PER_REPLICA = 0.25
"""Of replicas that wait, so that two machines have room for three."""
BACK_WITHIN_S = 120.0
LINK_DOWN_S = 20.0
LINK_BACK_WITHIN_S = 15.0
"""In which all replicas must run again once the link is up."""
SLOWEST_BESIDE_LINK_S = 6.0
HEAD_GONE_S = 5.0
CONTROL_BACK_WITHIN_S = 60.0

Fault = Callable[[Cluster], Awaitable[Seen]]
"""Does the damage while requests run, and says what was seen."""


@dataclass(frozen=True)
class Load:
    """What is asked for all the time."""

    rate: float
    """Requests per second."""
    texts: Sequence[str]
    body: dict[str, Any]
    """Fields of a request beside its text."""


async def under_load(fault: Fault, of: Cluster, through: Sequence[str], load: Load, seconds: float) -> Seen:
    """A row: what became of all requests, which go evenly through these URLs, and what the fault says. An answer other
    than the one before the fault is wrong."""
    texts, body, share = load.texts, load.body, load.rate / len(through)
    expected = await translations(texts, Target(through[0], body))
    plans = [poisson_plan(PlanOptions(share, round(share * seconds), seed=11 + i), texts) for i in range(len(through))]
    runs = [run_plan(plan, Target(url, body, 35.0, expected)) for plan, url in zip(plans, through, strict=True)]

    async def later() -> Seen:
        await asyncio.sleep(seconds / 5)
        return await fault(of)

    found, *seen = await asyncio.gather(asyncio.gather(*runs), later())
    outcomes: list[Outcome] = [one for run in found for one in run]
    failed = Counter(f"{one.code} {one.detail}".strip() for one in outcomes if one.code != OK)
    slowest = max(one.latency_s for one in outcomes)
    if isinstance(fault, Sums):
        answered = len(expected) + sum(one.code == OK for one in outcomes)
        seen.append(await fault.compared(of, answered))
    is_slow = fault is link_down and slowest > SLOWEST_BESIDE_LINK_S
    told = _told(failed, [one.due_s - seconds / 5 for one in outcomes if one.code != OK]) if failed else ""
    row = f"{len(outcomes)} requests, {sum(failed.values())} failed{told}, slowest {slowest:.1f} s"
    is_wrong = bool(failed) or is_slow or any(one.is_wrong for one in seen)
    return Seen("; ".join([row, *(one.told for one in seen)]), is_wrong)


def _told(failed: Counter[str], when_s: Sequence[float]) -> str:
    """What failed, and when, in seconds after the fault began."""
    codes = ", ".join(f"{count} {code}" for code, count in failed.items())
    return f" ({codes}; asked for {min(when_s):.1f} to {max(when_s):.1f} s after)"


async def node_killed(of: Cluster) -> Seen:
    """The third machine loses its power."""
    of.machines[2].kill()
    return within("three replicas again after {:.0f} s", await replaced(of))


async def link_down(of: Cluster) -> Seen:
    """The third machine's cable is pulled, and plugged in again."""
    of.machines[2].set_link(False)
    cut = time.monotonic()
    back_s = await replaced(of)
    await asyncio.sleep(cut + LINK_DOWN_S - time.monotonic())
    of.machines[2].set_link(True)
    return within("three replicas again {:.0f} s after the link went", back_s, LINK_DOWN_S + LINK_BACK_WITHIN_S)


async def controller_killed(of: Cluster) -> Seen:
    """Serve's controller is killed."""
    kill_titled(of.head, "ray::ServeController")
    return within("three replicas known again after {:.0f} s", await replicas_back(of, 3))


async def proxy_killed(of: Cluster) -> Seen:
    """HAProxy of the head is killed."""
    kill_titled(of.head, "/haproxy ")
    return within(
        "it answers again after {:.1f} s", await asyncio.to_thread(wait_until_answering, of.head, BACK_WITHIN_S)
    )


async def head_killed(of: Cluster) -> Seen:
    """The head loses its power and is started again; Redis has kept the cluster's state."""
    of.head.kill()
    killed = time.monotonic()
    await asyncio.sleep(HEAD_GONE_S)
    await asyncio.to_thread(of.node, of.head)
    back_s = time.monotonic() - killed + await replicas_back(of, 3)
    told = f"control back {{:.0f}} s after, of which the head was off for {HEAD_GONE_S:g}"
    return within(told, back_s, CONTROL_BACK_WITHIN_S)


async def changed(of: Cluster, seconds: float = 0.0) -> Seen:
    """Other settings, another model, one replica, three again: each by `attendant deploy`, again for so long."""
    steps = [
        {"num_replicas": "3", "models": MODEL, "max_wait_s": "1.5"},
        {"num_replicas": "3", "models": f"{MODEL},fr-en-transformer"},
        {"num_replicas": "1", "models": f"{MODEL},fr-en-transformer"},
        {"num_replicas": "3", "models": f"{MODEL},fr-en-transformer"},
    ]
    started, count = time.monotonic(), 0
    while count == 0 or time.monotonic() - started < seconds:
        for step in steps:
            done = await asyncio.to_thread(of.deploy, "--drop-pairs", **step)
            if done.returncode != 0:
                return Seen(f"`attendant deploy` failed: {done.stderr[-300:]}", True)
            count += 1
    return Seen(f"{count} changes in {time.monotonic() - started:.0f} s")


class Sums:
    """A machine is lost and replicas are taken away; all machines' metrics together must tell what clients saw."""

    def __init__(self) -> None:
        self._lost = Scrape(())

    async def __call__(self, of: Cluster) -> Seen:
        """The third machine is scraped a last time and loses its power; later one replica is left of three."""
        self._lost = await asyncio.to_thread(scrape, of.machines[2].metrics_url)
        seen = await node_killed(of)
        done = await asyncio.to_thread(of.deploy, num_replicas="1", models=MODEL)
        return seen if done.returncode == 0 else Seen(f"`attendant deploy` failed: {done.stderr[-300:]}", True)

    async def compared(self, of: Cluster, answered: int) -> Seen:
        """The answers that clients had beside those that the machines counted, the lost one as last scraped."""
        living = [await asyncio.to_thread(scrape, one.metrics_url) for one in of.machines[:2]]
        counted = sum(one.total(REQUESTS.name, code="ok", route="/v1/translate") for one in (*living, self._lost))
        told = f"clients had {answered} answers, the metrics of all machines tell of {counted:.0f}"
        return Seen(told, counted != answered)


async def replaced(of: Cluster) -> float:
    """Seconds until three replicas run on machines other than the third one; nan when it takes too long."""
    return await _seen(
        of, lambda lines: lines.count(" running on ") == 3 and f" on {of.machines[2].address}," not in lines
    )


async def replicas_back(of: Cluster, count: int) -> float:
    """Seconds until `attendant status` shows so many running replicas; nan when it takes too long."""
    return await _seen(of, lambda lines: lines.count(" running on ") == count and "application: running" in lines)


async def _seen(of: Cluster, is_so: Callable[[str], bool]) -> float:
    started = time.monotonic()
    while time.monotonic() - started < BACK_WITHIN_S:
        done = await asyncio.to_thread(of.ask, "status")
        if done.returncode == 0 and is_so(done.stdout):
            return time.monotonic() - started
        await asyncio.sleep(0.5)
    return math.nan


def kill_titled(machine: Machine, name: str) -> None:
    """SIGKILL for every process of the machine whose command line has that."""
    for pid in machine.pids():
        if name in title(pid) + " ":
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


SCENARIOS: dict[str, tuple[Fault, Sequence[int], float]] = {
    "node-killed": (node_killed, (0, 1), 1.0),
    "link-down": (link_down, (0, 1), 2.0),
    "controller-killed": (controller_killed, (0, 1, 2), 1.0),
    "proxy-killed": (proxy_killed, (1, 2), 1.0),
    "head-killed": (head_killed, (1, 2), 2.0),
    "changed": (changed, (), 4.0),
    "sums": (Sums(), (0, 1), 2.0),
    "bad-bundles": (bad_bundles, (0, 1, 2), 3.0),
}
"""The fault, the machines that the load goes through (none: a load balancer), and how much longer than `--seconds` it
lasts."""
DEPLOYING = {"changed", "sums", "bad-bundles"}
"""Those that deploy models."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*SCENARIOS]))
@click.option("--rate", type=click.FloatRange(0.1), help="Requests/s.  [default: 20; half of what can be done]")
@click.option(
    "--waiting", is_flag=True, help="Over a runtime that only waits, so that three machines fit on two cores."
)
@click.option("--sentences", type=click.IntRange(1), help=f"Of each request.  [default: {NUM_SENTENCES}; waiting 1]")
@click.option("--seconds", type=click.FloatRange(10), default=30.0, show_default=True, help="Length of a scenario.")
def main(names: tuple[str, ...], rate: float | None, waiting: bool, sentences: int | None, seconds: float) -> None:
    """Hurt a cluster of three machines under load; ends by itself, with 0 when no request failed and all came back.

    \b
    Examples:
      python -m loadtests.faults.nodes node-killed link-down
      python -m loadtests.faults.nodes --rate 10
      python -m loadtests.faults.nodes --waiting          # at half of what three machines can do
      python -m loadtests.faults.nodes changed --rate 25 --sentences 1 --seconds 100   # 10,000 requests
    """
    if reason := why_not():
        raise click.ClickException(f"three machines are needed, and cannot be made here: {reason}")
    if waiting:
        if sentences not in (None, 1):
            raise click.UsageError("--sentences is 1 with --waiting, whose capacity is known for that")
        if deploying := DEPLOYING.intersection(names):
            raise click.UsageError(f"{', '.join(deploying)} deploys models, which --waiting does not have")
        load = Load(rate or 1.5 * CAPACITY, [TEXT], WAITING_BODY)
        told = f"that only wait; {load.rate:.1f} requests/s of a sentence, of {3 * CAPACITY:.1f} that they can do"
        names = names or tuple(name for name in SCENARIOS if name not in DEPLOYING)
    else:
        sentences = sentences or NUM_SENTENCES
        load = Load(rate or 20.0, long_texts(sentences), BODY)
        told, names = f"{load.rate:g} requests/s of {sentences} sentences, beam 4", names or tuple(SCENARIOS)
    click.echo(f"{processor()}; three machines of one replica share it{' ' if waiting else '; '}{told}")
    failed = False
    for name in names:
        fault, through, longer = SCENARIOS[name]
        with cluster(3, redis=name == "head-killed") as of:
            if waiting:
                deploy_waiting(of, CPUS_PER_REPLICA)
            elif (done := of.deploy(num_replicas="3", models=MODEL)).returncode != 0:
                raise click.ClickException(done.stderr)
            for one in of.machines:
                wait_until_answering(one, BACK_WITHIN_S)
            where = of.ask("status").stdout
            for one in of.machines:
                if f" on {one.address}," not in where:
                    raise click.ClickException(f"{one.address} has no replica to lose; run it again\n{where}")
            with load_balancer(of.machines) if not through else contextlib.nullcontext() as balancer:
                urls = [of.machines[i].url for i in through] or [str(balancer)]
                if fault is changed:  # the last round ends before the load does
                    fault = functools.partial(changed, seconds=seconds * longer * 0.4)
                row = asyncio.run(under_load(fault, of, urls, load, seconds * longer))
        click.echo(f"{name}: {row.told}{'; WRONG' if row.is_wrong else ''}")
        failed |= row.is_wrong
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
