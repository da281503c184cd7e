"""The third graph, `teacher_forced`: a whole target at once, with the log-probability of each token and every map.

An architecture that reads all target tokens at once is exported so. Any other becomes a Loop over its decoder step, of
which each architecture has one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import onnx
import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture
from model_store.contract.manifest import TEACHER_FORCED_FILE, TeacherForcedGraph, TensorSpec
from model_store.contract.tokenizer import BEGIN_ID
from model_store.export.graphs import ExportedGraphs, export_decoder, export_encoder, export_graph, name_constants
from model_store.export.optimise import split_products
from model_store.export.products import initialisers
from model_store.export.quantise import TRANSPOSED, Range, by_activation, quantise
from model_store.export.stepping import loop_over

LOG_PROBS, CROSS, ENCODER, DECODER = "log_probs", "attention", "encoder_attention", "decoder_attention"


class _Parallel(nn.Module):
    """`Architecture.all_maps` with flat arguments and results."""

    def __init__(self, model: Architecture) -> None:
        super().__init__()
        self.model = model

    def forward(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> tuple[Tensor, ...]:
        return forced(self.model, source_ids, source_mask, target_ids)


def forced(model: Architecture, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> tuple[Tensor, ...]:
    """What the third graph gives, in the order of `specification`, of `target_ids` [B, T] with their end tokens."""
    begin = torch.full_like(target_ids[:, :1], BEGIN_ID)
    found = model.all_maps(source_ids, source_mask, torch.cat([begin, target_ids[:, :-1]], dim=1))
    logits = model.logits(found.hidden.flatten(0, 1))  # a product of rows, as a step has it: 8 bits fit both
    of_targets = torch.log_softmax(logits, dim=-1).gather(1, target_ids.reshape(-1, 1))
    log_probs = of_targets.view(target_ids.shape)
    cross = found.attention if model.attention_slices() else None
    maps = (cross, found.encoder_attention, found.decoder_attention)
    return (log_probs, *(each for each in maps if each is not None))


def specification(model: Architecture) -> TeacherForcedGraph:
    """The manifest's entry."""
    cross, encoder, decoder = model.attention_slices(), model.encoder_slices(), model.decoder_slices()
    shapes = {CROSS: (cross, "T", "S"), ENCODER: (encoder, "S", "S"), DECODER: (decoder, "T", "T")}
    maps = {name: ("B", len(slices), *axes) for name, (slices, *axes) in shapes.items() if slices}
    return TeacherForcedGraph(
        file=TEACHER_FORCED_FILE,
        inputs=(
            TensorSpec(name="source_ids", dtype="int64", axes=("B", "S")),
            TensorSpec(name="source_mask", dtype="bool", axes=("B", "S")),
            TensorSpec(name="target_ids", dtype="int64", axes=("B", "T")),
        ),
        outputs=(
            TensorSpec(name=LOG_PROBS, dtype="float32", axes=("B", "T")),
            *(TensorSpec(name=name, dtype="float32", axes=axes) for name, axes in maps.items()),
        ),
        log_probs=LOG_PROBS,
        attention=CROSS if cross else None,
        encoder_attention=ENCODER if encoder else None,
        decoder_attention=DECODER if decoder else None,
        encoder_slices=tuple(encoder),
        decoder_slices=tuple(decoder),
    )


@dataclass(frozen=True)
class TeacherForcedExport:
    """The third graph in float32: one graph, or the two that its loop is made of."""

    specification: TeacherForcedGraph
    graphs: ExportedGraphs
    parallel: onnx.ModelProto | None

    def float32(self) -> onnx.ModelProto:
        """The graph as torch computes it."""
        return self._written(lambda graph: graph)

    def int8(self, weights: Mapping[str, Range]) -> onnx.ModelProto:
        """The graph with int8 products, each activation in the range of its matrix; see `quantise.by_weight`."""
        return self._written(lambda graph: quantise(graph, by_activation(graph, weights)))

    def _written(self, change: Callable[[onnx.ModelProto], onnx.ModelProto]) -> onnx.ModelProto:
        if self.parallel is not None:
            return change(self.parallel)
        parts = {"encoder": change(self.graphs.encoder), "decoder_step": change(self.graphs.decoder_step)}
        return loop_over(replace(self.graphs, **parts), self.specification)


def export_teacher_forced(model: Architecture, graphs: ExportedGraphs) -> TeacherForcedExport:
    """Export `model`, whose other two graphs are `graphs`, in float32."""
    found, model = specification(model), model.eval()
    if model.is_parallel:
        return TeacherForcedExport(found, graphs, _parallel(model, found, initialisers(graphs.decoder_step)))
    encoder, encoder_graph = graphs.encoder, graphs.encoder_graph
    decoder, decoder_graph = graphs.decoder_step, graphs.decoder_graph
    if found.encoder_slices:
        encoder, encoder_graph = export_encoder(model, graphs.state, with_maps=True)
    if found.decoder_slices:
        decoder, decoder_graph = export_decoder(model, graphs.state, with_maps=True)
    looped = ExportedGraphs(encoder, decoder, encoder_graph, decoder_graph, graphs.state)
    return TeacherForcedExport(found, looped, None)


def _parallel(model: Architecture, found: TeacherForcedGraph, whole: Collection[str]) -> onnx.ModelProto:
    """`whole` are the constants that the decoder step has in one piece."""
    source_ids, target_ids = torch.randint(4, 20, (3, 5)), torch.randint(4, 20, (3, 7))
    source_mask = torch.arange(5)[None, :] < torch.tensor([5, 3, 4])[:, None]
    batch, length = torch.export.Dim("B"), torch.export.Dim("S", min=2)
    source = {0: batch, 1: length}
    shapes = {"source_ids": source, "source_mask": source, "target_ids": {0: batch, 1: torch.export.Dim("T", min=2)}}
    proto = export_graph(
        _Parallel(model),
        (source_ids, source_mask, target_ids),
        shapes,
        [t.name for t in found.inputs],
        [t.name for t in found.outputs],
    )
    name_constants(proto, model)
    return split_products(proto, {*whole, *(f"{name}{TRANSPOSED}" for name in whole)})  # in either layout
