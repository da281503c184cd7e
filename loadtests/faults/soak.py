"""Half an hour of mixed load: `python -m loadtests.faults.soak`. Memory, descriptors and latency must stay as they are.

Translations with and without attention, scores, and clients that go away, at 0.7 of the capacity C that the same mix
shows before: C is the highest rate of a search at which every request is answered and the 99th percentile of the
latency stays within a second.

The speed of the machine changes within half an hour, so that the first minutes and the last are told but not judged. A
fresh server joins at the end, and both get the same requests in turn: the aged one may be no slower than the fresh one.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import aiohttp
import click
import numpy as np

from loadtests.client import connections
from loadtests.faults.overload import CAPACITY_P99_S, highest_rate, long_texts
from loadtests.measure.setting import machine, spin_ms, stolen_seconds
from loadtests.processes import anonymous_mib, cpu_seconds, descendants, num_descriptors
from loadtests.server import Server, running_server

NUM_REPLICAS = 2
LOOK_S = 30.0
SETTLED_S = 300.0
"""Memory may grow until then: caches fill, models compile what they have not."""
GIVES_UP_AFTER_S = 0.02
LEAST_SETTLED = 0.5
"""Of a run that is too short to settle, the share that counts as settling."""
MAX_MEMORY_MIB, MAX_DRIFT = 20.0, 1.1
MAX_DESCRIPTORS = 40
"""By which the open ones may be more at the end. Those of requests under way come and go, so medians are compared."""
SHARE_OF_CAPACITY = 0.7
LOOKS_A_WINDOW = 5
SEARCH_S = 20.0
"""Of each rate of the search for C."""
NUM_TURNS, TURN_S = 24, 20.0
"""Of the aged server and the fresh one: so many times each, so long."""
FIRST_TURNS = 3
"""That a fresh server needs until its caches are full; they do not count."""


@dataclass(slots=True)
class Look:
    """What the server's processes and the machine had at one time."""

    at_s: float
    memory_mib: float
    """Memory of their own, all processes together."""
    num_descriptors: int
    cpu_s: float = 0.0
    """Processor time that they have used since their start."""
    stolen_s: float = 0.0
    spin_ms: float = 0.0


@dataclass
class Soaked:
    """What was seen."""

    looks: list[Look] = field(default_factory=list)
    latencies: list[tuple[float, float]] = field(default_factory=list)
    """When a request was due, and its seconds, of translations that were not given up."""
    codes: Counter[str] = field(default_factory=Counter)

    def p99_s(self, begin_s: float = 0.0, end_s: float = float("inf")) -> float:
        """The 99th percentile of the latency of requests that were due in that time."""
        return float(np.percentile([took for due, took in self.latencies if begin_s <= due < end_s], 99))


def looked(server: Server, at_s: float) -> Look:
    """Memory and open descriptors of the server and all its processes."""
    pids = [server.process.pid, *descendants(server.process.pid)]
    memory, descriptors, cpu_s = (sum(map(each, pids)) for each in (anonymous_mib, num_descriptors, cpu_seconds))
    return Look(at_s, memory, int(descriptors), cpu_s, stolen_seconds(), spin_ms())


def drawn(chance: Random, texts: list[str]) -> tuple[str, dict[str, Any], bool]:
    """Path, body and whether the client goes away, of one request."""
    text, kind = chance.choice(texts), chance.random()
    pair: dict[str, Any] = {"source": "en", "target": "fr"}
    if kind < 0.15:
        return "/v1/score", {**pair, "pairs": [{"text": text, "translation": text}]}, False
    body = {**pair, "text": text, "beam_size": chance.choice((1, 4)), "signals": chance.random() < 0.3}
    if kind < 0.6:
        body["attention"] = chance.choice((True, {"layer": "all", "head": "all"}, {"level": "token"}))
    return "/v1/translate", body, kind > 0.9


async def soak(server: Server, rate: float, seconds: float, seed: int) -> Soaked:
    """Poisson load for so long."""
    seen, chance, texts = Soaked(), Random(seed), long_texts(4)
    start, running = time.monotonic(), set[asyncio.Task[None]]()
    async with connections(server.url) as client:

        async def one(due_s: float, path: str, body: dict[str, Any], leaves: bool) -> None:
            try:
                async with (
                    asyncio.timeout(GIVES_UP_AFTER_S if leaves else 30.0),
                    client.post(path, json=body) as answer,
                ):
                    await answer.read()
                code = "ok" if answer.status == 200 else f"{answer.status}"
            except TimeoutError:
                code = "given up" if leaves else "timeout"
            except aiohttp.ClientError as error:
                code = type(error).__name__
            seen.codes[code] += 1
            if path == "/v1/translate" and not leaves:
                seen.latencies.append((due_s, time.monotonic() - start - due_s))

        due_s, look_s = 0.0, 0.0
        with click.progressbar(length=int(seconds), label="seconds", file=sys.stderr) as bar:
            while due_s < seconds:
                await asyncio.sleep(max(0.0, start + due_s - time.monotonic()))
                task = asyncio.create_task(one(due_s, *drawn(chance, texts)))
                running.add(task)
                task.add_done_callback(running.discard)
                if due_s >= look_s:
                    seen.looks.append(looked(server, due_s))
                    look_s += LOOK_S
                    bar.update(int(due_s) - bar.pos)
                due_s += chance.expovariate(rate)
            await asyncio.gather(*running)
    seen.looks.append(looked(server, seconds))
    return seen


def capacity(server: Server, first_rate: float, seed: int) -> float:
    """C of the mix, in requests/s. Raises SystemExit where `first_rate` is over it."""

    def holds(rate: float) -> bool:
        seen = asyncio.run(soak(server, rate, SEARCH_S, seed))
        click.echo(f"{rate:.1f} requests/s: p99 {seen.p99_s():.2f} s, {dict(seen.codes)}", err=True)
        return not seen.codes.keys() - {"ok", "given up"} and seen.p99_s() <= CAPACITY_P99_S

    return highest_rate(first_rate, holds)


def windows(seen: Soaked) -> list[str]:
    """A line for each time of up to ten looks: latency beside the work of the server and the speed of the machine."""
    looks = [*seen.looks[::LOOKS_A_WINDOW], seen.looks[-1]]
    lines = []
    for one, next_one in pairwise(looks):
        times = [took for due, took in seen.latencies if one.at_s <= due < next_one.at_s]
        if not times:
            continue
        p50, p99 = 1000 * np.percentile(times, (50, 99))
        cpu_ms = 1000 * (next_one.cpu_s - one.cpu_s) / len(times)
        stolen = (next_one.stolen_s - one.stolen_s) / (next_one.at_s - one.at_s)
        spin = np.median([look.spin_ms for look in seen.looks if one.at_s <= look.at_s < next_one.at_s])
        lines.append(
            f"{one.at_s:.0f} s: p50 {p50:.0f} ms, p99 {p99:.0f} ms, {cpu_ms:.1f} ms of processor a translation,"
            f" {100 * stolen:.1f}% of a processor stolen, {spin:.2f} ms for a fixed loop"
        )
    return lines


def verdict(seen: Soaked, seconds: float) -> tuple[list[str], list[str]]:
    """Lines of the report, and what must not be."""
    settled_s = min(SETTLED_S, LEAST_SETTLED * seconds)
    looks = [one for one in seen.looks if one.at_s >= settled_s]
    memory = [one.memory_mib for one in looks]
    grown = max(memory) - memory[0]
    descriptors = [one.num_descriptors for one in looks]
    part = max(1, len(looks) // 5)
    opened = float(np.median(descriptors[-part:]) - np.median(descriptors[:part]))
    window_s = (seconds - settled_s) / 5
    first, last = (seen.p99_s(begin, begin + window_s) for begin in (settled_s, seconds - window_s))
    lines = [
        f"requests: {dict(seen.codes.most_common())}",
        f"memory of all processes: {seen.looks[0].memory_mib:.0f} MiB at first, {memory[0]:.0f} after {settled_s:.0f}"
        f" s, {max(memory):.0f} at most since, {memory[-1]:.0f} at the end",
        f"descriptors: {descriptors[0]} after {settled_s:.0f} s, {min(descriptors)} to {max(descriptors)} since;"
        f" median of the last fifth over the first: {opened:+.0f}",
        f"p99 of translations: {first * 1000:.0f} ms in the {window_s:.0f} s after that, {last * 1000:.0f} in the last,"
        f" {last / first:.2f} times",
    ]
    faults = [
        f"{count} requests ended with {code}" for code, count in seen.codes.items() if code not in ("ok", "given up")
    ]
    if grown > MAX_MEMORY_MIB:
        faults.append(f"memory grew by {grown:.0f} MiB, more than {MAX_MEMORY_MIB:g}")
    if opened > MAX_DESCRIPTORS:
        faults.append(f"{opened:.0f} more descriptors are open in the end, more than {MAX_DESCRIPTORS}")
    return lines, faults


def taken_in_turns(aged: Server, fresh: Server, rate: float, seed: int) -> list[tuple[Soaked, Soaked]]:
    """What the aged server and the fresh one did with the same requests, one right after the other."""
    pairs = []
    for turn in range(FIRST_TURNS + NUM_TURNS):
        order = (aged, fresh) if turn % 2 else (fresh, aged)
        first, second = (asyncio.run(soak(server, rate, TURN_S, seed + turn)) for server in order)
        pairs.append((first, second) if turn % 2 else (second, first))
    return pairs[FIRST_TURNS:]


def aged_over_fresh(pairs: list[tuple[Soaked, Soaked]]) -> tuple[str, list[str]]:
    """The line of the report, and what must not be: the p99 of the aged server over that of the fresh one, the median
    of turns, is the drift."""
    ratios = [aged.p99_s() / fresh.p99_s() for aged, fresh in pairs]
    sides = [[took for one in side for _, took in one.latencies] for side in zip(*pairs, strict=True)]
    (p50, p99), (fresh_p50, fresh_p99) = (1000 * np.percentile(side, (50, 99)) for side in sides)
    low, middle, high = np.percentile(ratios, (25, 50, 75))
    line = (
        f"aged and fresh server in turn, {len(pairs)} times {TURN_S:g} s each: p50 {p50:.1f} and {fresh_p50:.1f} ms,"
        f" p99 {p99:.0f} and {fresh_p99:.0f} ms; p99 of a turn, aged over fresh: {middle:.2f},"
        f" quartiles {low:.2f} and {high:.2f}"
    )
    faults = []
    if middle > MAX_DRIFT:
        faults = [f"p99 of the aged server is {middle:.2f} times that of a fresh one, more than {MAX_DRIFT:g}"]
    return line, faults


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), help="Requests/s of 4 sentences.  [default: 0.7 of the capacity]")
@click.option("--first-rate", type=click.FloatRange(0.1), default=30.0, show_default=True, help="Of the search for it.")
@click.option("--minutes", type=click.FloatRange(0.5), default=30.0, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(rate: float | None, first_rate: float, minutes: float, seed: int) -> None:
    """Soak a server of our own in load; ends with 0 when nothing grew and nothing failed."""
    with running_server(NUM_REPLICAS) as server:
        if rate is None:
            found = capacity(server, first_rate, seed)
            click.echo(f"C = {found:.1f} requests/s of 4 sentences")
            rate = SHARE_OF_CAPACITY * found
        seen = asyncio.run(soak(server, rate, minutes * 60, seed))
        with running_server(NUM_REPLICAS) as fresh:
            told, drifted = aged_over_fresh(taken_in_turns(server, fresh, rate, seed))
    click.echo(f"{rate:.1f} requests/s for {minutes:g} minutes, {NUM_REPLICAS} replicas; {machine()}")
    lines, faults = verdict(seen, minutes * 60)
    click.echo("\n".join([*windows(seen), *lines, told, *(f"fault: {fault}" for fault in [*faults, *drifted])]))
    sys.exit(bool(faults or drifted))


if __name__ == "__main__":
    main()
