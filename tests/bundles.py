"""Bundles of tests: published ones, tiny networks, and manifests without a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model_store.architectures.base import Architecture
from model_store.contract.bundle import Bundle, write_bundle
from model_store.contract.manifest import Limits, Manifest
from model_store.contract.parts import Alignment, TokenizerSettings
from model_store.contract.state import AttentionSlice
from model_store.contract.store import EMBEDDED_STORE, Store
from model_store.contract.tokenizer import BEGIN_ID, END_ID, Tokenizer
from model_store.data.vocabulary import train_vocabulary
from model_store.export.graphs import ExportedGraphs
from model_store.export.teacher_forced import export_teacher_forced


def published(name: str) -> Bundle:
    """The newest version of a bundle that comes with the distribution; skips the test where it is not there."""
    if not EMBEDDED_STORE.joinpath(name).is_dir():
        pytest.skip(f"there is no published bundle {name}")
    return Store(EMBEDDED_STORE).open(name)


def manifest_values(name: str, vocabulary_size: int, **others: Any) -> dict[str, Any]:
    """A manifest's values for tests, but those of the graphs and `files`; `others` are added or take their place."""
    values = {
        "name": name,
        "version": "1",
        "source": "en",
        "target": "fr",
        "architecture": "toy",
        "paper": "Nobody 2000, Nothing",
        "configuration": {},
        "num_parameters": 1,
        "precision": "float32",
        "licence": "CC0-1.0",
        "special_tokens": {"pad": 0, "unknown": 1, "begin": BEGIN_ID, "end": END_ID},
        "limits": {"max_source_tokens": 48, "max_target_tokens": 60},
        "tokenizer": {"vocabulary_size": vocabulary_size},
        "attention_slices": [{"layer": 1, "head": 1}],
        "alignment": {"layer": 1, "head": 1},
        "training": {"recipe": {}, "data": [], "num_tokens": 0, "seconds": 0},
    }
    return {**values, **others}


def network_bundle(
    folder: Path, name: str, model: Architecture, graphs: ExportedGraphs, tokenizer_model: bytes, **others: Any
) -> Bundle:
    """Write a float32 bundle of an exported network, all three graphs; `others` are values of its manifest."""
    third = export_teacher_forced(model, graphs)
    values = manifest_values(
        name,
        Tokenizer(tokenizer_model).vocabulary_size,
        architecture=model.name,
        paper=model.paper,
        configuration=model.config_values(),
        num_parameters=sum(p.numel() for p in model.parameters()),
        encoder=graphs.encoder_graph.model_dump(),
        decoder_step=graphs.decoder_graph.model_dump(),
        state=[s.model_dump() for s in graphs.state],
        attention_slices=[s.model_dump() for s in model.attention_slices()],
        teacher_forced=third.specification.model_dump(),
    )
    files = {
        "encoder.onnx": graphs.encoder.SerializeToString(),
        "decoder_step.onnx": graphs.decoder_step.SerializeToString(),
        "teacher_forced.onnx": third.float32().SerializeToString(),
        "tokenizer.model": tokenizer_model,
    }
    return write_bundle(folder, {**values, **others}, files)


def without_network(tokenizer_model: bytes, slices: Sequence[tuple[int, int]] = ((1, 1),), **others: Any) -> Bundle:
    """A bundle of a tokenizer and a manifest alone, for what works on text; `slices` are (layer, head)."""
    tokenizer = Tokenizer(tokenizer_model)
    settings = TokenizerSettings(vocabulary_size=tokenizer.vocabulary_size, formality=tokenizer.has_formality)
    values: dict[str, Any] = {
        "tokenizer": settings,
        "name": "toy",
        "version": "1",
        "source": "en",
        "target": "fr",
        "limits": Limits(max_source_tokens=60, max_target_tokens=120),
        "attention_slices": tuple(AttentionSlice(layer=layer, head=head) for layer, head in slices),
        "alignment": Alignment(layer=1, head=1),
        "confidence": None,
    }
    return Bundle(Manifest.model_construct(**{**values, **others}), Path(), tokenizer, b"", b"")


def made_up_vocabulary(size: int) -> bytes:
    """A sentencepiece model of exactly `size` pieces, of words that nobody speaks."""
    random = np.random.default_rng(0)
    words = ["".join(random.choice(list("abcdefghij"), random.integers(2, 6))) for _ in range(100)]
    return train_vocabulary([" ".join(random.choice(words, 5)) for _ in range(300)], size, seed=1)
