"""One trained tiny network of each registered architecture, exported. A new paper is covered by its registry line."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

from model_store.architectures import ARCHITECTURES
from model_store.architectures.base import Architecture
from model_store.contract.bundle import Bundle, write_bundle
from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.data.batching import TokenPairs, make_batch
from model_store.data.vocabulary import train_vocabulary
from model_store.export.graphs import ExportedGraphs, export_graphs
from model_store.export.pipeline import ort_stepper
from model_store.export.stepper import OrtStepper
from model_store.training.loop import batch_loss

VOCABULARY_SIZE = 320
FIRST_WORD, NUM_WORDS = 300, 12
"""Ids that the reversal task uses."""
LENGTH = 8


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


def train_to_reverse(model: Architecture, max_steps: int = 1500) -> float:
    """Train until a batch of 8-token reversals is nearly certain; returns the worst of the last losses per token."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3, betas=(0.9, 0.98))
    model.train()
    recent = deque([float("inf")], maxlen=20)
    for step in range(max_steps):
        for group in optimiser.param_groups:
            group["lr"] = 4e-3 * min(1.0, (step + 1) / 100)
        sources = random_sources(48, seed=step, shortest=LENGTH if step % 2 else 1)
        batch = make_batch(TokenPairs(sources, [s[::-1] for s in sources]), range(len(sources)))
        loss, nll, count, _ = batch_loss(model, batch, 0.0)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        recent.append(nll / count)
        if max(recent) < 0.02:
            break
    return max(recent)


def tokenizer_of_size(size: int) -> bytes:
    """A sentencepiece model of exactly `size` pieces."""
    random = np.random.default_rng(0)
    words = ["".join(random.choice(list("abcdefghij"), random.integers(2, 6))) for _ in range(100)]
    return train_vocabulary([" ".join(random.choice(words, 5)) for _ in range(300)], size, seed=1)


def tiny_bundle(folder: Path, name: str, model: Architecture, graphs: ExportedGraphs) -> Bundle:
    """Write a float32 bundle of an exported tiny network."""
    values = {
        "name": f"xx-yy-{name}",
        "version": "1",
        "source": "en",
        "target": "fr",
        "architecture": name,
        "paper": model.paper,
        "configuration": model.config_values(),
        "num_parameters": sum(p.numel() for p in model.parameters()),
        "precision": "float32",
        "licence": "CC0",
        "special_tokens": {"pad": 0, "begin": BEGIN_ID, "end": END_ID, "unknown": 1},
        "limits": {"max_source_tokens": 48, "max_target_tokens": 60},
        "tokenizer": {"vocabulary_size": VOCABULARY_SIZE},
        "encoder": graphs.encoder_graph.model_dump(),
        "decoder_step": graphs.decoder_graph.model_dump(),
        "state": [s.model_dump() for s in graphs.state],
        "attention_slices": [s.model_dump() for s in model.attention_slices()],
        "alignment": {"layer": 1, "head": "mean"},
        "training": {"recipe": {}, "data": [], "num_tokens": 0, "seconds": 0},
    }
    files = {
        "encoder.onnx": graphs.encoder.SerializeToString(),
        "decoder_step.onnx": graphs.decoder_step.SerializeToString(),
        "tokenizer.model": tokenizer_of_size(VOCABULARY_SIZE),
    }
    return write_bundle(folder, values, files)


@pytest.fixture(scope="session", params=sorted(ARCHITECTURES))
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    name = request.param
    model = ARCHITECTURES[name].tiny(VOCABULARY_SIZE)
    loss = train_to_reverse(model)
    graphs = export_graphs(model)
    stepper = ort_stepper(graphs, graphs.encoder, graphs.decoder_step)
    bundle = tiny_bundle(tmp_path_factory.mktemp("bundles") / name, name, model, graphs)
    return Exported(model, graphs, stepper, bundle, loss)
