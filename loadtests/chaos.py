"""Two replicas under Poisson load, some clients going away; one replica is killed with SIGKILL, then one is drained.

Every request must be answered or refused with a code, and the metrics must agree with what the clients saw. Run with
`python -m loadtests.chaos`; it prints a report and ends with 0 when both hold.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from loadtests.agreement import Agreement
from loadtests.client import CANCELLED, Outcome, Target, run_plan
from loadtests.plan import Arrival, PlanOptions, poisson_plan
from loadtests.processes import is_running, kill, replica_pids
from loadtests.report import summarise
from loadtests.scrape import Scrape, scrape, scrape_until
from loadtests.server import Server, ServerError, running_server
from loadtests.smoke import ROUTE
from loadtests.texts import ENGLISH

CANCEL_WITHIN_S = 0.015
"""Clients that cancel do so this soon, which is before most answers."""
NUM_REPLICAS = 2
REPLACED_WITHIN_S = 60.0
DRAIN_WITHIN_S = 60.0
PATIENCE_S = 60.0
"""Clients wait longer than the server's own limit, so that it is the server who says that it was too late."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A replica that was taken away: its process, and when, in seconds from the start of the run."""

    pid: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Chaos:
    """What was done to the server and what came of it."""

    outcomes: list[Outcome]
    killed: Loss
    drained: Loss
    server_codes: Counter[str]
    num_replicas_left: int

    @property
    def failed(self) -> list[Outcome]:
        """Requests whose clients waited and got neither an answer nor a refusal with a code."""
        return [outcome for outcome in self.outcomes if not outcome.is_answered and outcome.code != CANCELLED]

    def faults(self) -> list[str]:
        """What must not be."""
        faults = Agreement.of(self.outcomes, self.server_codes).faults()
        if self.failed:
            faults.append(f"{len(self.failed)} requests got no answer: {Counter(o.code for o in self.failed)}")
        if self.drained.at_s > self.outcomes[-1].due_s:
            faults.append("the killed replica was replaced too late to drain one under load; send more requests")
        if self.num_replicas_left != NUM_REPLICAS - 1:
            faults.append(f"{self.num_replicas_left} replicas are left, {NUM_REPLICAS - 1} expected")
        return faults


async def wreak(server: Server, plan: Sequence[Arrival], target: Target) -> Chaos:
    """Run the plan; kill a replica after a third of it, drain one after two thirds."""
    before = translations(scrape(server.url))
    end_s = plan[-1].due_s
    progress = click.progressbar(length=len(plan), label="requests", file=sys.stderr, show_pos=True)
    with progress as bar:
        outcomes, killed, drained = await asyncio.gather(
            run_plan(plan, target, lambda outcome: bar.update(1), end_s + target.timeout_s),
            kill_one(server, end_s / 3),
            drain_one(server, 2 * end_s / 3),
        )
    counted = scrape_until(server.url, lambda seen: seen.total("attendant_replicas") == NUM_REPLICAS - 1)
    server_codes = translations(counted)
    server_codes.subtract(before)
    left = round(counted.total("attendant_replicas"))
    return Chaos(outcomes, killed, drained, +server_codes, left)


async def kill_one(server: Server, after_s: float) -> Loss:
    """SIGKILL a replica."""
    await asyncio.sleep(after_s)
    pid = replica_pids(server.process.pid)[0]
    kill(pid, signal.SIGKILL)
    return Loss(pid, after_s)


async def drain_one(server: Server, after_s: float) -> Loss:
    """Once the killed replica is replaced, let Serve take one away, and wait until it has ended."""
    clock = asyncio.get_running_loop().time
    start = clock()
    await asyncio.sleep(after_s)
    await asyncio.to_thread(scrape_until, server.url, all_are_ready, REPLACED_WITHIN_S)
    there = set(replica_pids(server.process.pid))
    asked_s = clock() - start
    command = ("-m", "loadtests.scale", str(server.process.pid), str(NUM_REPLICAS - 1))
    scaling = await asyncio.create_subprocess_exec(sys.executable, *command)
    try:
        async with asyncio.timeout(DRAIN_WITHIN_S):
            if await scaling.wait() != 0:
                raise ServerError("the number of replicas could not be changed")
            while not (gone := [pid for pid in there if not is_running(pid)]):
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise ServerError(f"no replica was drained within {DRAIN_WITHIN_S:g} s") from None
    finally:
        if scaling.returncode is None:
            scaling.kill()
    return Loss(gone[0], asked_s)


def all_are_ready(seen: Scrape) -> bool:
    """Whether as many replicas are ready as there should be."""
    return seen.total("attendant_replicas_ready") == NUM_REPLICAS


def translations(seen: Scrape) -> Counter[str]:
    """Translation requests that the server has counted, by code."""
    return seen.by("attendant_requests_total", "code", route=ROUTE)


def describe(chaos: Chaos) -> str:
    """For people."""
    lines = [
        summarise(chaos.outcomes).as_table(),
        f"killed replica {chaos.killed.pid} at {chaos.killed.at_s:.1f} s",
        f"drained replica {chaos.drained.pid}, asked at {chaos.drained.at_s:.1f} s",
        f"the server counted {dict(chaos.server_codes.most_common())}",
        f"failed: {len(chaos.failed)} of {len(chaos.outcomes)}",
        *(f"  due at {o.due_s:.2f} s: {o.code} {o.status or ''} {o.detail}" for o in chaos.failed),
    ]
    return "\n".join(lines)


@click.command()
@click.option("--rate", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True, help="Requests/s.")
@click.option("--requests", "num_requests", type=click.IntRange(3), default=500, show_default=True)
@click.option("--cancel-fraction", type=click.FloatRange(0, 1), default=0.1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the report as JSON to this file."
)
def main(rate: float, num_requests: int, cancel_fraction: float, seed: int, report: Path | None) -> None:
    """Kill and drain replicas under load."""
    plan = poisson_plan(PlanOptions(rate, num_requests, seed, cancel_fraction, CANCEL_WITHIN_S), ENGLISH)
    try:
        with running_server(NUM_REPLICAS) as server:
            scrape_until(server.url, all_are_ready)
            chaos = asyncio.run(wreak(server, plan, Target(server.url, timeout_s=PATIENCE_S)))
    except ServerError as error:
        raise click.ClickException(str(error)) from error
    click.echo(describe(chaos))
    faults = chaos.faults()
    if report:
        measured = {"faults": faults, "failed": len(chaos.failed), "server_codes": dict(chaos.server_codes)}
        report.write_text(json.dumps(summarise(chaos.outcomes).as_dict() | measured, indent=2) + "\n")
    for fault in faults:
        click.echo(f"fault: {fault}", err=True)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
