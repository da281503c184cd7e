"""From 1 to 16 replicas of a runtime whose step only waits, and from 1 to 2 of the real one.

Two cores cannot show how sixteen models would compute side by side. They can show whether the service in front of them
(HTTP API, engine loop, HAProxy, Ray Serve) lets sixteen work at once: with a step that waits, a replica's capacity is
set by its engine, MAX_ROWS rows at a time, and the CPU that is used is the service's own.

STEP_S is chosen so that sixteen saturated replicas and the client need less than two cores; the row tells what they
needed. Every replica has twice the connections that its rows can hold, so that none waits for work.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from loadtests.peers.alternate import Row, alternate
from loadtests.peers.http_client import closed_loop, request_bytes
from loadtests.peers.options import MODEL, Options
from loadtests.peers.proxy_ceiling import Cost, cost, echo_cost
from loadtests.peers.sentences import first
from loadtests.peers.serving import running_application
from loadtests.server import running_server

REAL_NAME = "2 replicas over 1, greedy, 32 connections"
REPLICAS = (1, 2, 4, 8, 16)
STEP_S = 0.1
MAX_ROWS = 16
"""Rows that a replica decodes at once."""
CONNECTIONS_PER_REPLICA = 2 * MAX_ROWS
WARM_STEPS = 20
"""Steps before a measurement: more than a translation takes from its arrival."""
TEXT = "The black cat ate the mouse."
RUN_S = 10.0


def row(options: Options, replicas: Sequence[int] = REPLICAS, step_s: float = STEP_S) -> Row:
    """Throughput with the most replicas, against so many times that with one."""
    seconds = options.seconds or RUN_S
    found: dict[int, list[Cost]] = {}
    with click.progressbar(
        length=len(replicas) * (options.rounds + 1) + 1, label="scripted replicas", file=sys.stderr
    ) as bar:
        echo = echo_cost(32, seconds)
        bar.update(1)
        for num_replicas in replicas:
            found[num_replicas] = []
            settings = {"ATTENDANT_MODELS": MODEL, "ATTENDANT_MAX_BATCH_ROWS": str(MAX_ROWS)}
            with running_application(
                "loadtests.peers.scripted_runtime:application", {"step_s": step_s}, settings, num_replicas
            ) as server:
                url = f"{server.url}/v1/translate"
                requests = [request_bytes(url, {"text": TEXT, "beam_size": 1})]
                for number in range(options.rounds + 1):
                    connections = CONNECTIONS_PER_REPLICA * num_replicas
                    measured = cost(server, url, requests, connections, seconds, WARM_STEPS * step_s)
                    found[num_replicas] += [measured] if number else []  # at first Ray is still busy with the start
                    bar.update(1)
    most = max(replicas)
    return Row(
        f"scripted runtime, {most} replicas over {most} times 1",
        "requests/s",
        [one.load.rate for one in found[most]],
        [most * one.load.rate for one in found[min(replicas)]],
        "higher",
        ">= 0.9x",
        _details(found, echo, step_s),
    )


def _details(found: dict[int, list[Cost]], echo: Cost, step_s: float) -> dict[str, str]:
    one = _median(found[min(found)]).load.rate / min(found)
    told = {
        f"{num_replicas} replicas": f"{_median(costs)}; {_median(costs).load.rate / num_replicas / one:.2f} of linear"
        for num_replicas, costs in found.items()
    }
    return {
        "step": f"waits {step_s:g} s, at most {MAX_ROWS} rows",
        **told,
        "proxy alone": f"{echo}; one core of it would carry {echo.proxy_ceiling:.0f} requests/s",
    }


def _median(costs: Sequence[Cost]) -> Cost:
    return sorted(costs, key=lambda one: one.load.rate)[len(costs) // 2]


def real_row(options: Options) -> Row:
    """The real runtime: two replicas against one, on whatever cores there are, client included."""
    seconds = options.seconds or RUN_S
    texts = [pair.source for pair in first(options.data, options.num_sentences)]
    settings = {"ATTENDANT_STORE": str(options.store), "ATTENDANT_MODELS": MODEL}
    with running_server(2, **settings) as two, running_server(1, **settings) as one:

        def rate(server_url: str) -> float:
            url = f"{server_url}/v1/translate"
            requests = [request_bytes(url, {"text": text, "beam_size": 1}) for text in texts]
            return closed_loop(url, requests, 32, seconds, warm_s=seconds / 5).checked(url).rate

        return alternate(REAL_NAME, "requests/s", lambda: rate(two.url), lambda: rate(one.url), options.rounds)
