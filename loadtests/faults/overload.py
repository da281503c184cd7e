"""Overload: `python -m loadtests.faults.overload`. Finds the capacity C, then offers 2, 5 and 10 times as much.

C is the highest rate of the search at which the 99th percentile of the latency stays within a second. Texts have many
sentences and beam 4, so that the server is the bottleneck and not the generator, whose send lag is in the table.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.measure.setting import machine
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.server import running_server
from loadtests.texts import ENGLISH

BODY = {"source": "en", "target": "fr", "beam_size": 4}
"""Of all requests, but their text."""
FACTORS = (2, 5, 10)
CAPACITY_P99_S = 1.0
GROWTH = 1.25
"""From one rate of the search to the next."""
SEARCH_S = 30.0
"""Of each rate of the search, unless the overload is shorter: what a server can do for ten seconds is more."""
AFTER_S = 10.0
"""Seconds after the overload at which the normal load is looked at."""
REFUSED = ("overloaded",)
LEAST_GOODPUT = 0.5
"""Share of what was offered, or of C where that is less, that must be answered: less is a collapse."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a load showed. Seconds; NaN where nothing is to be measured."""

    factor: float
    rate: float
    answered_rate: float
    accepted_p99_s: float
    refused_p99_s: float
    codes: dict[str, int]
    send_lag_p99_s: float

    @property
    def num_unwanted(self) -> int:
        """Requests that were neither translated nor refused as overload is."""
        return sum(count for code, count in self.codes.items() if code != OK and code not in REFUSED)


def measured(outcomes: Sequence[Outcome], factor: float, rate: float) -> Shown:
    """The numbers of a load that lasted from its first to its last due request."""
    accepted = [one.latency_s for one in outcomes if one.code == OK]
    refused = [one.done_s - one.sent_s for one in outcomes if one.code in REFUSED]
    length = max(one.due_s for one in outcomes)
    return Shown(
        factor=factor,
        rate=rate,
        answered_rate=len(accepted) / length,
        accepted_p99_s=_p99(accepted),
        refused_p99_s=_p99(refused),
        codes=dict(Counter(one.code for one in outcomes)),
        send_lag_p99_s=_p99([one.sent_s - one.due_s for one in outcomes]),
    )


def _p99(values: Sequence[float]) -> float:
    return float(np.percentile(values, 99)) if values else float("nan")


def offer(target: Target, texts: Sequence[str], rate: float, seconds: float, factor: float, seed: int) -> Shown:
    """Send Poisson load and measure it."""
    plan = poisson_plan(PlanOptions(rate, max(1, round(rate * seconds)), seed), texts)
    return measured(asyncio.run(run_plan(plan, target, max_duration_s=seconds + 60.0)), factor, rate)


def long_texts(num_sentences: int) -> list[str]:
    """Texts of so many sentences each, all different."""
    chance = np.random.default_rng(1)
    whole = [text for text in ENGLISH if text.count(".") + text.count("!") + text.count("?") == 1]
    return [" ".join(whole[i] for i in chance.integers(len(whole), size=num_sentences)) for _ in range(64)]


def highest_rate(first: float, holds: Callable[[float], bool]) -> float:
    """The highest rate of a search from `first` on that still `holds`. Raises SystemExit where `first` does not."""
    rate, best = first, 0.0
    while holds(rate):
        rate, best = rate * GROWTH, rate
    if not best:
        raise SystemExit(
            f"at {first:g} requests/s the latency is over {CAPACITY_P99_S:g} s already; lower --first-rate"
        )
    return best


def capacity(target: Target, texts: Sequence[str], first: float, seconds: float) -> Shown:
    """C, and what was seen at it."""
    found: dict[float, Shown] = {}
    offer(target, texts, first, 5.0, 1.0, seed=3)  # the first requests of a server are slow

    def holds(rate: float) -> bool:
        shown = found[rate] = offer(target, texts, rate, seconds, 1.0, seed=7)
        click.echo(f"{rate:.1f} requests/s: p99 {shown.accepted_p99_s:.2f} s, {shown.codes}", err=True)
        return shown.codes.keys() == {OK} and shown.accepted_p99_s <= CAPACITY_P99_S

    return found[highest_rate(first, holds)]


def table(shown: Sequence[Shown], capacity: float) -> str:
    """Markdown."""
    lines = [
        "| load | goodput / C | p99 accepted | p99 refused | other answers | send lag p99 |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.factor:g} C, {one.rate:.0f} requests/s | {one.answered_rate / capacity:.2f} | "
        f"{one.accepted_p99_s:.2f} s | {_refused(one)} | {one.num_unwanted} | "
        f"{one.send_lag_p99_s * 1000:.0f} ms |"
        for one in shown
    ]
    return "\n".join(lines)


def _refused(one: Shown) -> str:
    return "" if np.isnan(one.refused_p99_s) else f"{one.refused_p99_s * 1000:.0f} ms"


def faults(shown: Sequence[Shown], capacity: float) -> list[str]:
    """What must not be: answers that are neither translations nor refusals, and a server that refuses nearly all."""
    found = []
    for one in shown:
        name = f"{one.factor:g} C, {one.rate:.0f} requests/s"
        if one.num_unwanted:
            found.append(f"{name}: {one.num_unwanted} requests were neither translated nor refused as overload is")
        least = LEAST_GOODPUT * min(one.rate, capacity)
        if one.answered_rate < least:
            found.append(f"{name}: {one.answered_rate:.1f} translations/s, fewer than {least:.1f}")
    return found


@click.command()
@click.option("--replicas", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seconds", type=click.FloatRange(5), default=60.0, show_default=True, help="Of each overload.")
@click.option("--sentences", type=click.IntRange(1), default=16, show_default=True, help="Of each text.")
@click.option("--first-rate", type=click.FloatRange(0.1), default=5.0, show_default=True, help="Of the search for C.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the numbers as JSON.")
def main(replicas: int, seconds: float, sentences: int, first_rate: float, report: Path | None) -> None:
    """Measure a server of our own under overload; lasts a few minutes and stops by itself.

    Ends with 0 when at least half of what it can do was done at every load, and all else was refused.
    """
    texts = long_texts(sentences)
    with running_server(replicas) as server:
        target = Target(server.url, BODY, timeout_s=35.0)
        best = capacity(target, texts, first_rate, min(seconds, SEARCH_S))
        shown = [best]
        for factor in FACTORS:
            shown.append(offer(target, texts, best.rate * factor, seconds, factor, seed=factor))
            click.echo(f"{factor}x: {shown[-1]}", err=True)
            asyncio.run(asyncio.sleep(AFTER_S))
            shown.append(offer(target, texts, best.rate * 0.7, 10.0, 0.7, seed=11))
    click.echo(f"C = {best.rate:.1f} requests/s of {sentences} sentences, {replicas} replica(s); {machine()}\n")
    click.echo(table(shown, best.rate))
    if report is not None:
        report.write_text(json.dumps([asdict(one) for one in shown], indent=1) + "\n", encoding="utf-8")
    found = faults(shown, best.rate)
    click.echo("".join(f"\nfault: {fault}" for fault in found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
