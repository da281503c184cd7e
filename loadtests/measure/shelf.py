"""The gallery's models against torch eager, and the cost of a token and of a row's state as targets grow.

Throughput: the first sentences of the test set, greedy, one thread; torch has the same network in float32, sentences of
like length together, and keeps its state in torch from step to step. A token's cost: 16 rows that never end; what a
segment costs once, at its start and its end, is shared by its tokens. A step's cost leaves that out: it is what a token
costs between two lengths.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
import torch

from loadtests.measure.decode_cost import endless, seconds_per_token
from loadtests.measure.setting import machine, parser, show
from model_store.architectures.base import Architecture
from model_store.contract.bundle import Bundle, open_bundle
from model_store.contract.state import Lifetime
from model_store.contract.store import Store
from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.data.batching import source_arrays
from model_store.decoding.search import output_limit
from model_store.export.weights import reopen
from model_store.training.recipe import RECIPES
from service.commands.evaluate import read_rows, translate_all
from service.engine.engine import Engine
from service.messages import SearchOptions
from service.runtime.opening import RuntimeChoice, open_runtime
from service.text.spans.normalise import normalise

NUM_SENTENCES = 600
EAGER_BATCH = 64
LENGTHS = (10, 40, 160)
NUM_ROUNDS, NUM_COST_ROUNDS = 3, 9
TEST = "tatoeba-en-fr/test.tsv.gz"


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one bundle; medians."""

    name: str
    runtime: str
    served: float
    """Target tokens a second."""
    eager: float
    costs_us: list[float]
    """Microseconds a token and row at each of LENGTHS."""
    plain_us: float
    """The same at the last of LENGTHS in ONNX Runtime, so that choices can be compared in one runtime."""
    state_bytes: int
    """What a row keeps beside its source at the last of LENGTHS, in float32."""


@torch.inference_mode()
def translate_eagerly(model: Architecture, sources: Sequence[Sequence[int]]) -> int:
    """Greedy translation of one batch; the number of target tokens."""
    ids, mask = (torch.from_numpy(array) for array in source_arrays(sources))
    limit = max(output_limit(len(source) + 1) for source in sources)
    state = model.encode(ids, mask)
    for spec in model.state_specs():
        if spec.lifetime is Lifetime.GROWING:
            state[spec.name] = torch.zeros(len(ids), *(limit if axis == "T" else int(axis) for axis in spec.axes))
    tokens, ended, count = torch.full((len(ids),), BEGIN_ID), torch.zeros(len(ids), dtype=torch.bool), 0
    for position in range(limit):
        out = model.step(tokens, torch.full((len(ids),), position), mask, state)
        state, tokens = {**state, **out.state}, out.logits.argmax(dim=1)
        count += int((~ended).sum())
        ended |= tokens == END_ID
        if bool(ended.all()):
            break
    return count


def eager_rate(model: Architecture, sources: Sequence[Sequence[int]]) -> float:
    """Target tokens a second."""
    ordered = sorted(sources, key=len)
    batches = [ordered[i : i + EAGER_BATCH] for i in range(0, len(ordered), EAGER_BATCH)]
    started = time.perf_counter()
    return sum(translate_eagerly(model, batch) for batch in batches) / (time.perf_counter() - started)


def state_bytes(bundle: Bundle, length: int) -> int:
    """Bytes of a row's growing and carried state after `length` tokens, in the graph's own types."""
    total = 0
    for spec in bundle.manifest.state:
        if spec.lifetime is not Lifetime.STATIC:
            sizes = [length if axis == "T" else 1 if axis == "S" else int(axis) for axis in spec.axes]
            total += math.prod(sizes) * np.dtype(spec.dtype).itemsize
    return total


def costs(bundle: Bundle, choice: RuntimeChoice, lengths: Sequence[int]) -> list[float]:
    """Microseconds a token and row."""
    engine = Engine(endless(open_runtime(bundle, choice=choice)))
    turns = [[seconds_per_token(engine, length, 1) for length in lengths] for _ in range(NUM_COST_ROUNDS + 1)][1:]
    return [statistics.median(column) * 1e6 for column in zip(*turns, strict=True)]


def measure(bundle: Bundle, sentences: Sequence[str]) -> Measured:
    """Both sides in turn."""
    model, greedy = reopen(bundle), SearchOptions(beam_size=1)
    encoded = [ids for ids in (bundle.tokenizer.encode(normalise(text).text) for text in sentences) if ids]
    rates = []
    for _ in range(NUM_ROUNDS):
        ours = translate_all(bundle, sentences, greedy)
        rates.append((ours.num_target_tokens / ours.seconds, eager_rate(model, encoded)))
    served, eager = (statistics.median(column) for column in zip(*rates, strict=True))
    plain = costs(bundle, "onnx", LENGTHS[-1:])[0]
    kind = open_runtime(bundle).kind
    name = bundle.manifest.name
    return Measured(name, kind, served, eager, costs(bundle, "auto", LENGTHS), plain, state_bytes(bundle, LENGTHS[-1]))


def steps_us(costs_us: Sequence[float], lengths: Sequence[int] = LENGTHS) -> list[float]:
    """Microseconds of a step between neighbouring `lengths`, by the mean cost of a token at each."""
    totals = [cost * length for cost, length in zip(costs_us, lengths, strict=True)]
    return [
        (after - before) / (longer - shorter)
        for (before, after), (shorter, longer) in zip(pairwise(totals), pairwise(lengths), strict=True)
    ]


def row(one: Measured) -> tuple[str, ...]:
    """For people."""
    growth, steps = max(one.costs_us) / min(one.costs_us), steps_us(one.costs_us)
    return (
        f"`{one.name}`",
        one.runtime,
        f"{one.served:,.0f}",
        f"{one.eager:,.0f}",
        f"{one.served / one.eager:.1f}x",
        *(f"{cost:.0f}" for cost in one.costs_us),
        f"{growth:.2f}x",
        " / ".join(f"{step:.0f}" for step in steps),
        f"{max(steps) / min(steps):.2f}x",
        f"{one.plain_us:.0f}",
        f"{one.state_bytes:,}",
    )


def main() -> None:
    """Print the table."""
    options = parser(__doc__ or "")
    options.add_argument("--models", help="comma-separated; default: every published model of the gallery")
    options.add_argument("--bundles", type=Path, nargs="*", default=[], help="folders of unpublished bundles, too")
    given = options.parse_args()
    torch.set_num_threads(1)
    store = Store(given.store)
    gallery = [path.stem for path in sorted((RECIPES / "gallery").glob("en-fr-*.toml"))]
    names = given.models.split(",") if given.models else ["en-fr-bahdanau", *gallery]
    opened = [store.open(name) for name in names if name in store.names()]
    opened += [open_bundle(folder) for folder in given.bundles]
    sentences = [row[0] for row in read_rows(given.data / TEST, NUM_SENTENCES)]
    rows = []
    for bundle in opened:
        click.echo(bundle.manifest.name, err=True)
        rows.append(row(measure(bundle, sentences)))
    header = ["model", "in", "tokens/s", "torch eager", "ratio"]
    header += [f"µs at {length}" for length in LENGTHS]
    header += [
        "growth",
        "µs of a step between these",
        "its growth",
        f"µs at {LENGTHS[-1]}, ONNX Runtime",
        f"state of a row at {LENGTHS[-1]}, bytes",
    ]
    show(f"The gallery's models, greedy, one thread, {machine()}", header, rows)


if __name__ == "__main__":
    main()
