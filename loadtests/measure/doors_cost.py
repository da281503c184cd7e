"""What API keys, the fair queue and the predicted wait cost: their share of the processor time of a request for one
sentence.

Time inside of them is taken in this process, in a replica that is asked without HTTP and that has twenty keys with
limits and a ledger in a file, as a server's; what a request takes in all is taken from a server: its replica, proxy and
Ray. Tracing that is off costs a comparison.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any
from unittest import mock

import orjson
from tqdm import tqdm

from loadtests.measure.metrics_cost import NUM_CONNECTIONS, NUM_REQUESTS, NUM_ROUNDS, Spent, ask, in_server
from loadtests.measure.setting import Setting, setting, show
from loadtests.server import running_server
from service.api.keys import Keyring, new_key
from service.api.ledger import Ledger
from service.deployments.choices import runtime_of
from service.deployments.node_parts import NodeParts
from service.deployments.replica import Replica
from service.engine.pace import Pace
from service.engine.queue import FairQueue
from service.observability.metrics import Metrics
from service.settings import Settings

NUM_KEYS = 20
BEAM_SIZE = 1
"""The cheapest requests, of which these things are the largest share."""
BAR = 0.02
WATCHED: Mapping[str, tuple[tuple[type, str], ...]] = {
    "API keys": ((Keyring, "known"), (Keyring, "admit"), (Keyring, "charge"), (Keyring, "finished")),
    "fair queue": ((FairQueue, "extend"), (FairQueue, "pop")),
    "predicted wait": ((FairQueue, "tokens_before"), (Pace, "seconds_for"), (Pace, "worked"), (Pace, "finished")),
}
"""The methods of each part; none calls another, and each is called by one thread."""


def timed(method: Callable[..., Any], spent: Spent) -> Callable[..., Any]:
    """The method, with its time added up."""

    @wraps(method)
    def call(*arguments: Any) -> Any:
        time.thread_time()  # the first of two calls finds the clock's code out of the caches: no door's cost
        started = time.thread_time()
        found = method(*arguments)
        spent.seconds += time.thread_time() - started
        spent.num_calls += 1
        return found

    return call


@contextmanager
def watched() -> Iterator[dict[str, list[Spent]]]:
    """Time of the methods of each part, a `Spent` each."""
    with ExitStack() as stack:
        found: dict[str, list[Spent]] = {}
        for part, methods in WATCHED.items():
            found[part] = [Spent() for _ in methods]
            for (of, name), spent in zip(methods, found[part], strict=True):
                stack.enter_context(mock.patch.object(of, name, timed(getattr(of, name), spent)))
        yield found


def cost_of_timing(num_calls: int = 100_000) -> float:
    """Seconds that `timed` finds in a call of a method that does nothing."""
    spent = Spent()
    call = timed(lambda *arguments: None, spent)
    for _ in range(num_calls):
        call(1, 2)
    return spent.seconds / num_calls


def keys_file(folder: Path) -> tuple[Path, str]:
    """A file of keys with limits that nobody reaches, and the last of them."""
    path, key, lines = folder / "keys.toml", "", []
    for number in range(NUM_KEYS):
        key, digest = new_key()
        lines += [f"[key-{number}]", f'sha256 = "{digest}"', "requests_per_minute = 100000000"]
        lines += ["characters_per_minute = 1000000000", "max_concurrent = 1000"]
    path.write_text("\n".join(lines) + "\n")
    return path, key


async def ask_all(app: Any, bodies: list[bytes], key: str) -> None:
    """Send all of them, `NUM_CONNECTIONS` at a time."""
    waiting = iter(bodies)

    async def connection() -> None:
        for body in waiting:
            await ask(app, body, (b"authorization", f"Bearer {key}".encode()))

    await asyncio.gather(*(connection() for _ in range(NUM_CONNECTIONS)))


async def in_replica(measured: Setting, sentences: list[str]) -> dict[str, float]:
    """Seconds of a request inside each part: medians of rounds."""
    timing_s = statistics.median(cost_of_timing() for _ in range(5))
    with tempfile.TemporaryDirectory() as folder, watched() as parts:
        path, key = keys_file(Path(folder))
        settings = Settings(keys_file=path)
        bundle = measured.store.open("en-fr-transformer")
        engine, ledger = partial(runtime_of, settings=settings), Ledger(Path(folder) / "ledger")
        replica = Replica([bundle], settings, Metrics(), engine, NodeParts(ledger=ledger))
        await replica.start()
        bodies = [orjson.dumps({"text": text, "beam_size": BEAM_SIZE}) for text in sentences]
        rounds: dict[str, list[float]] = {part: [] for part in parts}
        for _ in tqdm(range(NUM_ROUNDS + 1), desc="rounds"):
            for spent in (one for of in parts.values() for one in of):
                spent.seconds, spent.num_calls = 0.0, 0
            await ask_all(replica.app, bodies, key)
            for part, of in parts.items():
                seconds = sum(one.seconds - one.num_calls * timing_s for one in of)
                rounds[part].append(seconds / len(bodies))
        await replica.stop()
    return {part: statistics.median(found[1:]) for part, found in rounds.items()}  # the first round warms up


def main(measured: Setting) -> None:
    """Print the table; exit code 1 when all together cost more than the bar."""
    sentences = measured.sentences(NUM_REQUESTS)
    with running_server(ATTENDANT_STORE=str(measured.store.path)) as server:
        whole_s = in_server(server, "en-fr-transformer", BEAM_SIZE, sentences)
    parts = asyncio.run(in_replica(measured, sentences))
    parts["all"] = sum(parts.values())
    rows = [(part, f"{seconds * 1e6:.1f}", f"{seconds / whole_s:.2%}") for part, seconds in parts.items()]
    title = f"Processor time a request, greedy, {NUM_CONNECTIONS} connections, of {whole_s * 1e6:,.0f} us"
    show(title, ["part", "us", "of the server's"], rows)
    is_met = parts["all"] / whole_s <= BAR
    print(f"bar {BAR:.0%}: {'met' if is_met else 'NOT met'}")
    raise SystemExit(not is_met)


if __name__ == "__main__":
    main(setting(__doc__ or ""))
