"""Pruned heads: the least important go, and a network without them computes as if they wrote nothing."""

from __future__ import annotations

import pytest
import torch

from model_store.architectures.luong import Luong
from model_store.architectures.transformer import Transformer
from model_store.data.batching import TokenPairs, make_batch, pad, source_arrays
from model_store.training.pruning import Head, guided_heads, head_importance, heads_left, pruned, renumbered, sub_layers
from model_store.training.recipe import GuidedHead, GuidedPart

SOURCES = [[5, 6, 7, 8], [9, 10, 11], [12, 13, 14, 15, 16]]


@pytest.fixture
def model() -> Transformer:
    torch.manual_seed(5)
    changes = {"num_heads": 4, "hidden_size": 32}
    return Transformer.from_config({**Transformer.tiny(32).config_values(), **changes}).eval()


def silence(model: Transformer, head: Head) -> None:
    """Let a head write zeros."""
    layer = sub_layers(model)[head.part, head.layer]
    with torch.no_grad():
        layer.output.weight.unflatten(1, (layer.num_heads, -1))[:, head.head] = 0.0


def hidden(model: Transformer) -> torch.Tensor:
    source_ids, source_mask = (torch.from_numpy(array) for array in source_arrays(SOURCES))
    with torch.inference_mode():
        return model.teacher_forced(source_ids, source_mask, torch.from_numpy(pad([[2, *s] for s in SOURCES]))).hidden


def test_a_network_without_heads_is_one_whose_heads_write_nothing(model: Transformer) -> None:
    gone = [Head("encoder", 0, 1), Head("decoder", 1, 3), Head("cross", 0, 0), Head("cross", 0, 2)]
    left = {key: list(range(4)) for key in sub_layers(model)}
    for head in gone:
        left[head.part, head.layer].remove(head.head)
    smaller = pruned(model, left)
    for head in gone:
        silence(model, head)
    torch.testing.assert_close(hidden(smaller), hidden(model), atol=1e-5, rtol=0)
    assert sum(p.numel() for p in smaller.parameters()) < sum(p.numel() for p in model.parameters())
    assert [(s.layer, s.head) for s in smaller.attention_slices()] == [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (2, 4)]


def test_shared_keys_for_each_head_are_no_variant(model: Transformer) -> None:
    same = Transformer.from_config({**model.config_values(), "num_key_value_heads": 4}).eval()
    same.load_state_dict(model.state_dict())
    left = {key: [0, 2, 3] for key in sub_layers(same)}
    torch.testing.assert_close(hidden(pruned(same, left)), hidden(pruned(model, left)))


def test_a_variant_is_refused_by_its_layers(model: Transformer) -> None:
    other = Transformer.from_config({**model.config_values(), "decoder": "ssru"})
    with pytest.raises(ValueError, match=r"^decoder layer 1, decoder layer 2 is no plain multi-head"):
        sub_layers(other)


def test_a_head_that_writes_nothing_has_no_importance(model: Transformer) -> None:
    silent = Head("cross", 1, 2)
    silence(model, silent)
    batch = make_batch(TokenPairs(SOURCES, [s[::-1] for s in SOURCES]), range(3))
    importance = head_importance(model, [batch])
    assert len(importance) == 4 * len(sub_layers(model))
    assert importance[silent] == 0.0
    assert min(value for head, value in importance.items() if head != silent) > 0.0


def test_the_least_important_go_but_one_stays_in_each_sub_layer_and_those_that_must() -> None:
    importance = {Head("cross", 0, i): 0.1 * i for i in range(4)} | {Head("cross", 1, i): 1.0 + i for i in range(4)}
    assert heads_left(importance, 0.5) == {("cross", 0): [3], ("cross", 1): [1, 2, 3]}
    assert heads_left(importance, 0.25, [Head("cross", 0, 0)]) == {("cross", 0): [0, 3], ("cross", 1): [0, 1, 2, 3]}


def test_guided_heads_stay_and_get_their_new_numbers() -> None:
    guided = GuidedPart(heads=(GuidedHead(layer=2, head=3, shift=1),))
    assert guided_heads(guided) == [Head("cross", 1, 2)]
    found = renumbered(guided, {("cross", 1): [1, 2]})
    assert found is not None
    assert [(one.layer, one.head, one.shift) for one in found.heads] == [(2, 2, 1)]


def test_what_cannot_be_pruned_is_refused() -> None:
    with pytest.raises(ValueError, match="not luong"):
        sub_layers(Luong.tiny())
    with pytest.raises(ValueError, match=r"encoder layer 1, .* is no plain multi-head attention"):
        sub_layers(Transformer.tiny_variant("rotary"))
