"""A herd: `python -m loadtests.faults.herd`. 1,000 clients ask at once when a server has started, and retry as told."""

from __future__ import annotations

import asyncio
import random
import re
import sys
import time
from collections import Counter
from urllib.parse import urlsplit

import click
import numpy as np

from loadtests.faults.overload import BODY, long_texts
from loadtests.measure.setting import machine
from loadtests.peers.http_client import request_bytes
from loadtests.server import running_server

GIVE_UP_S = 120.0
REFUSALS = (429, 503)


async def asked(host: str, port: int, request: bytes) -> tuple[int, float]:
    """One request on a connection of its own: the status, and the seconds of `Retry-After`, 0 without it."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(request.replace(b"\r\n", b"\r\nconnection: close\r\n", 1))
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.read()
    finally:
        writer.close()
    wait = re.search(rb"(?i)\r\nretry-after: (\d+)", head)
    return int(head.split()[1]), float(wait[1]) if wait else 0.0


async def client(host: str, port: int, request: bytes, counts: Counter[int]) -> tuple[int, float]:
    """Ask until the answer is there, waiting as `Retry-After` says; the tries, and seconds to the answer."""
    started, tries = time.monotonic(), 0
    while time.monotonic() - started < GIVE_UP_S:
        status, wait_s = await asked(host, port, request)
        counts[status] += 1
        tries += 1
        if status not in REFUSALS:
            break
        await asyncio.sleep(wait_s * random.uniform(1.0, 1.2))
    return tries, time.monotonic() - started


async def herd(url: str, num_clients: int, num_sentences: int) -> tuple[Counter[int], list[tuple[int, float]]]:
    """Answers by status, and for each client its tries and how long it waited."""
    parts, counts = urlsplit(url), Counter[int]()
    fields = BODY
    requests = [request_bytes(f"{url}/v1/translate", {"text": text, **fields}) for text in long_texts(num_sentences)]
    where = parts.hostname or "", parts.port or 80
    found = await asyncio.gather(*(client(*where, requests[i % len(requests)], counts) for i in range(num_clients)))
    return counts, list(found)


@click.command()
@click.option("--clients", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--sentences", type=click.IntRange(1), default=4, show_default=True, help="Of each text.")
def main(clients: int, sentences: int) -> None:
    """Let a herd loose on a server of our own; ends with 0 when everybody was served."""
    with running_server(2) as server:
        counts, found = asyncio.run(herd(server.url, clients, sentences))
    refused, waits = [tries - 1 for tries, _ in found if tries > 1], [wait for _, wait in found]
    retries = f"{len(refused)} were refused and came again {np.mean(refused or [0]):.2f} times (mean)"
    click.echo(f"{clients} clients, {dict(counts)}; {retries}; {machine()}")
    click.echo(f"served after {np.median(waits):.1f} s (median), {max(waits):.1f} s at most")
    sys.exit(0 if counts[200] == clients else 1)


if __name__ == "__main__":
    main()
