"""The Server scenario after MLPerf Inference's translation task: MLPerf-style, unofficial.

Single sentences arrive as a Poisson process. The result is the highest rate at which the 97th percentile of the
latency, counted from the moment each was due, stays within 250 ms, and no request fails: found by bisection with short
probes, then confirmed five times for a minute, ours and the peer in turn.

    python -m loadtests.peers.scenario --seconds 60
    python -m loadtests.peers.scenario --beam-size 4 --seconds 2 --probe-seconds 1     # short form
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import click

from loadtests.measure.setting import search_name
from loadtests.peers.alternate import MIN_ROUNDS, Row
from loadtests.peers.http_client import closed_loop, open_loop
from loadtests.peers.http_process import end_on_sigterm
from loadtests.peers.http_rows import Comparison, Stage
from loadtests.peers.http_service import Service
from loadtests.peers.latency_curve import CurvePoint, draw
from loadtests.peers.options import Options
from loadtests.peers.report import Circumstances, Kept, write
from loadtests.plan import PlanOptions, poisson_plan

LIMIT_MS = 250.0
PERCENTILE = 97.0
SECONDS = 60.0
PROBE_SECONDS = 10.0
STEP = 0.94
"""What a rate that failed a confirmation is multiplied by before the next try."""
PRECISION = 0.02
"""Bisection ends when the rates that hold and fail are this close, as a share."""
FRACTIONS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05)
"""Of each side's highest rate, at which its curve is measured."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What one run at one rate showed."""

    rate: float
    """Requests due per second, as asked for."""
    answered_rate: float
    """Requests answered per second until the last answer."""
    p50_ms: float
    p97_ms: float
    num_errors: int
    """Requests that were refused, failed, or not answered in time."""

    @property
    def holds(self) -> bool:
        """Whether the rate meets the scenario's condition."""
        return self.num_errors == 0 and self.p97_ms <= LIMIT_MS

    @property
    def verdict(self) -> str:
        """For people."""
        result = "holds" if self.holds else "fails"
        return f"{result}, p50 {self.p50_ms:.0f} ms, p97 {self.p97_ms:.0f} ms, {self.num_errors} errors"


class Prober(Protocol):
    """Runs a server at a rate."""

    def __call__(self, rate: float, seconds: float, seed: int) -> Probe:
        """Offer `rate` requests/s for so many seconds."""
        ...


def probe(service: Service, texts: Sequence[str], beam_size: int, rate: float, seconds: float, seed: int) -> Probe:
    """One run of our own generator; it stops sending once the percentile cannot be met any more."""
    plan = poisson_plan(PlanOptions(rate, max(1, math.ceil(rate * seconds)), seed), range_of(texts))
    requests = service.requests(texts, beam_size=beam_size)
    num_late, allowed = 0, len(plan) * (1 - PERCENTILE / 100)

    def is_hopeless(latency_s: float) -> bool:
        nonlocal num_late
        num_late += latency_s * 1000.0 > LIMIT_MS
        return num_late > allowed

    sent = [requests[int(arrival.text)] for arrival in plan]
    load = open_loop(service.url, sent, [arrival.due_s for arrival in plan], is_hopeless=is_hopeless)
    p97_ms = math.inf if num_late > allowed else load.percentile_ms(PERCENTILE)
    return Probe(rate, load.rate, load.percentile_ms(50), p97_ms, load.errors.total())


def range_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Numbers of the texts, for a plan to draw from."""
    return tuple(str(number) for number in range(len(texts)))


def highest_rate(run: Prober, start: float, seconds: float) -> float:
    """The highest rate that holds, within PRECISION, by doubling or halving from `start` and bisection.

    Raises ValueError when not even a sixty-fourth of `start` holds.
    """
    seeds = iter(range(1, 1000))
    low, high = 0.0, math.inf
    rate = start
    while low == 0.0 or high == math.inf:
        if run(rate, seconds, next(seeds)).holds:
            low, rate = rate, rate * 1.5
        else:
            high, rate = rate, rate / 1.5
        if high <= start / 64:
            raise ValueError(f"no rate down to {high:.2f} requests/s holds {LIMIT_MS:g} ms")
    while high / low > 1 + PRECISION:
        rate = math.sqrt(low * high)
        low, high = (rate, high) if run(rate, seconds, next(seeds)).holds else (low, rate)
    return low


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A rate that held as often as was asked."""

    rate: float
    probes: list[Probe]
    num_lowered: int
    """How often the rate was lowered by STEP because a confirmation failed."""


def confirm(runs: Sequence[Prober], rates: Sequence[float], seconds: float, times: int) -> list[Confirmed]:
    """Each server at its rate, in turn, `times` rounds; a rate that fails is lowered and has to hold anew.

    Raises ValueError when a rate has been lowered forty times.
    """
    rates, held, lowered = list(rates), [list[Probe]() for _ in runs], [0] * len(runs)
    seed = 1000
    while any(len(probes) < times for probes in held):
        seed += 1
        for i, run in enumerate(runs):
            if len(held[i]) == times:
                continue
            done = run(rates[i], seconds, seed)
            click.echo(f"  side {i + 1} at {done.rate:.1f}/s: {done.verdict}", err=True)
            if done.holds:
                held[i].append(done)
                continue
            held[i], rates[i], lowered[i] = [], rates[i] * STEP, lowered[i] + 1
            if lowered[i] == 40:
                raise ValueError(f"no rate down to {rates[i]:.1f} requests/s holds for {seconds:g} s")
    return [Confirmed(*each) for each in zip(rates, held, lowered, strict=True)]


def curve(run: Prober, name: str, highest: float, seconds: float) -> list[CurvePoint]:
    """Latencies from a tenth of the highest rate to a little beyond it."""
    with click.progressbar(FRACTIONS, label=f"curve of {name}", file=sys.stderr) as bar:
        probes = [run(fraction * highest, seconds, 2000 + i) for i, fraction in enumerate(bar)]
    return [CurvePoint(p.rate, p.p50_ms, p.p97_ms) for p in probes if math.isfinite(p.p97_ms)]


COMPARISONS = {
    1: Comparison("Server scenario, greedy: rate at p97 <= 250 ms", "requests/s", ">= 2.0x", 1),
    4: Comparison("Server scenario, beam 4: rate at p97 <= 250 ms", "requests/s", ">= 1.6x", 4),
}


PICTURES = {1: "throughput-latency.png", 4: "throughput-latency-beam4.png"}
"""Names of files, by beam size."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long things last, in seconds."""

    confirmation: float = SECONDS
    probe: float = PROBE_SECONDS

    @classmethod
    def of(cls, options: Options) -> Lengths:
        """The row's own, or those of the options, probes a sixth of them."""
        return cls() if options.seconds is None else cls(options.seconds, max(1.0, options.seconds / 6))


def measure(beam_size: int, stage: Stage, lengths: Lengths) -> tuple[Row, dict[str, list[CurvePoint]]]:
    """The row of one beam size, and both sides' curves."""
    comparison = COMPARISONS[beam_size]
    *services, details = stage.both(comparison)
    runs = [partial(probe, service, stage.texts, beam_size) for service in services]
    rates = []
    for service, run in zip(services, runs, strict=True):
        requests = service.requests(stage.texts, beam_size=beam_size)
        full = closed_loop(service.url, requests, 32, min(5.0, lengths.probe), warm_s=1.0).checked(service.name)
        click.echo(f"{service.name}: {full.rate:.0f} requests/s in a closed loop; bisecting", err=True)
        rates.append(highest_rate(run, 0.8 * full.rate, lengths.probe))
    click.echo(f"bisection: {', '.join(f'{rate:.0f}' for rate in rates)} requests/s; confirming", err=True)
    confirmed = confirm(runs, rates, lengths.confirmation, stage.options.rounds)
    for service, rate, done in zip(services, rates, confirmed, strict=True):
        p97 = " ".join(f"{each.p97_ms:.0f}" for each in done.probes)
        details[f"{service.name}, rate"] = (
            f"{done.rate:.1f} requests/s held {len(done.probes)} times for {lengths.confirmation:g} s, p97 {p97} ms; "
            f"bisection found {rate:.1f}, lowered {done.num_lowered} times"
        )
    mine, peer = ([each.answered_rate for each in done.probes] for done in confirmed)
    row = Row(comparison.title, comparison.unit, mine, peer, "higher", comparison.bar, details)
    curves = {
        service.name: curve(run, service.name, done.rate, lengths.probe)
        for service, run, done in zip(services, runs, confirmed, strict=True)
    }
    return row, curves


def _row(beam_size: int, options: Options) -> Row:
    with Stage(options) as stage:
        row, curves = measure(beam_size, stage, Lengths.of(options))
    if options.pictures:
        draw(curves, LIMIT_MS, search_name(beam_size), options.pictures / PICTURES[beam_size])
    return row


ROWS: dict[str, Callable[[Options], Row]] = {
    "scenario-greedy": partial(_row, 1),
    "scenario-beam4": partial(_row, 4),
}
"""Each row alone, with servers of its own."""


@click.command()
@click.option("--beam-size", type=click.Choice(["1", "4"]), default="1", show_default=True, help="1 is greedy.")
@click.option("--seconds", type=click.FloatRange(1), default=SECONDS, show_default=True, help="Of a confirmation.")
@click.option("--probe-seconds", type=click.FloatRange(0.5), default=PROBE_SECONDS, show_default=True)
@click.option("--rounds", type=click.IntRange(MIN_ROUNDS), default=MIN_ROUNDS, show_default=True, help="Confirmations.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Options().data)
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curves to this PNG file.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write row and curves as JSON here.")
def main(
    beam_size: str,
    seconds: float,
    probe_seconds: float,
    rounds: int,
    data: Path,
    picture: Path | None,
    out: Path | None,
) -> None:
    """Find the highest rate at p97 <= 250 ms of ours and of FastAPI + CTranslate2.

    \b
    Examples:
      python -m loadtests.peers.scenario --picture docs/images/throughput-latency.png
      python -m loadtests.peers.scenario --beam-size 4 --seconds 2 --probe-seconds 1
    """
    end_on_sigterm()
    with Stage(Options(data=data, rounds=rounds, seconds=min(probe_seconds, 3.0))) as stage:
        row, curves = measure(int(beam_size), stage, Lengths(seconds, probe_seconds))
    low, high = row.spread
    click.echo(f"{row.name}: ratio {row.ratio:.2f} ({low:.2f}..{high:.2f}), bar {row.bar}, met: {row.passes}")
    for what, detail in row.details.items():
        click.echo(f"  {what}: {detail}")
    if picture:
        draw(curves, LIMIT_MS, search_name(int(beam_size)), picture)
    if out:
        name = search_name(int(beam_size)).replace(" ", "")
        command = f"python -m loadtests.peers.scenario {' '.join(sys.argv[1:])}"
        write(out, Kept(f"scenario-{name}", [row], Circumstances.here(command)))
        points = {side: [asdict(point) for point in points] for side, points in curves.items()}
        folder = out / "curves"
        folder.mkdir(exist_ok=True)
        (folder / f"scenario-{name}.json").write_text(json.dumps(points, indent=1) + "\n")


if __name__ == "__main__":
    main()
