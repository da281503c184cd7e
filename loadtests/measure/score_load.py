"""Translation while POST /v1/score runs at a fifth of its capacity: throughput, and latency of single translations."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import numpy as np

from loadtests.measure.served import pairs
from loadtests.measure.setting import machine, setting, show
from loadtests.server import running_server

NUM_ROUNDS = 3
SECONDS = 6.0
"""Of each load."""
NUM_CONNECTIONS = 16
PAIRS_PER_REQUEST = 64
SHARE = 0.2
Work = Callable[[int], Awaitable[Any]]


async def closed_loop(work: Work, num_clients: int, seconds: float) -> tuple[float, list[float]]:
    """Clients that ask again when they are answered: answers per second, and the latencies in seconds."""
    ends, latencies = time.perf_counter() + seconds, list[float]()

    async def client(first: int) -> None:
        number = first
        while (started := time.perf_counter()) < ends:
            await work(number)
            latencies.append(time.perf_counter() - started)
            number += num_clients

    await asyncio.gather(*(client(i) for i in range(num_clients)))
    return len(latencies) / seconds, latencies


async def beside(background: Work, rate: float, measured: Awaitable[Any]) -> Any:
    """What `measured` gives while `background` is called so many times a second."""
    under_way: set[asyncio.Task[Any]] = set()

    async def go_on() -> None:
        number = 0
        while True:
            task = asyncio.ensure_future(background(number))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            number += 1
            await asyncio.sleep(1.0 / rate)

    going = asyncio.ensure_future(go_on())
    try:
        return await measured
    finally:
        going.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def measure(url: str, texts: list[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """By name: alone, and beside scores."""
    async with httpx.AsyncClient(base_url=url, timeout=60.0, trust_env=False) as client:

        async def post(path: str, body: dict[str, Any]) -> None:
            (await client.post(path, json=body)).raise_for_status()

        def translate(number: int) -> Awaitable[None]:
            text = texts[number % len(texts)][0]
            return post("/v1/translate", {"text": text, "source": "en", "target": "fr", "beam_size": 4})

        def score(number: int) -> Awaitable[None]:
            first = number * PAIRS_PER_REQUEST % (len(texts) - PAIRS_PER_REQUEST)
            some = [{"text": s, "translation": t} for s, t in texts[first : first + PAIRS_PER_REQUEST]]
            return post("/v1/score", {"pairs": some, "source": "en", "target": "fr"})

        await closed_loop(translate, NUM_CONNECTIONS, 2.0)
        capacity, _ = await closed_loop(score, 2, SECONDS)
        alone, _ = await closed_loop(translate, NUM_CONNECTIONS, SECONDS)
        _, single = await closed_loop(translate, 1, SECONDS)
        rate = SHARE * capacity
        busy, _ = await beside(score, rate, closed_loop(translate, NUM_CONNECTIONS, SECONDS))
        _, busy_single = await beside(score, rate, closed_loop(translate, 1, SECONDS))
    p99 = [float(np.percentile(each, 99)) * 1000 for each in (single, busy_single)]
    return {
        "scores, requests of 64 pairs/s": (capacity, rate),
        "translations/s, 16 connections, beam 4": (alone, busy),
        "p99 of single translations, ms": (p99[0], p99[1]),
    }


def main() -> None:
    """Print the table."""
    given = setting(__doc__ or "")
    texts = pairs(given.data / "tatoeba-en-fr/test.tsv.gz", 1000)
    with running_server(1) as server:
        rounds = [asyncio.run(measure(server.url, texts)) for _ in range(NUM_ROUNDS)]
    rows = []
    for name in rounds[0]:
        alone, busy = (statistics.median(one[name][i] for one in rounds) for i in (0, 1))
        ratio = statistics.median(one[name][1] / one[name][0] for one in rounds)
        rows.append((name, f"{alone:.1f}", f"{busy:.1f}", f"{ratio:.2f}"))
    title = f"Translation beside scores at {SHARE:.0%} of their capacity, {machine()}"
    show(title, ["", "alone", "beside", "ratio"], rows)


if __name__ == "__main__":
    main()
