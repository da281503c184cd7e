"""What metrics cost: their share of the processor time of a request for one sentence.

Time inside of metrics is taken in this process, in a replica that is asked without HTTP; what a request takes in all is
taken from a server: its replica, proxy and Ray.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import orjson
from tqdm import tqdm

from loadtests.measure.setting import Setting, setting, show
from loadtests.peers.http_client import ask_all as ask_over_http
from loadtests.peers.http_client import request_bytes
from loadtests.peers.process_cost import cpu_seconds
from loadtests.server import Server, running_server
from model_store.contract.bundle import Bundle
from service.deployments.choices import runtime_of
from service.deployments.replica import Replica
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE
from service.settings import Settings

NUM_CONNECTIONS = 32
NUM_REQUESTS = 2000
NUM_ROUNDS = 5
BEAM_SIZES = (1, 4)
BAR = 0.02
OF_REQUESTS = ("request_started", "request_finished", "translated")
OF_ENGINE = ("encoded", "stepped", "finished", "dropped", "depth")

App = Callable[[Any, Any, Any], Awaitable[None]]


class Spent:
    """Time inside of methods that one thread calls. They wait for nothing, and asking for processor time would itself
    take as long as they do."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.num_calls = 0

    def watch(self, target: Any, methods: tuple[str, ...]) -> Any:
        """`target`, whose methods of these names are timed from now on."""
        for name in methods:
            setattr(target, name, self.timed(getattr(target, name)))
        return target

    def timed(self, method: Callable[..., None]) -> Callable[..., None]:
        """The method, with its time added up."""

        def call(*arguments: Any) -> None:
            started = time.perf_counter()
            method(*arguments)
            self.seconds += time.perf_counter() - started
            self.num_calls += 1

        return call


def cost_of_timing(num_calls: int = 100_000) -> float:
    """Seconds that `Spent` finds in a call of a method that does nothing."""
    spent = Spent()
    call = spent.timed(lambda *arguments: None)
    for _ in range(num_calls):
        call(1, 2)
    return spent.seconds / num_calls


async def ask(app: App, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Send one request to the application, with further headers. Raises ValueError unless it is translated."""
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])
    statuses: list[int] = []

    async def receive() -> Any:
        for part in parts:
            return part
        return await asyncio.Event().wait()  # the client stays until it has its answer

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    sent = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
    await app({"type": "http", "method": "POST", "path": "/v1/translate", "headers": sent}, receive, send)
    if statuses != [200]:
        raise ValueError(f"a request was answered with {statuses}")


async def ask_all(app: App, bodies: list[bytes]) -> None:
    """Send all of them, `NUM_CONNECTIONS` at a time."""
    waiting = iter(bodies)

    async def connection() -> None:
        for body in waiting:
            await ask(app, body)

    await asyncio.gather(*(connection() for _ in range(NUM_CONNECTIONS)))


def in_server(server: Server, model: str, beam_size: int, sentences: list[str]) -> float:
    """Seconds of processor time that a server takes for a request."""
    url = f"{server.url}/v1/translate"
    fields = {"model": model, "beam_size": beam_size}
    requests = [request_bytes(url, {"text": text, **fields}) for text in sentences]
    ask_over_http(url, requests, NUM_CONNECTIONS)
    before = cpu_seconds(server.process.pid).total()
    ask_over_http(url, requests, NUM_CONNECTIONS)
    return (cpu_seconds(server.process.pid).total() - before) / len(requests)


async def in_replica(bundle: Bundle, sentences: list[str], timing_s: float) -> list[tuple[float, float, float]]:
    """Of a request, for each beam size: seconds inside of metrics, of processor time in all, and calls."""
    settings, metrics, spent = Settings(), Metrics(), (Spent(), Spent())
    of_requests, of_engine = spent
    observer = metrics.engine_observer
    watched: Any = of_requests.watch(metrics, OF_REQUESTS)
    watched.engine_observer = lambda model: of_engine.watch(observer(model), OF_ENGINE)
    replica = Replica([bundle], settings, metrics, partial(runtime_of, settings=settings))
    await replica.start()
    medians = []
    for beam_size in BEAM_SIZES:
        bodies = [orjson.dumps({"text": text, "beam_size": beam_size}) for text in sentences]
        found = []
        for _ in tqdm(range(NUM_ROUNDS + 1), desc=f"{bundle.manifest.name}, beam {beam_size}"):
            for each in spent:
                each.seconds, each.num_calls = 0.0, 0
            started = time.process_time()
            await ask_all(replica.app, bodies)
            whole_s = time.process_time() - started
            num_calls = sum(each.num_calls for each in spent)
            in_metrics_s = sum(each.seconds for each in spent) - num_calls * timing_s
            found.append((in_metrics_s / len(bodies), whole_s / len(bodies), num_calls / len(bodies)))
        medians.append(sorted(found[1:])[NUM_ROUNDS // 2])  # the first one warms up
    await replica.stop()
    return medians


def main(measured: Setting) -> None:
    """Print the table; exit code 1 when metrics cost more than the bar."""
    sentences, timing_s = measured.sentences(NUM_REQUESTS), statistics.median(cost_of_timing() for _ in range(5))
    bundles = measured.bundles()
    shapes = [(bundle.manifest.name, beam_size) for bundle in bundles for beam_size in BEAM_SIZES]
    with running_server(ATTENDANT_STORE=str(measured.store.path)) as server:
        of_server = [in_server(server, *shape, sentences) for shape in shapes]
    of_replica = [one for bundle in bundles for one in asyncio.run(in_replica(bundle, sentences, timing_s))]
    rows = []
    for (model, beam_size), server_s, (metrics_s, replica_s, num_calls) in zip(
        shapes, of_server, of_replica, strict=True
    ):
        microseconds = (f"{seconds * 1e6:,.1f}" for seconds in (metrics_s, replica_s, server_s))
        share = metrics_s / server_s
        verdict = "met" if share < BAR else "NOT met"
        rows.append((f"{model}, beam {beam_size}", f"{num_calls:.1f}", *microseconds, f"{share:.1%}", verdict))
    of_all = ["us in metrics", "us of a replica without HTTP", "us of the server"]
    header = ["model", "calls a request", *of_all, "metrics of the server", f"bar {BAR:.0%}"]
    show(f"Processor time a request, {NUM_CONNECTIONS} connections", header, rows)
    raise SystemExit(any(row[-1] != "met" for row in rows))


if __name__ == "__main__":
    options = setting(__doc__ or "")
    with tempfile.TemporaryDirectory(prefix="attendant-measure-") as folder:
        os.environ[DIRECTORY_VARIABLE] = folder  # as in a server: what is counted survives the process
        main(options)
