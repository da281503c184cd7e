"""The rows over HTTP: both servers are up at once, one is loaded at a time, the client is inside the same cores.

python -m loadtests.peers.http_rows --seconds 1 --sentences 100    # all rows in short form
python -m loadtests.peers.http_rows service-greedy                 # one row in full
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click

from loadtests.peers.alternate import MIN_ROUNDS, Better, Row, alternate
from loadtests.peers.answers import Answers, compare
from loadtests.peers.http_client import closed_loop
from loadtests.peers.http_load import Load
from loadtests.peers.http_process import end_on_sigterm, idle_cores
from loadtests.peers.http_service import (
    Open,
    Service,
    Sweep,
    fastapis,
    libretranslate_as_installed,
    libretranslate_tuned,
    ours,
    sweep,
)
from loadtests.peers.options import Options
from loadtests.peers.report import Circumstances, Kept, write
from loadtests.peers.sentences import Pair, load

SECONDS = 10.0
"""Length of one measurement when the options leave it open."""
TEXTS_PER_REQUEST = 64

Measure = Callable[[Load], float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: how both sides are asked, and what is taken from the run."""

    title: str
    unit: str
    bar: str
    beam_size: int
    measure: Measure = lambda load: load.rate
    better: Better = "higher"
    num_connections: int = 32
    per_request: int = 1
    """Texts in a request."""
    peers: Callable[[Options], dict[str, Open]] = fastapis
    our_fields: Mapping[str, Any] = field(default_factory=dict)
    """Fields of ours beside text and beam size."""
    against_ourselves: bool = False
    """The peer is ours without `our_fields`."""


_PER_SECOND = "requests/s"
COMPARISONS: dict[str, Comparison] = {
    "service-greedy": Comparison("service, 32 connections, greedy", _PER_SECOND, ">= 2.0x", 1),
    "service-beam4": Comparison("service, 32 connections, beam 4", _PER_SECOND, ">= 1.6x", 4),
    "service-one-connection": Comparison(
        "service, 1 connection, greedy: p50", "ms", "<= 1.0x", 1, lambda load: load.percentile_ms(50), "lower", 1
    ),
    "service-64-texts": Comparison(
        "service, 64 texts a request, 4 connections, greedy",
        "sentences/s",
        ">= 1.5x",
        1,
        lambda load: load.rate * TEXTS_PER_REQUEST,
        num_connections=4,
        per_request=TEXTS_PER_REQUEST,
    ),
    "service-libretranslate": Comparison(
        "service over LibreTranslate as installed, 32 connections, beam 4",
        _PER_SECOND,
        ">= 5x",
        4,
        peers=libretranslate_as_installed,
    ),
    "service-libretranslate-tuned": Comparison(
        "service over LibreTranslate with threads set for this machine, 32 connections, beam 4",
        _PER_SECOND,
        "",
        4,
        peers=libretranslate_tuned,
    ),
    "service-attention": Comparison(
        "service, 32 connections, greedy: word-level attention over none",
        _PER_SECOND,
        ">= 0.9x",
        1,
        our_fields={"attention": {"level": "word"}},
        against_ourselves=True,
    ),
}


class Stage:
    """Servers that the rows of one command share: each side is swept once for each beam size, and started once."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seconds = options.seconds or SECONDS
        self._stack, self._up, self._sweeps = ExitStack(), dict[str, Service](), dict[tuple[str, int], Sweep]()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *error: object) -> None:
        self.strike()

    @cached_property
    def pairs(self) -> list[Pair]:
        """All sentences with their references."""
        return load(self.options.data)

    @property
    def texts(self) -> list[str]:
        """All sentences."""
        return [pair.source for pair in self.pairs]

    def _sweep(self, candidates: dict[str, Open], beam_size: int) -> Sweep:
        key = (next(iter(candidates)), beam_size)
        if key not in self._sweeps:
            self.strike()  # a sweep has the machine for itself
            click.echo(f"looking for the best of {', '.join(candidates)} at beam size {beam_size}", err=True)
            self._sweeps[key] = sweep(candidates, self.texts, min(3.0, self.seconds), beam_size)
        return self._sweeps[key]

    def _started(self, candidates: dict[str, Open], setting: str) -> Service:
        if setting not in self._up:
            self._up[setting] = self._stack.enter_context(candidates[setting]())
        return self._up[setting]

    def best(self, candidates: dict[str, Open], beam_size: int) -> tuple[Service, Sweep]:
        """One side with its best setting, up, and what the sweep showed."""
        found = self._sweep(candidates, beam_size)
        return self._started(candidates, found.best), found

    def both(self, comparison: Comparison) -> tuple[Service, Service, dict[str, str]]:
        """Ours and the peer, both up, and what a reader must know of them."""
        sides = [
            ours(self.options),
            ours(self.options) if comparison.against_ourselves else comparison.peers(self.options),
        ]
        for side in sides:
            self._sweep(side, comparison.beam_size)
        sweeps = [self._sweep(side, comparison.beam_size) for side in sides]
        if set(self._up) - {found.best for found in sweeps}:
            self.strike()  # what this row does not need must not run beside it
        mine, peer = (self._started(side, found.best) for side, found in zip(sides, sweeps, strict=True))
        our_sweep, peer_sweep = sweeps
        if comparison.against_ourselves:
            return mine, peer, {"ours": str(our_sweep)}
        return mine, peer, {"ours": str(our_sweep), "peer": f"{peer.name}, {peer_sweep}"}

    def strike(self) -> None:
        """Stop every server."""
        self._up.clear()
        self._stack.close()


def measure_row(name: str, stage: Stage) -> Row:
    """One row of COMPARISONS on servers that the stage holds."""
    comparison = COMPARISONS[name]
    mine, peer, details = stage.both(comparison)
    beam = {"beam_size": comparison.beam_size}
    sides = ((mine, {**beam, **comparison.our_fields}), (peer, beam))
    answers = _answers(stage, mine, peer, comparison)
    details |= _idle(mine, peer, stage.seconds) | {"answers": str(answers)}
    cpu: dict[str, list[float]] = {}

    def once(service: Service, side: str, fields: Mapping[str, Any]) -> float:
        requests = service.requests(stage.texts, comparison.per_request, **fields)
        warm_s = min(1.0, stage.seconds / 4)
        done = closed_loop(service.url, requests, comparison.num_connections, stage.seconds, warm_s=warm_s)
        cpu.setdefault(side, []).append(done.client_cpu_s / stage.seconds)
        return comparison.measure(done.checked(f"{name}, {service.name}"))

    row = alternate(
        comparison.title,
        comparison.unit,
        partial(once, *_order(sides[0], "ours")),
        partial(once, *_order(sides[1], "peer")),
        stage.options.rounds,
        better=comparison.better,
        bar=comparison.bar,
    )
    client = ", ".join(f"{side} {sum(used) / len(used):.2f}" for side, used in cpu.items())
    row.details.update(details | {"cores that the client used": client, "seconds a round": f"{stage.seconds:g}"})
    return replace(row, same_answers=answers.are_no_worse)


def _order(side: tuple[Service, Mapping[str, Any]], label: str) -> tuple[Service, str, Mapping[str, Any]]:
    return side[0], label, side[1]


def _idle(mine: Service, peer: Service, seconds: float) -> dict[str, str]:
    idle = {service.name: idle_cores(service.server.process.pid, min(3.0, seconds)) for service in (mine, peer)}
    return {"cores used when idle": ", ".join(f"{name} {cores:.3f}" for name, cores in idle.items())}


def _answers(stage: Stage, mine: Service, peer: Service, comparison: Comparison) -> Answers:
    """How far both sides agree on the first sentences, one text a request."""
    pairs = stage.pairs[: stage.options.num_sentences]
    texts = [pair.source for pair in pairs]
    answers = [service.translations(texts, beam_size=comparison.beam_size) for service in (mine, peer)]
    return compare(answers[0], answers[1], [pair.target for pair in pairs], str)


def _row(name: str, options: Options) -> Row:
    with Stage(options) as stage:
        return measure_row(name, stage)


ROWS: dict[str, Callable[[Options], Row]] = {name: partial(_row, name) for name in COMPARISONS}
"""Each row alone, with servers of its own."""


@click.command()
@click.argument("names", nargs=-1, metavar="[ROW]...", type=click.Choice(list(COMPARISONS)))
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Options().data)
@click.option("--rounds", type=click.IntRange(MIN_ROUNDS), default=MIN_ROUNDS, show_default=True)
@click.option("--seconds", type=click.FloatRange(0.2), default=SECONDS, show_default=True, help="Of one measurement.")
@click.option(
    "--sentences", type=click.IntRange(1), default=1000, show_default=True, help="Whose answers are compared."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write each row as JSON to this folder.")
def main(names: tuple[str, ...], data: Path, rounds: int, seconds: float, sentences: int, out: Path | None) -> None:
    """Compare the service with its HTTP peers; all rows when none is named. Rows share their servers.

    \b
    Examples:
      python -m loadtests.peers.http_rows --seconds 1 --sentences 100
      python -m loadtests.peers.http_rows service-greedy service-beam4 --out runs/peers/rows
    """
    end_on_sigterm()
    command = f"python -m loadtests.peers.http_rows {' '.join(sys.argv[1:])}"
    options = Options(data=data, rounds=rounds, num_sentences=sentences, seconds=seconds)
    with Stage(options) as stage:
        for name in names or COMPARISONS:
            row = measure_row(name, stage)
            low, high = row.spread
            verdict = {True: "met", False: "NOT met", None: "no bar"}[row.passes]
            click.echo(f"{row.name}: ratio {row.ratio:.2f} ({low:.2f}..{high:.2f}) {row.bar} {verdict}")
            click.echo(f"  {row.unit}: ours {_listed(row.ours)}; peer {_listed(row.peer)}")
            for what, detail in row.details.items():
                click.echo(f"  {what}: {detail}")
            sys.stdout.flush()
            if out:
                write(out, Kept(name, [row], Circumstances.here(command)))


def _listed(numbers: list[float]) -> str:
    return " ".join(f"{number:.4g}" for number in numbers)


if __name__ == "__main__":
    main()
