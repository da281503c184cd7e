"""A network as large as those of OPUS-MT, with random weights: kernels take it, and give ONNX Runtime's numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from model_store.architectures.transformer import Transformer
from model_store.architectures.transformer_config import TransformerConfig
from model_store.contract.bundle import Bundle
from model_store.export.calibrate import calibrate
from model_store.export.graphs import export_graphs
from model_store.export.quantise import quantise
from service.runtime.native import NativeRuntime
from service.runtime.onnx import OnnxRuntime
from tests.bundles import made_up_vocabulary, network_bundle
from tests.service.kernels.programs import needs_instruction

pytestmark = [pytest.mark.slow, needs_instruction, pytest.mark.timeout(900)]

VOCABULARY_SIZE = 58_101
"""As opus-mt-en-de has, and no multiple of a tile's width."""
NUM_STEPS = 12


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Marian's Transformer (6 + 6 layers of 512, post-norm, swish) in int8."""
    torch.manual_seed(1)
    config = TransformerConfig(
        vocabulary_size=VOCABULARY_SIZE,
        hidden_size=512,
        dropout=0.0,
        num_heads=8,
        feed_forward_size=2048,
        num_encoder_layers=6,
        num_decoder_layers=6,
        norm="post",
        activation="swish",
    )
    model, chance = Transformer(config).eval(), np.random.default_rng(1)
    graphs = export_graphs(model)
    ranges = calibrate(graphs, [chance.integers(4, VOCABULARY_SIZE, n).tolist() for n in (5, 11, 23)])
    encoder, decoder = quantise(graphs.encoder, ranges[0]), quantise(graphs.decoder_step, ranges[1])
    folder: Path = tmp_path_factory.mktemp("large")
    vocabulary = ModelProto.FromString(made_up_vocabulary(300))
    for number in range(len(vocabulary.pieces), VOCABULARY_SIZE):
        vocabulary.pieces.add(piece=f"piece{number}", score=-float(number))
    whole = network_bundle(
        folder / "large",
        "xx-yy-large",
        model,
        graphs,
        vocabulary.SerializeToString(),
        alignment={"layer": 1, "head": 1},
    )
    return replace(whole, encoder=encoder.SerializeToString(), decoder_step=decoder.SerializeToString())


def test_its_steps_are_those_of_onnx_runtime(bundle: Bundle) -> None:
    chance = np.random.default_rng(2)
    sources = [chance.integers(4, VOCABULARY_SIZE, n).tolist() for n in (1, 7, 30, 60)]
    fed = chance.integers(4, VOCABULARY_SIZE, (NUM_STEPS, len(sources)))
    found = []
    for runtime in (NativeRuntime(bundle), OnnxRuntime(bundle)):
        rows = runtime.new_rows(1)
        rows.put(range(len(sources)), [runtime.encode(sources)] * len(sources), range(len(sources)))
        steps = [rows.step(tokens) for tokens in fed]
        found.append((np.array([step.logits_of_rows for step in steps]), [step.attention for step in steps]))
    (ours, our_maps), (theirs, their_maps) = found
    assert ours.shape == (NUM_STEPS, len(sources), VOCABULARY_SIZE)
    spread = theirs.std()
    assert np.quantile(np.abs(ours - theirs), 0.999) <= 0.1 * spread
    assert (ours.argmax(axis=2) == theirs.argmax(axis=2)).mean() >= 0.9
    for left, right in zip(our_maps, their_maps, strict=True):
        np.testing.assert_allclose(left, right, atol=0.02)
