"""One trained tiny network of each registered architecture, exported. A new paper is covered by its registry line."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

import model_store
from model_store.architectures import ARCHITECTURES
from model_store.architectures.base import Architecture
from model_store.contract.bundle import Bundle
from model_store.data.batching import TokenPairs, make_batch
from model_store.export.graphs import ExportedGraphs, export_graphs
from model_store.export.pipeline import ort_stepper
from model_store.export.stepper import OrtStepper
from model_store.training.loop import batch_loss
from tests.bundles import made_up_vocabulary, network_bundle

VOCABULARY_SIZE = 320
FIRST_WORD, NUM_WORDS = 300, 8
"""Ids that the reversal task uses."""
LENGTH = 6
BY_MEAN = {"layer": 1, "head": "mean"}


@dataclass(frozen=True)
class Exported:
    """A trained tiny network and everything made from it."""

    model: Architecture
    graphs: ExportedGraphs
    stepper: OrtStepper
    bundle: Bundle
    loss: float


def random_sources(count: int, seed: int, shortest: int = 1, longest: int = LENGTH) -> list[list[int]]:
    """Source ids of the reversal task."""
    random = np.random.default_rng(seed)
    lengths = random.integers(shortest, longest + 1, count)
    return [random.integers(FIRST_WORD, FIRST_WORD + NUM_WORDS, n).tolist() for n in lengths]


def reach(model: Architecture) -> int:
    """Tokens that a tiny network learns to reverse: without attention they must all go through one vector."""
    return LENGTH if model.attention_slices() else LENGTH // 2


def train_to_reverse(model: Architecture, max_steps: int = 1500, cooldown: int = 100) -> float:
    """
    Train until batches are nearly certain, or `max_steps`; returns the worst of the last losses a token.

    The last `cooldown` steps lower the learning rate to 0: without them the weights that a test gets are those of any
    one step, and every fourth network is caught at a bad one.
    """
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3, betas=(0.9, 0.98))
    model.train()
    recent, step, end = deque([float("inf")], maxlen=20), 0, max_steps
    while step < end:
        for group in optimiser.param_groups:
            group["lr"] = 4e-3 * min(1.0, (step + 1) / 100, (end - step) / cooldown)
        sources = random_sources(48, seed=step, shortest=reach(model) if step % 2 else 1, longest=reach(model))
        batch = make_batch(TokenPairs(sources, [s[::-1] for s in sources]), range(len(sources)))
        loss, nll, count, _ = batch_loss(model, batch, 0.02)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        recent.append(float(nll) / count)
        step += 1
        if end == max_steps and max(recent) < 0.06:
            end = min(end, step + cooldown)
    return max(recent)


PLAIN = [pytest.param((name, None), id=name) for name in sorted(ARCHITECTURES)]
VARIANTS = [
    pytest.param((name, variant), id=f"{name}-{variant}", marks=pytest.mark.slow)
    for name in sorted(ARCHITECTURES)
    for variant in ARCHITECTURES[name].variants()
]
"""Trained and served like the others by `make test-slow`; test_variants.py has what takes no training."""


def sources_digest() -> str:
    """SHA-256 of everything that takes part in training a tiny network."""
    digest, root = hashlib.sha256(torch.__version__.encode()), Path(model_store.__file__).parent
    files = [file for room in ("architectures", "layers", "training", "data") for file in (root / room).glob("*.py")]
    for file in (*sorted(files), Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def trained(model: Architecture, kept: Path) -> float:
    """Train `model`, or take the weights that an earlier run of the tests kept; returns its loss."""
    if kept.exists():
        values = torch.load(kept, weights_only=True)
        model.load_state_dict(values["weights"])
        return float(values["loss"])
    loss = train_to_reverse(model)
    partial = kept.with_suffix(f".{os.getpid()}")
    torch.save({"weights": model.state_dict(), "loss": loss}, partial)
    partial.replace(kept)
    return loss


@pytest.fixture(scope="session", params=PLAIN + VARIANTS)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    name, variant = request.param
    architecture = ARCHITECTURES[name]
    model = architecture.tiny_variant(variant, VOCABULARY_SIZE) if variant else architecture.tiny(VOCABULARY_SIZE)
    called = "-".join(filter(None, (name, variant))).replace("_", "-")
    cache: pytest.Cache = request.config.cache
    loss = trained(model, cache.mkdir("networks") / f"{called}-{sources_digest()[:16]}.pt")
    graphs = export_graphs(model)
    stepper = ort_stepper(graphs, graphs.encoder, graphs.decoder_step)
    folder, vocabulary = tmp_path_factory.mktemp("bundles") / name, made_up_vocabulary(VOCABULARY_SIZE)
    bundle = network_bundle(
        folder,
        f"xx-yy-{called}",
        model,
        graphs,
        vocabulary,
        alignment=BY_MEAN if model.attention_slices() else None,
    )
    return Exported(model, graphs, stepper, bundle, loss)
