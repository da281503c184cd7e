"""Configurations: what does not fit is refused by name instead of training another network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from model_store.architectures import ARCHITECTURES
from model_store.architectures.bahdanau import Bahdanau
from model_store.architectures.base import Architecture
from model_store.architectures.configuration import ArchitectureConfigError
from model_store.architectures.coverage import Coverage
from model_store.architectures.luong import Luong
from model_store.architectures.transformer import Transformer
from model_store.training.preparation import build_model
from model_store.training.recipe import RECIPES, load_recipe


@pytest.mark.parametrize("name", sorted(ARCHITECTURES))
def test_a_configuration_read_back_is_the_same(name: str) -> None:
    config = ARCHITECTURES[name].tiny().config
    assert ARCHITECTURES[name].from_config(ARCHITECTURES[name].tiny().config_values()).config == config


@pytest.mark.parametrize(
    ("name", "field", "value", "told"),
    [
        ("transformer", "positions", "sinusoid", "positions: Input should be 'sinusoidal', 'learned', "),
        ("transformer", "decoder", "SSRU", "decoder: Input should be 'attention', 'ssru' or 'average'"),
        ("transformer", "activation", "swiglu", "activation: Input should be 'relu', 'gelu' or 'swish'"),
        ("transformer", "num_heads", 3, "hidden_size is 32, which num_heads, 3, must divide"),
        ("transformer", "num_key_value_heads", 3, "num_heads is 2, which num_key_value_heads, 3, must divide"),
        ("transformer", "encoder_heads", [1], "encoder_heads has 1 numbers for 2 layers; give one for each"),
        ("transformer", "cross_heads", [9], "cross_heads has 9, more than num_heads, 2"),
        ("transformer", "dropout", 1.0, "dropout: Input should be less than 1"),
        ("transformer", "hidden_size", 0, "hidden_size: Input should be greater than or equal to 1"),
        ("transformer", "num_wings", 2, "num_wings: Unexpected keyword argument"),
        ("convs2s", "kernel_size", 4, "kernel_size is 4; it must be odd"),
        ("gnmt", "hidden_size", 33, "hidden_size is 33, which the two directions, 2, must divide"),
        ("lstmn", "fusion", "Deep", "fusion: Input should be 'shallow' or 'deep'"),
        ("luong", "score", "bilinear", "score: Input should be 'dot', 'general', "),
    ],
)
def test_a_faulty_field_is_named_with_what_it_may_be(name: str, field: str, value: Any, told: str) -> None:
    values = ARCHITECTURES[name].tiny().config_values()
    layers = {"num_decoder_layers": 1} if field == "cross_heads" else {}
    with pytest.raises(ArchitectureConfigError, match=f"^{re.escape(told)}"):
        ARCHITECTURES[name].from_config({**values, **layers, field: value})


def test_every_faulty_field_is_named_at_once() -> None:
    values = Luong.tiny().config_values()
    with pytest.raises(ArchitectureConfigError, match=r"num_layers: .*; window: "):
        Luong.from_config({**values, "num_layers": 0, "window": "local"})


@pytest.mark.parametrize(
    ("architecture", "given", "told"),
    [
        (Bahdanau, {"score": "dot", "word_in_query": True}, "word_in_query is for the score additive alone"),
        (Bahdanau, {"score": "location"}, "max_positions belongs to the score location, and to no other"),
        (Bahdanau, {"max_positions": 9}, "max_positions belongs to the score location, and to no other"),
        (Coverage, {"score": "general"}, "coverage enters the score additive alone, not general; leave `score` out"),
    ],
)
def test_scores_that_do_not_fit_are_refused(
    architecture: type[Architecture], given: dict[str, object], told: str
) -> None:
    with pytest.raises(ArchitectureConfigError, match=re.escape(told)):
        architecture.from_config({**architecture.tiny().config_values(), **given})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"convolution_size": 3, "num_key_value_heads": 1},
            "num_key_value_heads and convolution_size exclude",
        ),
        ({"window": 3, "stride": 2}, "window and stride exclude each other"),
        ({"num_heads": 4, "num_key_value_heads": 2, "encoder_heads": [3, 2]}, "each of encoder_heads"),
    ],
)
def test_choices_that_contradict_each_other_are_refused(given: dict[str, object], told: str) -> None:
    values = Transformer.tiny().config_values()
    with pytest.raises(ArchitectureConfigError, match=told):
        Transformer.from_config({**values, **given})


@pytest.mark.parametrize("path", sorted(RECIPES.rglob("*.toml")), ids=lambda path: path.stem)
def test_every_committed_recipe_has_a_network(path: Path) -> None:
    if not path.stem.startswith("base"):
        assert build_model(load_recipe(str(path)), 300).config.vocabulary_size == 300
