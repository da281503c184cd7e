"""What an int8 graph keeps with 8 bits, beside its products and tables."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto

from model_store.architectures.base import Architecture
from model_store.architectures.lstmn import LSTMN
from model_store.architectures.transformer import Transformer
from model_store.export.graphs import export_graphs
from model_store.export.products import find_products, initialisers
from model_store.export.quantise import Range, quantise
from model_store.export.weights import graph_weights


def test_learnt_keys_and_values_have_8_bits_and_a_scale_for_each_vector() -> None:
    plain = Transformer.tiny()
    # Fewer vectors are folded into other constants.
    learning = {"num_persistent": 512, "feed_forward_size": 0, "num_encoder_layers": 1, "num_decoder_layers": 1}
    model = type(plain).from_config({**plain.config_values(), **learning}).eval()
    graph = export_graphs(model).encoder
    learnt = [name for name, _ in model.named_parameters() if "persistent" in name and name.startswith("encoder")]
    assert learnt
    check_stored(model, graph, learnt)


def test_matrices_that_a_loop_multiplies_by_have_8_bits_and_a_scale_for_each_output() -> None:
    model = LSTMN.tiny().eval()
    looped = ["encoder.hidden_gates.weight", "encoder.hidden_query.weight", "encoder.key.weight"]
    check_stored(model, export_graphs(model).encoder, looped)


def check_stored(model: Architecture, graph: ModelProto, names: list[str]) -> None:
    """The int8 graph keeps these weights with 8 bits, each within half of a step of its vector's scale."""
    int8 = quantise(graph, {product.activation: Range(-4.0, 4.0) for product in find_products(graph)})
    stored, weights = initialisers(int8), graph_weights(int8.SerializeToString())
    values = {name: value.detach().numpy() for name, value in model.named_parameters()}
    for name in names:
        assert name not in stored
        assert stored[f"{name}_int8"].data_type == TensorProto.INT8
        largest = np.abs(values[name]).max(axis=-1, keepdims=True)
        assert (np.abs(weights[name] - values[name]) <= largest / 127 * 0.5 + 1e-6).all()
