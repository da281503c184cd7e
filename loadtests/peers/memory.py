"""Memory of one replica over many translations, beside the FastAPI peer's process over as many.

Our replica holds every published model; beam sizes 1 and 4, the models and short and long texts take turns. The peer
holds the one model that it can, and gets the same texts and beam sizes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle

import click

from loadtests.peers.fastapi_peer import running_fastapi
from loadtests.peers.http_client import ask_all, request_bytes
from loadtests.peers.mixed_lengths import LONG_SHARE, LONG_TOKENS, mixed_texts
from loadtests.peers.options import Options
from loadtests.peers.process_cost import Memory, largest_mappings, memory, total_memory
from loadtests.peers.sentences import first
from loadtests.peers.table import Table
from loadtests.processes import descendants, replica_pids
from loadtests.server import running_server
from model_store.contract.store import Store

NUM_TRANSLATIONS = 10_000
EVERY = 500
"""Translations between two samples."""
NUM_CONNECTIONS = 32
GROWTH_MIB = 2.0
"""Most that the resident memory may grow in the second half."""
BEAM_SIZES = (1, 4)


@dataclass(frozen=True, slots=True)
class Course:
    """A server's memory before the first translation and after every EVERY, and what holds it at the end."""

    samples: list[Memory]
    largest: str

    @property
    def growth(self) -> float:
        """MiB of resident memory that the second half of the translations added."""
        return self.samples[-1].rss - self.samples[len(self.samples) // 2].rss


def table(options: Options, num_translations: int = NUM_TRANSLATIONS) -> Table:
    """Both courses. Raises ValueError when the translations are not an even number of samples."""
    if num_translations % (2 * EVERY):
        raise ValueError(f"{num_translations} translations cannot be halved into samples of {EVERY}")
    tokenizer = options.bundle().tokenizer
    sentences = [pair.source for pair in first(options.data, options.num_sentences)]
    texts = mixed_texts(sentences, 2000, lambda text: len(tokenizer.encode(text)))
    models = list(dict.fromkeys(name for name, _ in Store(options.store).references()))
    ours, peer = _ours(options, texts, models, num_translations), _peer(options, texts, num_translations)
    half = num_translations // 2
    named = {"ours, one replica": ours, "FastAPI + CTranslate2, one worker": peer}
    return Table(
        f"memory of one replica over {num_translations:,} translations, MiB",
        ["", "models", "ready", f"after {half:,}", f"after {num_translations:,}", "PSS, anonymous + files", "growth"],
        [
            [
                name,
                ", ".join(models) if course is ours else "one",
                f"{course.samples[0].rss:.1f}",
                f"{course.samples[len(course.samples) // 2].rss:.1f}",
                f"{course.samples[-1].rss:.1f}",
                f"{course.samples[-1].anonymous:.1f} + {course.samples[-1].file:.1f}",
                f"{course.growth:+.1f}",
            ]
            for name, course in named.items()
        ],
        f"growth of ours in the second half <= {GROWTH_MIB:g} MiB",
        ours.growth <= GROWTH_MIB,
        f"Resident memory, sampled every {EVERY}: {_listed(ours)} ours; {_listed(peer)} the peer. Beam 1 and 4 in "
        f"turn, {LONG_SHARE:.0%} of the texts joined to {LONG_TOKENS[0]} to {LONG_TOKENS[1]} tokens, "
        f"{NUM_CONNECTIONS} connections. What holds most, PSS at the end: ours {ours.largest}; "
        f"the peer {peer.largest}.",
    )


def _ours(options: Options, texts: Sequence[str], models: Sequence[str], num_translations: int) -> Course:
    with running_server(1, ATTENDANT_STORE=str(options.store)) as server:
        url = f"{server.url}/v1/translate"
        shapes = cycle([{"model": model, "beam_size": size} for size in BEAM_SIZES for model in models])
        requests = [request_bytes(url, {"text": text} | shape) for text, shape in zip(texts, shapes, strict=False)]
        return _course("ours", url, requests, num_translations, lambda: replica_pids(server.process.pid))


def _peer(options: Options, texts: Sequence[str], num_translations: int) -> Course:
    with running_fastapi(options, 1) as server:
        url = f"{server.url}/translate"
        shapes = zip(texts, cycle(BEAM_SIZES), strict=False)
        requests = [request_bytes(url, {"text": text, "beam_size": size}) for text, size in shapes]
        pids = [server.process.pid, *descendants(server.process.pid)]
        return _course("the peer", url, requests, num_translations, lambda: pids)


def _course(
    label: str, url: str, requests: Sequence[bytes], num_translations: int, pids: Callable[[], Sequence[int]]
) -> Course:
    """Translate, and look at the memory now and then."""
    source = cycle(requests)
    samples = [total_memory(pids())]
    with click.progressbar(length=num_translations, label=f"memory, {label}", file=sys.stderr) as bar:
        for _ in range(num_translations // EVERY):
            ask_all(url, [next(source) for _ in range(EVERY)], NUM_CONNECTIONS)
            samples.append(total_memory(pids()))
            bar.update(EVERY)
    largest = max(pids(), key=lambda pid: memory(pid).pss)
    return Course(samples, ", ".join(f"{name} {mib:.0f}" for name, mib in largest_mappings(largest, 5)))


def _listed(course: Course) -> str:
    return ", ".join(f"{sample.rss:.0f}" for sample in course.samples)
