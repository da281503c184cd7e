"""Continuous over static batching: the same runtime, API and load, Poisson arrivals of mixed lengths.

Both servers have one replica and are up at once; only one is under load at a time. First the static server gets the
best `max_batch_size` and `batch_wait_timeout_s`: of a grid, those whose 97th percentile is lowest at 70% of the highest
throughput that any of the grid reached. Then both are measured in turn; every round finds the capacity of the static
server anew, because a machine that others use is not the same for minutes, and offers both 70% of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count

import click
import httpx

from loadtests.peers.alternate import Row, alternate
from loadtests.peers.http_client import ask_all, closed_loop, open_loop, request_bytes
from loadtests.peers.http_load import Load
from loadtests.peers.mixed_lengths import LONG_SHARE, LONG_TOKENS, mixed_texts
from loadtests.peers.options import MODEL, Options
from loadtests.peers.sentences import first
from loadtests.peers.serving import running_application
from loadtests.peers.static_application import BATCHING_PATH, Batching
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.server import running_server

NAME = "continuous over static batching, 70% of capacity, p97"
NAME_LEAVING = "continuous over static batching whose finished rows leave, 70% of capacity, p97"
SIZES = (4, 8, 16, 32, 64)
WAITS_S = (0.005, 0.02, 0.05)
UTILISATION = 0.7
NUM_CONNECTIONS = 128
"""Of the closed loop that finds a capacity: enough for two of the largest batches."""
NUM_TEXTS = 2000
RUN_S = 30.0
"""Length of one measurement under Poisson load."""
PROBE_SHARE = 0.25
"""Of it, what one probe of the grid takes."""
MIN_PROBE_S = 2.0
"""Several of the largest batches."""
PATIENCE_S = 120.0
"""Nobody gives a request up: a server that cannot keep up is late, and no request is lost."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two servers and the texts that it is asked."""

    url: str
    texts: Sequence[str]
    requests: dict[str, bytes]

    @classmethod
    def of(cls, server_url: str, texts: Sequence[str], beam_size: int) -> Side:
        """Requests are made beforehand."""
        url = f"{server_url}/v1/translate"
        return cls(url, texts, {text: request_bytes(url, {"text": text, "beam_size": beam_size}) for text in texts})

    def capacity(self, seconds: float) -> float:
        """Requests per second of a closed loop."""
        requests = [self.requests[text] for text in self.texts]
        load = closed_loop(self.url, requests, NUM_CONNECTIONS, seconds, warm_s=seconds / 4, timeout_s=PATIENCE_S)
        return load.checked(self.url).rate

    def under(self, rate: float, seconds: float, seed: int) -> Load:
        """Poisson arrivals at `rate` requests per second; the same seed gives the same texts at the same times."""
        plan = poisson_plan(PlanOptions(rate, max(1, round(rate * seconds)), seed), self.texts)
        requests, due_s = [self.requests[arrival.text] for arrival in plan], [arrival.due_s for arrival in plan]
        load = open_loop(self.url, requests, due_s, max_connections=1024, timeout_s=PATIENCE_S)
        return load.checked(self.url)

    def answers(self, texts: Sequence[str]) -> list[dict[str, object]]:
        """Answers to some of the texts, in order."""
        bodies = ask_all(self.url, [self.requests[text] for text in texts])
        return [json.loads(body) for body in bodies]


@dataclass(frozen=True, slots=True)
class Best:
    """What the sweep found."""

    batching: Batching
    capacity: float
    """Requests per second that the static server reached, over the whole grid."""
    tried: int


def row(options: Options, beam_size: int = 1, rows_leave: bool = False) -> Row:
    """The comparison at 70% of the static server's capacity; the details tell ours, too.

    `rows_leave`: see `static_application`.
    """
    seconds = options.seconds or RUN_S
    sentences = [pair.source for pair in first(options.data, options.num_sentences)]
    tokenizer = options.bundle().tokenizer
    texts = mixed_texts(sentences, NUM_TEXTS, lambda text: len(tokenizer.encode(text)))
    probe_s = max(MIN_PROBE_S, seconds * PROBE_SHARE)
    with both_servers(options, texts, beam_size, rows_leave) as (ours, static, configure):
        best = sweep(static, configure, probe_s)
        configure(best.batching)
        capacities: dict[int, tuple[float, float]] = {}

        def p97_ms(side: Side, rounds: Iterator[int]) -> float:
            this = next(rounds)
            if this not in capacities:
                capacities[this] = ours.capacity(probe_s), static.capacity(probe_s)
            return side.under(UTILISATION * capacities[this][1], seconds, this).percentile_ms(97)

        details = {
            "texts": f"{LONG_SHARE:.0%} joined to {LONG_TOKENS[0]}..{LONG_TOKENS[1]} tokens, the others as written",
            "static": f"{best.batching}, best of {best.tried}; highest capacity {best.capacity:.0f} requests/s",
            **agreement(ours, static, texts[:200]),
        }
        row = alternate(
            NAME_LEAVING if rows_leave else NAME,
            "ms",
            partial(p97_ms, ours, count(1)),
            partial(p97_ms, static, count(1)),
            options.rounds,
            better="lower",
            bar="<= 0.5x",
            details=details,
            warm=False,
        )
    return replace(row, details=row.details | told(capacities, row, seconds))


def told(capacities: Mapping[int, tuple[float, float]], row: Row, seconds: float) -> dict[str, str]:
    """What each round was measured at, for people."""
    mine, peer = (", ".join(f"{capacity:.0f}" for capacity in side) for side in zip(*capacities.values(), strict=True))
    ours_ms, peer_ms = (" ".join(f"{each:.0f}" for each in side) for side in (row.ours, row.peer))
    return {
        "capacity by round": f"static {peer}, ours {mine} requests/s, {NUM_CONNECTIONS} clients",
        "rate": f"{UTILISATION:.0%} of the static one's, for {seconds:g} s",
        "p97 by round": f"ours {ours_ms}, static {peer_ms} ms",
    }


@contextmanager
def both_servers(
    options: Options, texts: Sequence[str], beam_size: int, rows_leave: bool
) -> Iterator[tuple[Side, Side, Callable[[Batching], None]]]:
    """Ours, the static one, and how to set the batching of that."""
    settings = {
        "ATTENDANT_STORE": str(options.store),
        "ATTENDANT_MODELS": MODEL,
        "ATTENDANT_REQUEST_TIMEOUT_S": str(PATIENCE_S),
    }
    with ExitStack() as stack:
        ours = stack.enter_context(running_server(1, **settings))
        static = stack.enter_context(
            running_application("loadtests.peers.static_application:application", {"rows_leave": rows_leave}, settings)
        )

        def configure(batching: Batching) -> None:
            url = f"{static.url}{BATCHING_PATH}"
            httpx.put(url, json=asdict(batching), trust_env=False).raise_for_status()

        yield Side.of(ours.url, texts, beam_size), Side.of(static.url, texts, beam_size), configure


def sweep(static: Side, configure: Callable[[Batching], None], seconds: float) -> Best:
    """The best batching of the grid; each point is probed twice for `seconds`."""
    grid = [Batching(size, wait_s) for size in SIZES for wait_s in WAITS_S]
    capacities: dict[Batching, float] = {}
    latencies: dict[Batching, float] = {}
    with click.progressbar(length=2 * len(grid), label="best static batches", file=sys.stderr) as bar:
        for batching in grid:
            configure(batching)
            capacities[batching] = static.capacity(seconds)
            bar.update(1)
        capacity = max(capacities.values())
        for batching in grid:
            if capacities[batching] > UTILISATION * capacity:
                configure(batching)
                latencies[batching] = static.under(UTILISATION * capacity, seconds, 1).percentile_ms(97)
            bar.update(1)
    return Best(min(latencies, key=lambda one: latencies[one]), capacity, len(grid))


def agreement(ours: Side, static: Side, texts: Sequence[str]) -> dict[str, str]:
    """How alike the answers are, and how long."""
    pairs = list(zip(ours.answers(texts), static.answers(texts), strict=True))
    same = sum(a["translations"] == b["translations"] for a, b in pairs)
    tokens = sorted(int(a["usage"]["target_tokens"]) for a, _ in pairs)  # type: ignore[index]
    middle, most = tokens[len(tokens) // 2], tokens[-1]
    return {
        "answers": f"{same} of {len(pairs)} identical, scores included; target tokens: median {middle}, most {most}"
    }
