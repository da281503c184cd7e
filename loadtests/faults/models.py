"""Models that come and go: `python -m loadtests.faults.models`. The models file changes again and again under load.

Every request must be answered, by a model that the file named when the request was under way. The memory of the
replicas must not grow from change to change.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.faults.overload import BODY, long_texts
from loadtests.measure.setting import machine
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.processes import anonymous_mib, replica_pids
from loadtests.scrape import scrape
from loadtests.server import Server, running_server
from model_store.contract.store import EMBEDDED_STORE, Store

MODEL, OTHER = "en-fr-transformer", "fr-en-transformer"
NUM_REPLICAS = 2
ARRIVED_WITHIN_S = 60.0
PAUSE_S = 1.0
"""Between a change that has arrived and the next one."""
SETTLED = 0.4
"""Share of the changes in which memory may grow: allocators keep what two models at once needed."""
LEAST_CHANGES = 12
"""With fewer the memory is not judged."""
MAX_GROWTH_MIB = 40.0
"""By which the median of the second half of the other changes may be over that of the first half."""


def copied_store(folder: Path) -> list[str]:
    """A store with two versions of the same model, and another model; the references of the three."""
    store = Store(EMBEDDED_STORE)
    for name in (MODEL, OTHER):
        newest = store.open(name).path
        shutil.copytree(newest, folder / name / newest.name)
    first = Store(folder).open(MODEL)
    second = Store(folder).publish(first.path)
    return [first.manifest.reference, second.manifest.reference, Store(folder).open(OTHER).manifest.reference]


def write(file: Path, models: list[str]) -> None:
    """Change the models file in one step."""
    new = file.with_suffix(".new")
    new.write_text(f'models = "{",".join(models)}"\n', encoding="utf-8")
    new.replace(file)


async def arrival_s(server: Server, new: str, gone: str) -> float:
    """Seconds until every replica serves `new`, and none serves `gone`."""
    started = time.monotonic()
    while time.monotonic() - started < ARRIVED_WITHIN_S:
        found = await asyncio.to_thread(scrape, server.url)
        serving = {one: found.total("attendant_model_replicas", model=one) for one in (new, gone)}
        if serving == {new: NUM_REPLICAS, gone: 0}:
            return time.monotonic() - started
        await asyncio.sleep(0.1)
    raise click.ClickException(f"{new} was not served by every replica within {ARRIVED_WITHIN_S:g} s")


async def change(
    server: Server, file: Path, references: list[str], num_changes: int
) -> tuple[list[float], list[float]]:
    """Seconds that each change took to arrive, and MiB of the largest replica after it."""
    first, second, other = references
    taken, sizes = [], []
    for number in range(num_changes):
        new, gone = (second, first) if number % 2 == 0 else (first, second)
        write(file, [new, other] if number % 4 < 2 else [new])  # every second time another model goes, or comes
        taken.append(await arrival_s(server, new, gone))
        sizes.append(max(map(anonymous_mib, replica_pids(server.process.pid))))
        await asyncio.sleep(PAUSE_S)
    return taken, sizes


async def under_load(server: Server, file: Path, references: list[str], rate: float, num_changes: int) -> list[str]:
    """Load alone for as long as the changes took, then load with changes; what must not be."""
    target = Target(server.url, BODY, timeout_s=35.0)
    seconds = num_changes * 4.0
    plan = poisson_plan(PlanOptions(rate, round(rate * seconds), seed=5), long_texts(8))
    alone = await run_plan(plan, target)
    load = asyncio.create_task(run_plan(plan, target))
    taken, sizes = await change(server, file, references, num_changes)
    beside = await load
    for name, outcomes in (("without changes", alone), ("with changes", beside)):
        click.echo(f"{name}: {told(outcomes)}")
    click.echo(f"{num_changes} changes arrived after a median of {np.median(taken):.1f} s, at most {max(taken):.1f} s")
    click.echo(f"MiB of the largest replica after each: {', '.join(f'{size:.0f}' for size in sizes)}")
    return faults(sum(one.code != OK for one in [*alone, *beside]), sizes)


def faults(num_failed: int, sizes: Sequence[float]) -> list[str]:
    """What must not be, of requests that failed and the MiB of the largest replica after each change."""
    found = [f"{num_failed} requests failed"] if num_failed else []
    settled = sizes[round(len(sizes) * SETTLED) :]
    half = len(settled) // 2
    if len(sizes) >= LEAST_CHANGES:
        grown = float(np.median(settled[-half:]) - np.median(settled[:half]))
        if grown > MAX_GROWTH_MIB:
            found.append(f"memory of the largest replica grew by {grown:.0f} MiB, more than {MAX_GROWTH_MIB:g}")
    return found


def told(outcomes: list[Outcome]) -> str:
    """Codes and latencies."""
    times = [one.latency_s * 1000 for one in outcomes]
    codes = dict(Counter(one.code for one in outcomes))
    return f"{len(outcomes)} requests, {codes}; p50 {np.median(times):.0f} ms, p99 {np.percentile(times, 99):.0f} ms"


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), default=15.0, show_default=True, help="Requests/s of 8 sentences.")
@click.option("--changes", type=click.IntRange(2), default=20, show_default=True)
def main(rate: float, changes: int) -> None:
    """Change the models of a server of our own under load; ends by itself with 0 when nothing failed or grew.

    Memory is judged from 12 changes on.
    """
    with tempfile.TemporaryDirectory(prefix="attendant-models-") as folder:
        store, file = Path(folder) / "store", Path(folder) / "models.toml"
        references = copied_store(store)
        write(file, [references[0], references[2]])
        settings = {"ATTENDANT_STORE": str(store), "ATTENDANT_MODELS_FILE": str(file)}
        with running_server(NUM_REPLICAS, **settings) as server:
            found = asyncio.run(under_load(server, file, references, rate, changes))
    click.echo("\n".join([machine(), *(f"fault: {fault}" for fault in found)]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
