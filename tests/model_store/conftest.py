"""What several packages of the training side need: a small tokenizer and a small, valid bundle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from onnx import TensorProto, helper

from model_store.contract.bundle import Bundle, write_bundle
from model_store.contract.tokenizer import Tokenizer
from model_store.data.vocabulary import train_vocabulary
from tests.bundles import manifest_values

VOCABULARY_SIZE = 320


def toy_sentences(count: int, seed: int = 0) -> list[str]:
    """Sentences of made-up words."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghij", k=chance.randint(2, 6))) for _ in range(120)]
    return [" ".join(chance.choices(words, k=chance.randint(2, 7))) for _ in range(count)]


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    return toy_sentences(400)


@pytest.fixture(scope="session")
def tokenizer_model(sentences: list[str]) -> bytes:
    return train_vocabulary(sentences, VOCABULARY_SIZE, seed=1)


@pytest.fixture(scope="session")
def tokenizer(tokenizer_model: bytes) -> Tokenizer:
    return Tokenizer(tokenizer_model)


def constant_graph(inputs: Sequence[str], outputs: Sequence[str], weights: list[float]) -> bytes:
    """A small ONNX model with these inputs and outputs, whose outputs are the weights inside."""
    weight = helper.make_tensor("w", TensorProto.FLOAT, [len(weights)], weights)
    taken, given = (
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [len(weights)]) for name in names]
        for names in (inputs, outputs)
    )
    nodes = [helper.make_node("Identity", ["w"], [name]) for name in outputs]
    graph = helper.make_graph(nodes, "g", taken, given, [weight])
    data: bytes = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)]).SerializeToString()
    return data


@pytest.fixture
def bundle_files(tokenizer_model: bytes) -> dict[str, bytes]:
    return {
        "encoder.onnx": constant_graph(["source_ids", "source_mask"], ["memory"], [1.0, 2.0]),
        "decoder_step.onnx": constant_graph(
            ["token_ids", "position", "source_mask", "memory"], ["logits", "attention"], [3.0, 4.0]
        ),
        "tokenizer.model": tokenizer_model,
    }


def tensor(name: str, dtype: str, *axes: str | int) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "axes": axes}


@pytest.fixture
def bundle_values() -> dict[str, Any]:
    """Everything of a valid manifest but `files`."""
    mask = tensor("source_mask", "bool", "B", "S")
    memory = tensor("memory", "float32", "B", "S", 4)
    graphs = {
        "source": "xx",
        "target": "yy",
        "configuration": {"hidden_size": 4},
        "num_parameters": 4,
        "limits": {"max_source_tokens": 8, "max_target_tokens": 8},
        "encoder": {
            "file": "encoder.onnx",
            "inputs": [tensor("source_ids", "int64", "B", "S"), mask],
            "outputs": [tensor("memory", "float32", "B", "S", 4)],
        },
        "decoder_step": {
            "file": "decoder_step.onnx",
            "inputs": [tensor("token_ids", "int64", "R"), tensor("position", "int64", "R"), mask, memory],
            "outputs": [
                tensor("logits", "float32", "R", "V"),
                tensor("attention", "float32", "R", "A", "S"),
            ],
            "logits": "logits",
            "attention": "attention",
        },
        "state": [
            {
                "name": "memory",
                "lifetime": "static",
                "dtype": "float32",
                "axes": ["S", 4],
                "encoder_output": "memory",
                "step_input": "memory",
            }
        ],
    }
    return manifest_values("xx-yy-toy", VOCABULARY_SIZE, **graphs)


@pytest.fixture
def bundle(tmp_path: Path, bundle_values: dict[str, Any], bundle_files: dict[str, bytes]) -> Bundle:
    """A valid bundle in a folder of its own."""
    return write_bundle(tmp_path / "toy", bundle_values, bundle_files)
