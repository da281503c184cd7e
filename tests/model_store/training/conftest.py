"""A corpus that a small network learns in seconds: each word has one translation, and words keep their order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from model_store.training.recipe import Recipe


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small networks are fastest, and runs are comparable bit by bit, on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """A data folder with train.tsv and valid.tsv; the target is the source in capital letters."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = [f"{sentence}\t{sentence.upper()}\n" for sentence in sentences]
    (folder / "train.tsv").write_text("".join(lines[:360]))
    (folder / "valid.tsv").write_text("".join(lines[360:]))
    return folder


@pytest.fixture(scope="session")
def recipe_values() -> dict[str, Any]:
    return {
        "name": "xx-yy-toy",
        "source": "xx",
        "target": "yy",
        "architecture": "bahdanau",
        "model": {"hidden_size": 32, "dropout": 0.1, "embedding_size": 24, "encoder_size": 16, "alignment_size": 16},
        "data": {"train": "train.tsv", "valid": "valid.tsv", "description": "made up", "licence": "CC0-1.0"},
        "vocabulary": {"size": 320},
        "training": {
            "num_tokens": 40_000,
            "batch_tokens": 1024,
            "joined_fraction": 0.15,
            "peak_learning_rate": 5e-3,
            "warmup_steps": 10,
            "num_validations": 3,
            "num_validation_sentences": 8,
            "precision": "float32",
        },
    }


@pytest.fixture(scope="session")
def recipe(recipe_values: dict[str, Any]) -> Recipe:
    return Recipe.model_validate(recipe_values)
