"""Heads that learn links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from model_store.architectures.transformer import Transformer
from model_store.contract.state import AttentionSlice
from model_store.data.corpus import CorpusError
from model_store.data.linked import SURE
from model_store.data.linking import write_links
from model_store.training.guidance import guidance_loss, guided_indices
from model_store.training.loop import Run
from model_store.training.precision import faster_precision
from model_store.training.recipe import GuidedHead, Recipe, RecipeError

REAL = torch.ones(1, 3, dtype=torch.bool)
SLICES = [AttentionSlice(layer=1, head=1), AttentionSlice(layer=1, head=2)]


def test_a_head_that_looks_at_its_links_loses_nothing_and_one_that_does_not_does() -> None:
    links = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]]])
    right = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    attention = torch.stack([right, right.roll(1, dims=1)], dim=1)  # the second head has read the word
    assert guidance_loss(attention, links, [(0, 0)], REAL).item() == pytest.approx(0.0, abs=1e-4)
    assert guidance_loss(attention, links, [(1, 1)], REAL).item() == pytest.approx(0.0, abs=1e-4)
    assert guidance_loss(attention, links, [(1, 0)], REAL).item() > 1.0


def test_padding_behind_a_sentence_changes_no_loss() -> None:
    links = torch.tensor([[[1.0, 0.0], [0.0, 0.5]]])
    attention = torch.softmax(torch.randn(1, 2, 2, 2), dim=-1)
    padded = torch.cat([attention, torch.full((1, 2, 1, 2), 0.5)], dim=2)
    longer = torch.cat([links, torch.zeros(1, 1, 2)], dim=1)
    for head in ((0, 0), (1, 1)):
        alone = guidance_loss(attention, links, [head], torch.tensor([[True, True]]))
        beside = guidance_loss(padded, longer, [head], torch.tensor([[True, True, False]]))
        assert beside.item() == pytest.approx(alone.item())


def test_a_head_that_the_network_lacks_is_named() -> None:
    heads = [GuidedHead(layer=1, head=2, shift=1)]
    assert guided_indices(heads, SLICES) == [(1, 1)]
    with pytest.raises(RecipeError, match=r"no layer 3 head 1; it has layer 1 head 1, layer 1 head 2"):
        guided_indices([GuidedHead(layer=3, head=1)], SLICES)


@pytest.fixture
def guided_recipe(recipe_values: dict[str, Any]) -> Recipe:
    model = {
        "hidden_size": 32, "dropout": 0.0, "num_heads": 2, "feed_forward_size": 48, "num_encoder_layers": 1,
        "num_decoder_layers": 1,
    }  # fmt: skip
    guided = {"weight": 1.0, "heads": [{"layer": 1, "head": 1}, {"layer": 1, "head": 2, "shift": 1}]}
    training = recipe_values["training"] | {"joined_fraction": 0.0}
    changes = {"architecture": "transformer", "model": model, "guided": guided, "training": training}
    return Recipe.model_validate(recipe_values | changes)


def _link(corpus: Path, run: Path) -> None:
    """Links as an aligner would find them: each word with the one in its place."""
    run.mkdir(parents=True)
    lines = (corpus / "train.tsv").read_text().splitlines()
    lengths = [len(line.split("\t")[0].split()) for line in lines]
    (run / "links.txt").write_text("".join(write_links([(i, i, SURE) for i in range(n)]) + "\n" for n in lengths))


def test_training_teaches_a_guided_head_its_links(guided_recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    _link(corpus, tmp_path / "run")
    run = Run(guided_recipe, corpus, tmp_path / "run", device=torch.device("cpu"))
    assert isinstance(run.model, Transformer)
    batches = run.batches()
    first = next(batches)
    with torch.no_grad():
        before = run._loss(first).guidance
    for batch, _ in zip(batches, range(120), strict=False):
        run.step(batch)
    with torch.no_grad():
        assert run._loss(first).guidance < 0.75 * before


def test_links_of_other_text_are_refused(guided_recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    _link(corpus, tmp_path / "run")
    links = tmp_path / "run" / "links.txt"
    links.write_text("# of another text\n" + links.read_text())
    with pytest.raises(CorpusError, match="has links of other text; remove the file"):
        Run(guided_recipe, corpus, tmp_path / "run", device=torch.device("cpu"))


def test_linked_pairs_are_not_joined_without_saying_so(guided_recipe: Recipe) -> None:
    values = guided_recipe.model_dump()
    values["training"]["joined_fraction"] = 0.2
    with pytest.raises(ValidationError, match=r"joined_fraction is 0\.2, but pairs with links are joined by"):
        Recipe.model_validate(values)


def test_timing_precisions_changes_neither_weights_nor_random_numbers(
    guided_recipe: Recipe, corpus: Path, tmp_path: Path
) -> None:
    _link(corpus, tmp_path / "run")
    run = Run(guided_recipe, corpus, tmp_path / "run", device=torch.device("cpu"))
    before = {name: tensor.clone() for name, tensor in run.model.state_dict().items()}
    state = torch.get_rng_state()
    assert faster_precision(run._loss, run.model, run._timed_batches()) in ("float32", "bfloat16")
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(before[name], tensor) for name, tensor in run.model.state_dict().items())
    assert all(not np.any(p.grad.numpy()) for p in run.model.parameters() if p.grad is not None)
