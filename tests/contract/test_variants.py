"""Every choice of every architecture, untrained: exported, it computes what torch computes, in a step as in a pass."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from model_store.architectures import ARCHITECTURES
from model_store.contract.tokenizer import BEGIN_ID
from model_store.data.batching import pad, source_arrays
from model_store.export.graphs import export_graphs
from model_store.export.parity import TOLERANCE, measure_forced_parity, measure_parity
from model_store.export.pipeline import ort_stepper
from model_store.export.teacher_forced import export_teacher_forced
from tests.contract.conftest import VOCABULARY_SIZE, random_sources
from tests.contract.test_graphs import forced

PLAIN = "plain"
"""The network without a variant."""
TRIED = [
    pytest.param(name, variant, id=f"{name}-{variant}", marks=[pytest.mark.slow] if i else [])
    for name, architecture in sorted(ARCHITECTURES.items())
    for i, variant in enumerate([*architecture.variants(), PLAIN])
]
"""The first of each architecture always, the others by `make test-slow`: an export takes seconds. Others export the
plain networks, too, but train them first: here an author sees in seconds whether one exports."""


@pytest.mark.parametrize(("name", "variant"), TRIED)
def test_an_untrained_variant_steps_as_it_is_trained_and_exports(name: str, variant: str) -> None:
    torch.manual_seed(3)
    architecture = ARCHITECTURES[name]
    is_plain = variant == PLAIN
    model = architecture.tiny(VOCABULARY_SIZE) if is_plain else architecture.tiny_variant(variant, VOCABULARY_SIZE)
    model.eval()
    for parameter in model.parameters():  # what begins with zeros must count, too
        if not parameter.any():
            torch.nn.init.normal_(parameter, std=0.1)
    graphs = export_graphs(model)
    stepper = ort_stepper(graphs, graphs.encoder, graphs.decoder_step)
    parity = measure_parity(model, stepper)
    assert max(parity.log_probs, parity.attention, parity.state) <= TOLERANCE
    third = export_teacher_forced(model, graphs).float32()
    assert measure_forced_parity(model, third.SerializeToString()) <= TOLERANCE
    sources = random_sources(5, seed=4, shortest=3)
    targets = random_sources(5, seed=5, shortest=5)
    log_probs, attention = forced(stepper, sources, targets)
    source_ids, source_mask = (torch.from_numpy(a) for a in source_arrays(sources))
    target_ids = torch.from_numpy(pad([[BEGIN_ID, *ids] for ids in targets]))
    with torch.inference_mode():
        out = model.teacher_forced(source_ids, source_mask, target_ids)
        whole = torch.log_softmax(model.logits(out.hidden), dim=-1).numpy()
    for i, target in enumerate(targets):
        real = slice(0, len(target) + 1)
        np.testing.assert_allclose(log_probs[i, real], whole[i, real], atol=TOLERANCE)
        np.testing.assert_allclose(attention[i, real], out.attention[i].numpy().swapaxes(0, 1)[real], atol=TOLERANCE)


CONFIGURATIONS = [
    pytest.param(name, variant, id=f"{name}-{variant}")
    for name, architecture in sorted(ARCHITECTURES.items())
    for variant in architecture.variants()
]


@pytest.mark.parametrize(("name", "variant"), CONFIGURATIONS)
def test_a_manifest_s_configuration_is_the_network_s(name: str, variant: str) -> None:
    values = ARCHITECTURES[name].tiny_variant(variant, VOCABULARY_SIZE).config_values()
    again = ARCHITECTURES[name].from_config(json.loads(json.dumps(values)))
    assert again.config_values() == values
