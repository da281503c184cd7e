"""Heads that a Transformer can do without (Michel, Levy and Neubig 2019, arXiv:1905.10650): ranked by importance, the
least important ones are cut out of its matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture
from model_store.architectures.transformer import Transformer
from model_store.data.batching import Batch, make_batch, plan_epoch
from model_store.layers.self_attention import PlainSelfAttention
from model_store.layers.transformer import DecoderLayer, EncoderLayer, MultiHeadCrossAttention
from model_store.training.finished import FinishedRun, save_run
from model_store.training.preparation import read_data, training_pairs
from model_store.training.recipe import GuidedPart
from model_store.training.validation import batch_loss

PARTS = ("encoder", "decoder", "cross")
"""Self-attention of encoder layers, of decoder layers, and attention over the source."""


HeadsLeft = dict[tuple[str, int], list[int]]
"""The heads that each sub-layer keeps, by part and layer, counted from 0."""


class Head(NamedTuple):
    """A head of a sub-layer, layers and heads counted from 0."""

    part: str
    layer: int
    head: int


def sub_layers(model: Architecture) -> dict[tuple[str, int], PlainSelfAttention | MultiHeadCrossAttention]:
    """Every attention of `model`, by part and layer. Raises ValueError unless all is plain multi-head attention."""
    if not isinstance(model, Transformer):
        raise ValueError(f"only a transformer has heads that can be pruned, not {model.name}")
    found: dict[tuple[str, int], nn.Module] = {}
    for i, layer in enumerate(cast("list[EncoderLayer]", list(model.encoder_layers))):
        found["encoder", i] = layer.attention
    for i, upper in enumerate(cast("list[DecoderLayer]", list(model.decoder_layers))):
        found["decoder", i], found["cross", i] = cast("nn.Module", upper.self_attention), upper.cross_attention
    variants = [
        f"{part} layer {i + 1}"
        for (part, i), each in found.items()
        if not isinstance(each, PlainSelfAttention | MultiHeadCrossAttention)
    ]
    if variants:
        raise ValueError(
            f"{', '.join(variants)} is no plain multi-head attention, which alone can be pruned: train without "
            "`decoder`, `positions`, `window`, `stride`, `num_key_value_heads`, `num_persistent`, `convolution_size`"
        )
    return cast("dict[tuple[str, int], PlainSelfAttention | MultiHeadCrossAttention]", found)


def head_importance(model: Architecture, batches: Iterable[Batch]) -> dict[Head, float]:
    """|sum of a head's output times the loss's gradient by it|, averaged over the sentences of `batches` (equation 2),
    each layer divided by the Euclidean norm of its heads' (section 4.1)."""
    layers, model = sub_layers(model), model.eval()
    seen: dict[tuple[str, int], Tensor] = {}
    sums = {key: torch.zeros(layer.num_heads) for key, layer in layers.items()}

    def watch(key: tuple[str, int]) -> None:
        def keep(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            given[0].retain_grad()
            seen[key] = given[0]

        handles.append(layers[key].output.register_forward_pre_hook(keep))

    handles: list[torch.utils.hooks.RemovableHandle] = []
    for key in layers:
        watch(key)
    try:
        for batch in batches:
            model.zero_grad()
            batch_loss(model, batch, 0.0).loss.backward()
            for key, context in seen.items():
                assert context.grad is not None
                product = (context * context.grad).detach().unflatten(2, (layers[key].num_heads, -1))
                sums[key] += product.sum(dim=(1, 3)).abs().sum(dim=0)
    finally:
        for handle in handles:
            handle.remove()
        model.zero_grad()
    return {
        Head(*key, head): float(value)
        for key, total in sums.items()
        for head, value in enumerate(total / total.norm().clamp(min=1e-12))
    }


def heads_left(importance: dict[Head, float], share: float, kept: Iterable[Head] = ()) -> HeadsLeft:
    """Which heads each sub-layer keeps when the least important `share` of all is removed: one at least in each, and
    those of `kept`."""
    left = {(head.part, head.layer): list[int]() for head in importance}
    for head in importance:
        left[head.part, head.layer].append(head.head)
    to_go, must_stay = round(share * len(importance)), set(kept)
    for head in sorted(importance, key=lambda one: importance[one]):
        own = left[head.part, head.layer]
        if to_go and head not in must_stay and len(own) > 1:
            own.remove(head.head)
            to_go -= 1
    return left


def pruned(model: Architecture, left: HeadsLeft) -> Transformer:
    """The network with these heads only."""
    layers = sub_layers(model)
    counts = {f"{part}_heads": tuple(len(left[p, i]) for p, i in sorted(left) if p == part) for part in PARTS}
    config = replace(model.config, num_key_value_heads=None, **counts)
    smaller = Transformer(config)
    kept = sub_layers(smaller)
    weights = model.state_dict()
    names = {id(layer): name for name, layer in model.named_modules()}
    for key, layer in layers.items():
        heads, name = left[key], names[id(layer)]
        for product, parts in (("qkv", 3), ("query", 1), ("key_value", 2)):
            if hasattr(layer, product):
                for kind in ("weight", "bias"):
                    full = weights[f"{name}.{product}.{kind}"]
                    by_head = full.unflatten(0, (parts, layer.num_heads, -1))
                    weights[f"{name}.{product}.{kind}"] = by_head[:, heads].flatten(0, 2)
        output = weights[f"{name}.output.weight"].unflatten(1, (layer.num_heads, -1))
        weights[f"{name}.output.weight"] = output[:, heads].flatten(1)
        assert kept[key].num_heads == len(heads)
    smaller.load_state_dict(weights)
    return smaller.eval()


def guided_heads(guided: GuidedPart | None) -> list[Head]:
    """The heads that learnt links; a map that is shown should stay."""
    return [Head("cross", one.layer - 1, one.head - 1) for one in guided.heads] if guided else []


def renumbered(guided: GuidedPart | None, left: HeadsLeft) -> GuidedPart | None:
    """The same heads by the numbers that they have now."""
    if guided is None:
        return None
    heads = [
        one.model_copy(update={"head": left["cross", one.layer - 1].index(one.head - 1) + 1}) for one in guided.heads
    ]
    return guided.model_copy(update={"heads": tuple(heads)})


def prune_run(
    finished: FinishedRun, out: Path, data: Path, share: float, num_batches: int, name: str | None = None
) -> tuple[dict[Head, float], HeadsLeft]:
    """Write the `finished` run without `share` of its heads to the new folder `out`.

    Importance is measured on the first `num_batches` batches of validation pairs. Returns it, and the heads that each
    sub-layer keeps. Raises ValueError for a network whose heads cannot be pruned, CorpusError.
    """
    recipe = finished.recipe
    sub_layers(finished.model)
    _, valid = read_data(recipe, data)
    pairs = training_pairs(finished.tokenizer, valid, recipe.training.max_sentence_tokens)
    plan = plan_epoch(pairs, recipe.training.batch_tokens, recipe.training.seed, 0)
    importance = head_importance(finished.model, (make_batch(pairs, chosen) for chosen in islice(plan, num_batches)))
    left = heads_left(importance, share, guided_heads(recipe.guided))
    smaller = pruned(finished.model, left)
    heads = {f"{part}_heads": list(getattr(smaller.config, f"{part}_heads")) for part in PARTS}
    changed = {
        "name": name or f"{recipe.name}-pruned",
        "model": {name: value for name, value in recipe.model.items() if name != "num_key_value_heads"} | heads,
        "guided": renumbered(recipe.guided, left),
    }
    save_run(
        FinishedRun(
            recipe.model_copy(update=changed), smaller, finished.tokenizer, finished.tokenizer_model, finished.progress
        ),
        out,
    )
    return importance, left
