"""A store with two tiny, untrained bundles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model_store.architectures import ARCHITECTURES
from model_store.contract.bundle import write_bundle
from model_store.data.vocabulary import train_vocabulary
from model_store.export.graphs import export_graphs

VOCABULARY_SIZE = 290
SENTENCES = ["The black cat ate the mouse.", "Le chat noir a mangé la souris.", "I don't know what it is, sir!"] * 20
QUALITY = {
    "metric": "BLEU",
    "test_set": "toy",
    "num_sentences": 1,
    "beam_size": 4,
    "precision": "float32",
    "signature": "",
}


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same network as `worse` and as `better`, which has the higher score."""
    torch.manual_seed(1)
    model = ARCHITECTURES["bahdanau"].tiny(VOCABULARY_SIZE)
    graphs = export_graphs(model)
    values: dict[str, Any] = {
        "version": "1",
        "source": "en",
        "target": "fr",
        "architecture": "bahdanau",
        "paper": model.paper,
        "configuration": model.config_values(),
        "num_parameters": 1,
        "precision": "float32",
        "licence": "CC0-1.0",
        "special_tokens": {"pad": 0, "unknown": 1, "begin": 2, "end": 3},
        "limits": {"max_source_tokens": 48, "max_target_tokens": 60},
        "tokenizer": {"vocabulary_size": VOCABULARY_SIZE},
        "encoder": graphs.encoder_graph.model_dump(),
        "decoder_step": graphs.decoder_graph.model_dump(),
        "state": [s.model_dump() for s in graphs.state],
        "attention_slices": [s.model_dump() for s in model.attention_slices()],
        "alignment": {"layer": 1, "head": 1},
        "training": {"recipe": {}, "data": [], "num_tokens": 0, "seconds": 0},
    }
    files = {
        "encoder.onnx": graphs.encoder.SerializeToString(),
        "decoder_step.onnx": graphs.decoder_step.SerializeToString(),
        "tokenizer.model": train_vocabulary(SENTENCES, VOCABULARY_SIZE, seed=1),
    }
    folder = tmp_path_factory.mktemp("store")
    for name, score in (("worse", 10.0), ("better", 20.0)):
        write_bundle(folder / name / "1", {**values, "name": name, "quality": [{**QUALITY, "score": score}]}, files)
    return folder
