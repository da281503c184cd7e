"""A herd: `python -m loadtests.faults.herd`. 1,000 clients ask at once when a server has started, and retry as told."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter

import click
import httpx
import numpy as np

from loadtests.faults.overload import long_texts
from loadtests.measure.setting import machine
from loadtests.server import running_server

GIVE_UP_S = 120.0
REFUSALS = (429, 503)


async def client(http: httpx.AsyncClient, text: str, counts: Counter[int]) -> float:
    """Ask until the answer is there, waiting as `Retry-After` says; seconds from the first try to the answer."""
    started = time.monotonic()
    while time.monotonic() - started < GIVE_UP_S:
        body = {"text": text, "source": "en", "target": "fr", "beam_size": 4}
        response = await http.post("/v1/translate", json=body)
        counts[response.status_code] += 1
        if response.status_code not in REFUSALS:
            break
        await asyncio.sleep(float(response.headers["retry-after"]) * random.uniform(1.0, 1.2))
    return time.monotonic() - started


async def herd(url: str, num_clients: int, num_sentences: int) -> tuple[Counter[int], list[float]]:
    """Answers by status, and how long each client waited."""
    texts, counts = long_texts(num_sentences), Counter[int]()
    limits = httpx.Limits(max_connections=num_clients)
    async with httpx.AsyncClient(base_url=url, timeout=GIVE_UP_S, limits=limits, trust_env=False) as http:
        waits = await asyncio.gather(*(client(http, texts[i % len(texts)], counts) for i in range(num_clients)))
    return counts, list(waits)


@click.command()
@click.option("--clients", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--sentences", type=click.IntRange(1), default=4, show_default=True, help="Of each text.")
def main(clients: int, sentences: int) -> None:
    """Let a herd loose on a server of our own; ends with 0 when everybody was served."""
    with running_server(2) as server:
        counts, waits = asyncio.run(herd(server.url, clients, sentences))
    tries = sum(counts.values())
    click.echo(f"{clients} clients, {tries} requests ({tries / clients:.2f}x), {dict(counts)}; {machine()}")
    click.echo(f"served after {np.median(waits):.1f} s (median), {max(waits):.1f} s at most")
    sys.exit(0 if counts[200] == clients else 1)


if __name__ == "__main__":
    main()
