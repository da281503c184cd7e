"""Slow sockets: `python -m loadtests.faults.slow`. 500 connections that send or read a byte a second beside real load.

A third dawdles in the header, a third in the body, and a third asks for a long answer and hardly reads it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import click
import numpy as np
from tqdm import tqdm

from loadtests.client import OK, Outcome, Target, run_plan
from loadtests.faults.overload import long_texts
from loadtests.measure.setting import machine
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.server import running_server

NUM_SOCKETS = 500
PAUSE_S = 1.0
"""Between two bytes of a slow socket."""
LOOK_S = 0.25
"""Between two looks at which connections are left."""
TIME_WAIT, LISTEN = "06", "0A"
"""States of the kernel's table: ended, and the server's own socket."""
SETTLE_S = 3.0
"""Seconds that the slow sockets have to connect before the load begins."""
NICENESS = 10
RECEIVE_BYTES = 2048
"""The kernel's buffer for a slow reader, so that most of an answer stays with the server."""
BODY = json.dumps({"text": ["The black cat ate the mouse. " * 40] * 8, "source": "en", "target": "fr", "beam_size": 1})


def openings() -> list[tuple[bytes, bytes]]:
    """Of each kind of slow socket: bytes sent at once, and those sent one by one."""
    head = b"POST /v1/translate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
    whole = head + f"content-length: {len(BODY)}\r\n\r\n".encode()
    return [
        (head[:20], head[20:] * 40),
        (whole, BODY.encode()),
        (b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n", b""),
    ]


async def dawdle(host: str, port: int, kind: tuple[bytes, bytes], until: float, began: dict[int, float]) -> None:
    """Keep a connection busy for as long as the server lets it; its port and its beginning go into `began`."""
    loop = asyncio.get_running_loop()
    with socket.socket() as plain:  # a stream would read ahead
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        plain.setblocking(False)
        try:
            await loop.sock_connect(plain, (host, port))
            began[plain.getsockname()[1]] = time.monotonic()
            await loop.sock_sendall(plain, kind[0])
            rest = iter(kind[1])
            while time.monotonic() < until:
                byte = next(rest, None)
                if byte is not None:
                    await loop.sock_sendall(plain, bytes([byte]))
                with contextlib.suppress(TimeoutError):
                    if not await asyncio.wait_for(loop.sock_recv(plain, 1), PAUSE_S):
                        break
                await asyncio.sleep(PAUSE_S if byte is None else 0)
        except OSError:
            pass


def held(port: int) -> set[int]:
    """Ports of clients whose connections to this port of this machine the server's side still has (`/proc/net/tcp`).

    A client that reads slowly learns of the end of its connection only once it has read what it had got before.
    """
    found = set()
    for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
        _, local, remote, state, *_ = line.split()
        if int(local.rpartition(":")[2], 16) == port and state not in (TIME_WAIT, LISTEN):
            found.add(int(remote.rpartition(":")[2], 16))
    return found


async def _all(host: str, port: int, num_sockets: int, seconds: float) -> list[float]:
    kinds, until = openings(), time.monotonic() + seconds
    began: dict[int, float] = {}
    lived: dict[int, float] = {}
    dawdling = [
        asyncio.create_task(dawdle(host, port, kinds[i % len(kinds)], until, began)) for i in range(num_sockets)
    ]
    while time.monotonic() < until:
        now, there = time.monotonic(), held(port)
        lived |= {one: now - at for one, at in began.items() if one in there or one not in lived}
        await asyncio.sleep(LOOK_S)
    await asyncio.gather(*dawdling)
    return list(lived.values())


def lives(host: str, port: int, num_sockets: int, seconds: float) -> list[float]:
    """How long the server held each of the slow sockets; for a process of its own, beside the load's clock."""
    return asyncio.run(_all(host, port, num_sockets, seconds))


def apart() -> Executor:
    """A process for the slow sockets. They stand for other machines, so that they take no core from the server."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), os.nice, (NICENESS,))


def beside_slow(
    pool: Executor, url: str, rate: float, seconds: float, num_sockets: int
) -> tuple[list[Outcome], list[float]]:
    """Outcomes of the load, and how long the slow sockets lived, which a process of `pool` opens."""
    parts = urlsplit(url)
    pool.submit(int).result()  # its imports took the first second of the load else
    sockets = pool.submit(lives, parts.hostname or "", parts.port or 80, num_sockets, seconds + SETTLE_S)
    time.sleep(SETTLE_S)
    plan = poisson_plan(PlanOptions(rate, round(rate * seconds), seed=6), long_texts(8))
    target = Target(url, {"source": "en", "target": "fr", "beam_size": 4}, timeout_s=35.0)
    return asyncio.run(run_plan(plan, target)), sockets.result()


def p99(outcomes: Sequence[Outcome]) -> float:
    """Of the latency, in seconds."""
    return float(np.percentile([one.latency_s for one in outcomes], 99))


@click.command()
@click.option("--rate", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Requests/s of 8 sentences.")
@click.option("--seconds", type=click.FloatRange(5), default=14.0, show_default=True, help="Of each load.")
@click.option("--turns", type=click.IntRange(1), default=6, show_default=True, help="Loads without, and with them.")
def main(rate: float, seconds: float, turns: int) -> None:
    """Measure a server of our own without and with slow sockets, in turn; ends with 0 when nothing failed."""
    seen: dict[int, list[list[Outcome]]] = {0: [], NUM_SOCKETS: []}
    ages = list[float]()
    with running_server(2) as server, apart() as pool:
        beside_slow(pool, server.url, rate, 5.0, 0)
        for num_sockets in tqdm([*seen] * turns, desc="slow sockets", unit="load"):
            outcomes, lived = beside_slow(pool, server.url, rate, seconds, num_sockets)
            seen[num_sockets].append(outcomes)
            ages += lived
    codes = Counter(one.code for loads in seen.values() for outcomes in loads for one in outcomes)
    click.echo(f"{rate:g} requests/s of 8 sentences, {dict(codes)}; {machine()}\n")
    click.echo("| slow sockets | p99 of the others, all loads together | of each load |\n|---|---|---|")
    for num_sockets, loads in seen.items():
        each = ", ".join(f"{p99(outcomes) * 1000:.0f}" for outcomes in loads)
        click.echo(f"| {num_sockets} | {p99([one for outcomes in loads for one in outcomes]) * 1000:.0f} ms | {each} |")
    click.echo(f"\nthe server held slow sockets for {np.median(ages):.1f} s (median), {max(ages):.1f} s at most")
    sys.exit(0 if codes.keys() == {OK} else 1)


if __name__ == "__main__":
    main()
