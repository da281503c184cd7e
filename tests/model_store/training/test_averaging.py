"""Averages of runs: of the same network only, weight by weight, and the manifest's history says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from model_store.architectures import architecture
from model_store.training.averaging import averaged
from model_store.training.finished import FinishedRun
from model_store.training.recipe import load_recipe


def finished(seed: int, vocabulary: bytes = b"v", architecture_name: str = "transformer") -> FinishedRun:
    torch.manual_seed(seed)
    recipe = load_recipe("en-fr-transformer").model_copy(update={"architecture": architecture_name})
    tiny = architecture(architecture_name).tiny()
    return FinishedRun(recipe, tiny, None, vocabulary, {"tokens": 1, "started_from": "a@1"}, f"run@{seed}")  # type: ignore[arg-type]


def test_every_weight_is_the_mean_by_its_share() -> None:
    first, second = finished(1), finished(2)
    before = {name: value.clone() for name, value in first.model.state_dict().items()}
    found = averaged(first, second, 0.25)
    for name, value in found.model.state_dict().items():
        assert torch.allclose(value, 0.75 * before[name] + 0.25 * second.model.state_dict()[name], atol=1e-6), name
    assert found.progress == {"tokens": 1, "started_from": "a@1, averaged with 25% of run@2"}


def test_dropout_makes_no_other_network() -> None:
    first, second = finished(1), finished(2)
    values = {**second.model.config_values(), "dropout": 0.4}
    other = type(second.model).from_config(values)
    other.load_state_dict(second.model.state_dict())
    found = averaged(first, replace(second, model=other), 0.5)
    assert found.model.config_values() == first.model.config_values()


def test_other_networks_and_other_vocabularies_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^run@1 and run@2 have other vocabularies; "):
        averaged(finished(1), finished(2, b"w"), 0.5)
    with pytest.raises(ValueError, match=r"^run@1 and run@2 are not the same network; "):
        averaged(finished(1), finished(2, architecture_name="bahdanau"), 0.5)
    assert replace(finished(3), reference="").name == "en-fr-transformer"
