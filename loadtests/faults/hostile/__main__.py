"""Send hostile requests to servers of our own, without and with API keys, and look for what must not be."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import click
import httpx

from loadtests.faults.hostile.corpus import HEALTH, MARK, Hostile
from loadtests.faults.hostile.requests import changed, of_the_document
from loadtests.measure.setting import machine
from loadtests.processes import anonymous_mib, replica_pids
from loadtests.server import Server, running_server
from service.api.keys import new_key

SETTINGS = {"ATTENDANT_MODELS": "en-fr-transformer,en-fr-bahdanau"}
NUM_REPLICAS = 2
AT_ONCE = 8
REFUSED_WITHIN_S = 1.0
TRANSLATED_WITHIN_S = 10.0
"""Some hostile texts are 5,000 characters that must be translated."""
ENDED_WITHIN_S = 12.0
"""Unfinished requests: the server waits 8 s for their rest."""
UNFINISHED_S = 0.3
"""How long most unfinished requests are watched; each hundredth to its end."""
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


@dataclass(slots=True)
class Seen:
    """What came of requests."""

    num_sent: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_refusal_s: float = 0.0
    slowest_success_s: float = 0.0

    def add(self, one: Hostile, answer: bytes | None, took_s: float, guarded: bool) -> None:
        """Judge one answer; None is a connection that was not answered in time."""
        self.num_sent += 1
        self.kinds[one.kind] += 1
        told = f"{one.kind}: {one.content[:300]!r}"
        if answer is None:
            self.statuses["none"] += 1
            if one.must_answer and not one.may_wait:
                self.faults.append(f"no answer within {TRANSLATED_WITHIN_S:g} s to {told}")
            return
        found = [match.decode() for match in STATUS.findall(answer)]
        last = found[-1] if found else "closed"
        self.statuses[last] += 1
        if last == "200":
            self.slowest_success_s = max(self.slowest_success_s, took_s)
        elif not one.may_wait:
            self.slowest_refusal_s = max(self.slowest_refusal_s, took_s)
            if took_s > REFUSED_WITHIN_S:
                self.faults.append(f"{last} only after {took_s:.1f} s to {told}")
        if not found and one.must_answer:
            self.faults.append(f"closed without an answer: {told}")
        if any(status >= "500" for status in found):
            self.faults.append(f"{found} to {told}")
        if guarded and "200" in found and not any(path.encode() in one.content for path in HEALTH):
            self.faults.append(f"{found} without a key to {told}")


async def ask(host: str, port: int, one: Hostile, patience_s: float) -> tuple[bytes | None, float]:
    """The bytes that came until the server closed, or fell silent after an answer; None when nothing came in time."""
    started, answer = time.monotonic(), b""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 22)
    came = started
    try:
        async with asyncio.timeout(patience_s) as patience:
            writer.write(one.content)
            while piece := await reader.read(1 << 20):
                answer, came = answer + piece, time.monotonic()
                if STATUS.findall(answer)[-1:] != [b"100"]:
                    patience.reschedule(asyncio.get_running_loop().time() + 0.2)  # it may keep the connection
    except TimeoutError:
        if not answer:
            return None, time.monotonic() - started
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()
    return answer, came - started


async def send_all(server: Server, requests: Iterator[Hostile], count: int, key: str) -> Seen:
    """Send `count` of them, eight at a time."""
    seen, url = Seen(), urlsplit(server.url)
    numbered = enumerate(itertools.islice(requests, count))
    with click.progressbar(length=count, label="requests", file=sys.stderr, show_pos=True) as bar:

        async def client() -> None:
            for number, one in numbered:
                patience_s = TRANSLATED_WITHIN_S
                if one.may_wait:
                    patience_s = ENDED_WITHIN_S if number % 100 == 0 else UNFINISHED_S
                answer, took_s = await ask(url.hostname or "", url.port or 80, one, patience_s)
                seen.add(one, answer, took_s, bool(key) and key.encode() not in one.content)
                bar.update(1)

        await asyncio.gather(*(client() for _ in range(AT_ONCE)))
    return seen


def mixed(document: object, count: int, seed: int, key: str) -> Iterator[Hostile]:
    """A twentieth of the document, the rest changed recordings."""
    made, others = of_the_document(document, count // 20, seed), changed(seed, key)
    while True:
        for _ in range(19):
            yield next(others)
        yield next(made, None) or next(others)


def attack(server: Server, count: int, seed: int, key: str) -> tuple[Seen, str]:
    """Send them, then look at replicas, health and log; what was seen, and how memory grew."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    document = httpx.get(f"{server.url}/openapi.json", headers=headers, trust_env=False).json()
    before = replica_pids(server.process.pid)
    grown = [anonymous_mib(pid) for pid in before]
    seen = asyncio.run(send_all(server, mixed(document, count, seed, key), count, key))
    if replica_pids(server.process.pid) != before:
        seen.faults.append("replicas were lost")
    if httpx.get(f"{server.url}/health/ready", trust_env=False).status_code != 200:
        seen.faults.append("the server is not ready")
    if MARK in server.log.read_text(errors="replace"):
        seen.faults.append("the log has text of a request")
    memory = ", ".join(f"{old:.0f} to {anonymous_mib(pid):.0f}" for pid, old in zip(before, grown, strict=True))
    return seen, memory


def report(title: str, seen: Seen, memory: str) -> None:
    """Print what was seen."""
    slowest = f"slowest refusal {seen.slowest_refusal_s:.2f} s, slowest success {seen.slowest_success_s:.2f} s"
    click.echo(f"\n{title}: {seen.num_sent} requests, {slowest}, replicas {memory} MiB")
    click.echo(f"  answers: {json.dumps(dict(seen.statuses.most_common()))}")
    click.echo(f"  faults: {len(seen.faults)}")
    for told in seen.faults[:20]:
        click.echo(f"    {told}")


@click.command()
@click.option(
    "--requests", "count", type=click.IntRange(100), default=100_000, show_default=True, help="Of both servers."
)
@click.option("--seed", type=int, default=1, show_default=True)
def main(count: int, seed: int) -> None:
    """Half of the requests go to a server without API keys, half to one with them; ends with 0 when nothing is wrong.

    Wrong are: a status of 500 or more, a refusal after more than a second, a translation after more than ten, a lost
    replica, text of a request in the log, and without a key any success but health. Needs the extra `hostile`.
    """
    click.echo(machine())
    failed = False
    with running_server(NUM_REPLICAS, **SETTINGS) as server:
        seen, memory = attack(server, count // 2, seed, "")
    report("without keys", seen, memory)
    failed |= bool(seen.faults)
    with tempfile.TemporaryDirectory() as folder:
        key, digest = new_key()
        path = Path(folder, "keys.toml")
        path.write_text(f'[tester]\nsha256 = "{digest}"\n')
        with running_server(NUM_REPLICAS, ATTENDANT_KEYS_FILE=str(path), **SETTINGS) as server:
            seen, memory = attack(server, count // 2, seed + 1, key)
        report("with keys", seen, memory)
        failed |= bool(seen.faults)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
