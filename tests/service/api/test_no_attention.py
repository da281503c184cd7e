"""A model without attention is served like any other, but for its maps."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import torch

from model_store.architectures import ARCHITECTURES
from model_store.data.vocabulary import train_vocabulary
from model_store.export.graphs import export_graphs
from service.deployments.choices import open_bundles
from service.deployments.replica import Replica
from service.observability.metrics import Metrics
from service.observability.series import SeriesTable
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings
from tests.bundles import network_bundle
from tests.service.api.conftest import ask_app
from tests.service.conftest import SENTENCES, VOCABULARY_SIZE

CAT = "The black cat ate the mouse."


@pytest.fixture(scope="module")
def replica(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replica]:
    """Two models: one with attention, one without."""
    torch.manual_seed(1)
    folder, vocabulary = tmp_path_factory.mktemp("both"), train_vocabulary(SENTENCES, VOCABULARY_SIZE, seed=1)
    for name, alignment in (("bahdanau", {"layer": 1, "head": 1}), ("rnn_encoder_decoder", None)):
        model = ARCHITECTURES[name].tiny(VOCABULARY_SIZE)
        called = name.replace("_", "-")
        network_bundle(folder / called / "1", called, model, export_graphs(model), vocabulary, alignment=alignment)
    settings = Settings(store=folder)
    replica = Replica(open_bundles(settings), settings, Metrics(SeriesTable()), OnnxRuntime)
    asyncio.run(replica.start())
    yield replica
    asyncio.run(replica.stop())


def test_it_translates_and_scores_and_refuses_maps(replica: Replica) -> None:
    body = {"text": CAT, "model": "rnn-encoder-decoder", "signals": True}
    answer = ask_app(replica.app, "POST", "/v1/translate", json=body)
    assert answer.status_code == 200
    assert answer.json()["translations"][0]["segments"][0]["signals"]["attention_entropy"] is None
    pairs = {"pairs": [{"text": CAT, "translation": "Le chat noir."}], "model": "rnn-encoder-decoder"}
    assert ask_app(replica.app, "POST", "/v1/score", json=pairs).json()["scores"][0]["score"] < 0.0
    for path, asked in (("/v1/translate", body), ("/v1/score", pairs)):
        refused = ask_app(replica.app, "POST", path, json={**asked, "attention": True})
        assert (refused.status_code, refused.json()["code"]) == (422, "attention_not_available")


def test_a_comparison_shows_the_maps_that_there_are(replica: Replica) -> None:
    body = {"text": CAT, "models": ["rnn-encoder-decoder", "bahdanau"], "attention": True}
    without, having = ask_app(replica.app, "POST", "/v1/compare", json=body).json()["results"]
    assert "attention" not in without["translations"][0]["segments"][0]
    assert having["translations"][0]["segments"][0]["attention"]["maps"]


def test_what_a_comparison_translates_is_counted_and_what_it_scores_is_not(replica: Replica) -> None:
    body = {"text": CAT, "models": ["rnn-encoder-decoder", "bahdanau"]}

    def counted() -> list[float]:
        return [
            float(line.rsplit(" ", 1)[1])
            for line in ask_app(replica.app, "GET", "/metrics").text.splitlines()
            if line.startswith(("attendant_texts_total", "attendant_segment_mean_surprise_nats_count"))
        ]

    ask_app(replica.app, "POST", "/v1/compare", json=body)
    before = counted()
    ask_app(replica.app, "POST", "/v1/compare", json=body)
    assert [new - old for new, old in zip(counted(), before, strict=True)] == [1.0] * 4
    before = counted()
    ask_app(replica.app, "POST", "/v1/compare", json={**body, "translation": "Le chat noir."})
    assert counted() == before


def test_its_listing_says_that_there_is_no_attention(replica: Replica) -> None:
    listing = ask_app(replica.app, "GET", "/v1/models/rnn-encoder-decoder").json()
    assert listing["attention"] == {"kinds": [], "layers": []}
    assert listing["gives_scores"] is True
