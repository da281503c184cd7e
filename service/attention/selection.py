"""Which of a bundle's attention slices a client means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NoReturn

import numpy as np

from model_store.contract.manifest import Manifest
from model_store.contract.state import AttentionSlice
from service.errors import AttentionNotAvailableError, FieldFault
from service.exchanged import AttentionOptions
from service.messages import Kind


@dataclass(frozen=True)
class SelectedMap:
    """One map to return: the mean of the slices at `indices` of the attention output of its kind."""

    layer: int
    head: int | Literal["mean"]
    indices: tuple[int, ...]
    shift: int = 0
    """0: the row of a token is that of the step which wrote it; 1: that of the step after, which has read it."""
    least: float | None = None
    """Least weight that makes a link; None: the same for every model."""

    @cached_property
    def slices(self) -> np.ndarray:
        """`indices`, int64."""
        return np.array(self.indices, np.int64)


def select(manifest: Manifest, options: AttentionOptions) -> tuple[SelectedMap, ...]:
    """The maps that `options` ask for, by layer and then by head.

    The default head of a layer is the bundle's alignment head in its alignment layer, with the alignment's shift, and
    the mean of the heads in any other. The default layer of encoder and decoder maps is the top one. Raises
    AttentionNotAvailableError, with what the bundle does export, when it lacks any of them.
    """
    heads = _heads(manifest, options.kind)
    if not heads:
        _refuse(manifest, "attention.kind", f"has no {options.kind} attention", None)
    layers = _layers(manifest, options, heads)
    return tuple(chosen for layer in layers for chosen in _of_layer(manifest, options, layer, heads[layer]))


def links_map(manifest: Manifest) -> SelectedMap | None:
    """The map that alignments come from, whatever maps were asked for: the bundle's `links`, else its default. None for
    a bundle without attention."""
    links = manifest.links
    if manifest.alignment is None:
        return None
    if links is None:
        (chosen,) = select(manifest, AttentionOptions())
        return chosen
    (chosen,) = select(manifest, AttentionOptions(layer=links.layer, head=links.head))
    return replace(chosen, shift=links.shift, least=links.least_weight)


def leftover_map(manifest: Manifest) -> SelectedMap | None:
    """The map that links of left-over words come from; None where the bundle has none."""
    leftover = manifest.links.leftover if manifest.links else None
    if leftover is None:
        return None
    (chosen,) = select(manifest, AttentionOptions(layer=leftover.layer, head=leftover.head))
    return replace(chosen, least=leftover.least_weight)


def slices_of(manifest: Manifest, kind: Kind) -> tuple[AttentionSlice, ...]:
    """What the bundle exports of `kind`, in the order of its output."""
    forced = manifest.teacher_forced
    if kind == "cross":
        return manifest.attention_slices
    if forced is None:
        return ()
    return forced.encoder_slices if kind == "encoder" else forced.decoder_slices


def exported_slices(manifest: Manifest) -> tuple[AttentionSlice, ...]:
    """What the bundle exports, of all kinds."""
    return (*manifest.attention_slices, *slices_of(manifest, "encoder"), *slices_of(manifest, "decoder"))


def _heads(manifest: Manifest, kind: Kind) -> dict[int, dict[int, int]]:
    """Index among the slices of `kind` of every exported head, by layer and head."""
    heads: dict[int, dict[int, int]] = {}
    for index, exported in enumerate(slices_of(manifest, kind)):
        heads.setdefault(exported.layer, {})[exported.head] = index
    return heads


def _layers(manifest: Manifest, options: AttentionOptions, heads: dict[int, dict[int, int]]) -> list[int]:
    if options.layer == "all":
        return sorted(heads)
    default = manifest.alignment if options.kind == "cross" else None
    by_default = max(heads) if default is None else default.layer
    layer = by_default if options.layer == "default" else options.layer
    if layer not in heads:
        _refuse(manifest, "attention.layer", f"has no layer {layer}", layer)
    return [layer]


def _of_layer(manifest: Manifest, options: AttentionOptions, layer: int, heads: dict[int, int]) -> list[SelectedMap]:
    head, shift = options.head, 0
    if head == "all":
        return [SelectedMap(layer, number, (heads[number],)) for number in sorted(heads)]
    if head == "default":
        default = manifest.alignment if options.kind == "cross" else None
        head = "mean"
        if default is not None and layer == default.layer:
            head, shift = default.head, default.shift
    if head == "mean":
        return [SelectedMap(layer, "mean", tuple(heads[number] for number in sorted(heads)), shift)]
    if head not in heads:
        _refuse(manifest, "attention.head", f"has no head {head} in layer {layer}", head)
    return [SelectedMap(layer, head, (heads[head],), shift)]


def _refuse(manifest: Manifest, field: str, lack: str, given: int | None) -> NoReturn:
    exported = describe_slices(exported_slices(manifest))
    message = f"{manifest.reference} {lack}; it exports {exported}"
    raise AttentionNotAvailableError(message, [FieldFault(field, message, exported, given)])


def describe_slices(slices: tuple[AttentionSlice, ...]) -> str:
    """What is exported, for people: `cross layer 1 heads 1, 2; cross layer 2 heads 1, 2`, or `no attention`."""
    if not slices:
        return "no attention"
    heads: dict[tuple[str, int], list[int]] = {}
    for exported in slices:
        heads.setdefault((exported.kind, exported.layer), []).append(exported.head)
    return "; ".join(
        f"{kind} layer {layer} head{'s' if len(numbers) > 1 else ''} {', '.join(map(str, sorted(numbers)))}"
        for (kind, layer), numbers in sorted(heads.items())
    )
