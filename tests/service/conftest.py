"""A store with two tiny, untrained bundles; the published bundles, as they are and in kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model_store.architectures import ARCHITECTURES
from model_store.contract.bundle import Bundle
from model_store.data.vocabulary import train_vocabulary
from model_store.export.graphs import export_graphs
from service.runtime.native import NativeRuntime
from tests.bundles import network_bundle, published

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
    vocabulary = train_vocabulary(SENTENCES, VOCABULARY_SIZE, seed=1)
    folder = tmp_path_factory.mktemp("store")
    for name, score in (("worse", 10.0), ("better", 20.0)):
        quality = [{**QUALITY, "score": score}]
        network_bundle(folder / name / "1", name, model, graphs, vocabulary, quality=quality)
    return folder


@pytest.fixture(scope="module", params=["en-fr-transformer", "en-fr-bahdanau"])
def bundle(request: pytest.FixtureRequest) -> Bundle:
    """A published bundle of each architecture."""
    return published(request.param)


@pytest.fixture(scope="module")
def native(bundle: Bundle) -> NativeRuntime:
    """The same in kernels."""
    return NativeRuntime(bundle)


@pytest.fixture(scope="module")
def transformer() -> Bundle:
    return published("en-fr-transformer")


@pytest.fixture(scope="module")
def recurrent() -> Bundle:
    return published("en-fr-bahdanau")


@pytest.fixture(scope="module")
def native_transformer(transformer: Bundle) -> NativeRuntime:
    return NativeRuntime(transformer)
