"""The same scenario driven by MLCommons' own load generator, to see that ours measures what it measures.

`mlcommons-loadgen` draws its own Poisson arrivals and counts latency from the moment each was due; sentences are asked
for over HTTP, kept alive as ours. What it sent is then sent once more by our generator, each request at the same
moment: two runs of other arrivals differ by their luck. So it goes in the search for the highest rate, too.

A server whose steps only wait answers a request at the same time whoever else uses the machine, so that differences
are the generators'; the real one shows what is left of that beside the machine's own noise.

    python -m loadtests.peers.mlperf
    python -m loadtests.peers.mlperf --server real --no-bisect
    python -m loadtests.peers.mlperf --seconds 2 --no-bisect      # short form
"""

from __future__ import annotations

import functools
import importlib
import re
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click
import httptools

from loadtests.peers.alternate import MIN_ROUNDS, Better, Row
from loadtests.peers.http_client import closed_loop, open_loop
from loadtests.peers.http_connection import MAX_IDLE_S
from loadtests.peers.http_process import end_on_sigterm
from loadtests.peers.http_rows import Stage
from loadtests.peers.http_service import Service, ours, waiting
from loadtests.peers.options import Options
from loadtests.peers.scenario import LIMIT_MS, PERCENTILE, Probe, Prober, highest_rate

TOLERANCE = 0.05
"""How far apart the two generators may be, as a share."""
STEP_S, MAX_ROWS = 0.005, 16
"""Of the server whose steps wait."""
MIN_CONNECTIONS, MAX_CONNECTIONS = 32, 512
TIMEOUT_S = 10.0
"""Of what hangs."""


def load_generator() -> Any:
    """The module of `mlcommons-loadgen`, which has no types. Raises click.ClickException when it is not installed."""
    try:
        return importlib.import_module("mlperf_loadgen")
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}; pip install mlcommons-loadgen") from error


class Arrival(NamedTuple):
    """A request that a generator sent, or is to send."""

    due_s: float
    text: int
    """Its number."""


class _Line:
    """A kept-alive connection with at most one query under way. Also the callbacks of its parser."""

    def __init__(self, address: tuple[str, int], answered: Callable[[_Line, bool], None]) -> None:
        """`answered` is told of each answer, and whether it was 200."""
        self.socket = socket.create_connection(address, timeout=TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.query_id: int | None = None
        self.idle_since = time.monotonic()
        self._parser, self._answered = httptools.HttpResponseParser(self), answered

    @property
    def is_closed(self) -> bool:
        """Whether we hung up."""
        return self.socket.fileno() < 0

    def send(self, query_id: int, request: bytes) -> None:
        """Write a request."""
        self.query_id = query_id
        self.socket.sendall(request)

    def read(self) -> bool:
        """Take what came; False when nothing more will."""
        try:
            data = self.socket.recv(1 << 16)
            self._parser.feed_data(data)
        except (OSError, httptools.HttpParserError):
            return False
        return bool(data)

    def on_message_complete(self) -> None:
        """See httptools."""
        self._answered(self, self._parser.get_status_code() == HTTPStatus.OK)


class Asker:
    """Asks a server for the load generator: queries are written by the thread that issues them, when it does, and one
    thread reads the answers. Nothing is handed from thread to thread on the way, which would count as latency."""

    def __init__(self, url: str, requests: Sequence[bytes], loadgen: Any) -> None:
        parts = urlsplit(url)
        self._address, self._requests, self._loadgen = (parts.hostname or "", parts.port or 80), requests, loadgen
        self._lock, self._selector = threading.Lock(), selectors.DefaultSelector()
        self._free, self._waiting, self._num_lines = list[_Line](), deque[tuple[int, int]](), 0
        self.num_errors = 0
        """Queries that got another answer than 200, or none."""
        self.arrivals: list[Arrival] = []
        """Queries as they were issued."""
        self._closing, self._closed = socket.socketpair()
        self._selector.register(self._closed, selectors.EVENT_READ)
        for line in [self._open() for _ in range(MIN_CONNECTIONS)]:
            self._free.append(line)
        self._thread = threading.Thread(target=self._read, name="asker")
        self._thread.start()

    def issue(self, samples: Sequence[Any]) -> None:
        """Send queries of the load generator, or keep them until a connection is free."""
        for sample in samples:
            self.arrivals.append(Arrival(time.perf_counter(), sample.index))
            with self._lock:
                line = self._take()
                if line is None and self._num_lines >= MAX_CONNECTIONS:
                    self._waiting.append((sample.id, sample.index))
                    continue
            self._send(line or self._open(), sample.id, sample.index)

    def close(self) -> None:
        """Hang up and end the thread."""
        self._closing.close()
        self._thread.join(TIMEOUT_S)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _open(self) -> _Line:
        line = _Line(self._address, self._answered)
        with self._lock:
            self._num_lines += 1
        self._selector.register(line.socket, selectors.EVENT_READ, line)
        return line

    def _take(self) -> _Line | None:
        """A free connection that the server is not about to close; older ones are given up."""
        too_old = time.monotonic() - MAX_IDLE_S
        while self._free:
            line = self._free.pop()
            if line.idle_since > too_old:
                return line
            self._hang_up(line)
        return None

    def _hang_up(self, line: _Line) -> None:
        self._num_lines -= 1
        self._selector.unregister(line.socket)
        line.socket.close()

    def _send(self, line: _Line, query_id: int, index: int) -> None:
        try:
            line.send(query_id, self._requests[index])
        except OSError:
            self._complete(line, False)  # the thread that reads will find the connection closed

    def _read(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                if not key.data.read():
                    self._lost(key.data)

    def _lost(self, line: _Line) -> None:
        with self._lock:
            if line.is_closed:
                return
            self._hang_up(line)
            if line in self._free:
                self._free.remove(line)
        if line.query_id is not None:
            self._complete(line, False)

    def _answered(self, line: _Line, is_ok: bool) -> None:
        self._complete(line, is_ok)
        with self._lock:
            line.idle_since = time.monotonic()
            if not self._waiting:
                self._free.append(line)
                return
            query_id, index = self._waiting.popleft()
        self._send(line, query_id, index)

    def _complete(self, line: _Line, is_ok: bool) -> None:
        query_id, line.query_id = line.query_id, None
        self.num_errors += not is_ok
        self._loadgen.QuerySamplesComplete([self._loadgen.QuerySampleResponse(query_id, 0, 0)])


def loadgen_probe(
    service: Service, texts: Sequence[str], beam_size: int, rate: float, seconds: float, seed: int
) -> tuple[Probe, list[Arrival]]:
    """One run of the load generator's Server scenario at a target rate, and what it sent."""
    loadgen = load_generator()
    settings = loadgen.TestSettings()
    settings.scenario, settings.mode = loadgen.TestScenario.Server, loadgen.TestMode.PerformanceOnly
    settings.server_target_qps, settings.server_target_latency_ns = rate, int(LIMIT_MS * 1e6)
    settings.server_target_latency_percentile = PERCENTILE / 100
    settings.min_duration_ms, settings.min_query_count = int(seconds * 1000), max(1, int(rate * seconds))
    settings.max_query_count = settings.min_query_count
    settings.schedule_rng_seed, settings.sample_index_rng_seed, settings.qsl_rng_seed = seed, seed + 1, seed + 2
    asker = Asker(service.url, service.requests(texts, beam_size=beam_size), loadgen)
    library = loadgen.ConstructQSL(len(texts), len(texts), lambda indices: None, lambda indices: None)
    system = loadgen.ConstructSUT(asker.issue, lambda: None)
    try:
        with tempfile.TemporaryDirectory(prefix="attendant-loadgen-") as folder:
            logs = loadgen.LogSettings()
            logs.log_output.outdir = folder
            logs.log_output.copy_summary_to_stdout = False
            logs.enable_trace = False
            loadgen.StartTestWithLogSettings(system, library, settings, logs)
            summary = (Path(folder) / "mlperf_log_summary.txt").read_text()
    finally:
        loadgen.DestroySUT(system)
        loadgen.DestroyQSL(library)
        asker.close()
    return parse_summary(summary, rate, asker.num_errors), asker.arrivals


def replay(service: Service, texts: Sequence[str], beam_size: int, rate: float, arrivals: Sequence[Arrival]) -> Probe:
    """The same requests at the same moments, sent by our generator."""
    requests = service.requests(texts, beam_size=beam_size)
    first = arrivals[0].due_s
    load = open_loop(service.url, [requests[each.text] for each in arrivals], [each.due_s - first for each in arrivals])
    return Probe(rate, load.rate, load.percentile_ms(50), load.percentile_ms(PERCENTILE), load.errors.total())


def parse_summary(summary: str, rate: float, num_errors: int) -> Probe:
    """The probe that mlperf_log_summary.txt tells of. Raises ValueError when a number is missing."""

    def number(name: str) -> float:
        found = re.search(rf"^{re.escape(name)}\s*:\s*([0-9.]+)", summary, re.MULTILINE)
        if found is None:
            raise ValueError(f"the load generator's summary has no {name!r}:\n{summary}")
        return float(found[1])

    p50_ms, p97_ms = (number(f"{percent:.2f} percentile latency (ns)") / 1e6 for percent in (50, PERCENTILE))
    return Probe(rate, number("Completed samples per second"), p50_ms, p97_ms, num_errors)


def agreement(
    service: Service, texts: Sequence[str], beam_size: int, options: Options, share: float, seconds: float, bisect: bool
) -> list[Row]:
    """Rows of our generator over MLCommons' on the same server: p50 and p97 at a rate, and the highest rate."""
    requests = service.requests(texts, beam_size=beam_size)
    full = closed_loop(service.url, requests, 32, min(5.0, seconds), warm_s=1.0).checked(service.name).rate
    rate, details = share * full, {"server": f"{service.name}, {service.setting}"}
    own, theirs = list[Probe](), list[Probe]()
    with click.progressbar(range(1, options.rounds + 1), label=f"{rate:.0f} requests/s", file=sys.stderr) as bar:
        for seed in bar:
            seen, arrivals = loadgen_probe(service, texts, beam_size, rate, seconds, seed)
            theirs.append(seen)
            own.append(replay(service, texts, beam_size, rate, arrivals))
    details["rate"] = f"{rate:.1f} requests/s, {share:.0%} of a closed loop's {full:.0f}"
    details["errors"] = str([sum(each.num_errors for each in seen) for seen in (own, theirs)])
    shown: list[tuple[str, str, Better, Callable[[Probe], float]]] = [
        ("answered rate", "requests/s", "higher", lambda each: each.answered_rate),
        ("p50", "ms", "lower", lambda each: each.p50_ms),
        ("p97", "ms", "lower", lambda each: each.p97_ms),
    ]
    rows = [
        Row(f"generators: {name}", unit, [of(each) for each in own], [of(each) for each in theirs], better, "", details)
        for name, unit, better, of in shown
    ]
    if bisect:
        own_rate, their_rate = (highest_rate(run, 0.8 * full, seconds) for run in probers(service, texts, beam_size))
        rows.append(Row("generators: highest rate", "requests/s", [own_rate], [their_rate], "higher", "", details))
    return rows


def probers(service: Service, texts: Sequence[str], beam_size: int) -> tuple[Prober, Prober]:
    """Ours and the load generator, as a search for the highest rate runs them: ours sends what the other one sent."""

    @functools.cache
    def both(rate: float, seconds: float, seed: int) -> tuple[Probe, Probe]:
        theirs, arrivals = loadgen_probe(service, texts, beam_size, rate, seconds, seed)
        return replay(service, texts, beam_size, rate, arrivals), theirs

    return lambda *run: both(*run)[0], lambda *run: both(*run)[1]


def difference(row: Row) -> float:
    """How far the medians of both generators are apart, as a share."""
    return abs(statistics.median(row.ours) / statistics.median(row.peer) - 1)


@click.command()
@click.option("--beam-size", type=click.Choice(["1", "4"]), default="1", show_default=True, help="1 is greedy.")
@click.option(
    "--server", type=click.Choice(["waiting", "real"]), default="waiting", show_default=True, help="What is asked."
)
@click.option("--share", type=click.FloatRange(0.05, 1.0), default=0.6, show_default=True, help="Of the closed loop's.")
@click.option("--seconds", type=click.FloatRange(1), default=20.0, show_default=True, help="Of each run.")
@click.option("--rounds", type=click.IntRange(MIN_ROUNDS), default=MIN_ROUNDS, show_default=True)
@click.option("--bisect/--no-bisect", default=True, show_default=True, help="Also find the highest rate with each.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Options().data)
def main(beam_size: str, server: str, share: float, seconds: float, rounds: int, bisect: bool, data: Path) -> None:
    """Compare our load generator with mlcommons-loadgen on the same server; ends with 1 when they disagree.

    \b
    Examples:
      python -m loadtests.peers.mlperf
      python -m loadtests.peers.mlperf --server real --share 0.3 --no-bisect
    """
    end_on_sigterm()
    options = Options(data=data, rounds=rounds, seconds=min(seconds, 3.0))
    with Stage(options) as stage, ExitStack() as stack:
        if server == "real":
            service, _ = stage.best(ours(options), int(beam_size))
        else:
            service = stack.enter_context(waiting(options, STEP_S, MAX_ROWS))
        rows = agreement(service, stage.texts, int(beam_size), options, share, seconds, bisect)
    for row in rows:
        low, high = row.spread
        click.echo(f"{row.name}: medians {difference(row):.1%} apart, a round {low:.3f}..{high:.3f} {row.unit}")
        click.echo(f"  ours {[round(x, 2) for x in row.ours]}; loadgen {[round(x, 2) for x in row.peer]}")
    for what, detail in rows[0].details.items():
        click.echo(f"  {what}: {detail}")
    apart = [row.name for row in rows if difference(row) > TOLERANCE]
    click.echo(f"more than {TOLERANCE:.0%} apart: {', '.join(apart) or 'nothing'}")
    sys.exit(bool(apart))


if __name__ == "__main__":
    main()
