"""Torch to ONNX: one architecture becomes two graphs, `encoder` and `decoder_step` (opset 24)."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from model_store.architectures.base import Architecture
from model_store.contract.manifest import DECODER_FILE, ENCODER_FILE, DecoderGraph, Graph, StateTensors, TensorSpec
from model_store.contract.state import Lifetime, StateSpec
from model_store.export.loops import expand_loops
from model_store.export.operators import OPSET_VERSION, translations
from model_store.export.optimise import split_products


@dataclass(frozen=True)
class ExportedGraphs:
    """Both graphs as ONNX models, and what the manifest says of them."""

    encoder: onnx.ModelProto
    decoder_step: onnx.ModelProto
    encoder_graph: Graph
    decoder_graph: DecoderGraph
    state: tuple[StateTensors, ...]


# ---- modules with flat arguments ------------------------------------------------------------------------------------


ENCODER_MAPS = "encoder_attention"
"""Output [B, E, S, S] of an encoder that is exported with its maps."""
OWN_MAPS = "own_attention"
"""Output [R, D, T or W] of a decoder step that is exported with them: `StepTensors.own`."""


class _Encoder(nn.Module):
    def __init__(self, model: Architecture, names: Sequence[str], with_maps: bool) -> None:
        super().__init__()
        self.model, self.names, self.with_maps = model, names, with_maps

    def forward(self, source_ids: Tensor, source_mask: Tensor) -> tuple[Tensor, ...]:
        if not self.with_maps:
            state, maps = self.model.encode(source_ids, source_mask), None
        else:
            state, maps = self.model.encode_with_maps(source_ids, source_mask)
        return (*(state[name] for name in self.names), *([] if maps is None else [maps]))


class _DecoderStep(nn.Module):
    def __init__(self, model: Architecture, taken: Sequence[str], given: Sequence[str], with_maps: bool) -> None:
        super().__init__()
        self.model, self.taken, self.given, self.with_maps = model, taken, given, with_maps

    def forward(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        out = self.model.step(token_ids, position, source_mask, dict(zip(self.taken, state, strict=True)))
        shown = () if out.attention is None else (out.attention,)
        own = () if out.own is None or not self.with_maps else (out.own,)
        return (out.logits, *shown, *(out.state[name] for name in self.given), *own)


# ---- export ---------------------------------------------------------------------------------------------------------


def state_tensors(specs: Sequence[StateSpec]) -> tuple[StateTensors, ...]:
    """Name the tensors that carry each state array."""
    return tuple(
        StateTensors(
            **spec.model_dump(),
            encoder_output=None if spec.lifetime is Lifetime.GROWING else spec.name,
            step_input=spec.name,
            step_output=None if spec.lifetime is Lifetime.STATIC else f"next_{spec.name}",
        )
        for spec in specs
    )


def _example(spec: StateSpec, sizes: dict[str, int]) -> Tensor:
    """A tensor of its own for each input: passing one twice would make the exporter alias two inputs."""
    shape = [sizes[axis] if isinstance(axis, str) else axis for axis in (step_axis(spec), *spec.axes)]
    return torch.randn(*shape)


def _dynamic(spec: StateSpec, dims: dict[str, Any]) -> dict[int, Any]:
    named = {i: dims[axis] for i, axis in enumerate(spec.axes, start=1) if isinstance(axis, str)}
    return {0: dims[step_axis(spec)], **named}


def step_axis(spec: StateSpec) -> str:
    """First axis of a state array in a step: the rows of a segment share its static arrays."""
    return "B" if spec.lifetime is Lifetime.STATIC else "R"


def export_graph(
    module: nn.Module, args: tuple[Any, ...], shapes: Any, inputs: list[str], outputs: list[str]
) -> onnx.ModelProto:
    """Export a `module` of flat arguments, with the named `inputs` and `outputs`, in float32."""
    quiet = logging.getLogger("torch.onnx")
    level = quiet.level
    quiet.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # deprecations inside the exporter itself
            program = torch.onnx.export(
                module.eval(),
                args,
                dynamo=True,
                opset_version=OPSET_VERSION,
                dynamic_shapes=shapes,
                custom_translation_table=translations(),
                input_names=inputs,
                output_names=outputs,
                verbose=False,
            )
    finally:
        quiet.setLevel(level)
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    return expand_loops(_without_traces(model))


def _without_traces(model: onnx.ModelProto) -> onnx.ModelProto:
    """Drop what the exporter writes down about the machine it ran on: stack traces with file paths."""
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    del model.graph.value_info[:]
    del model.graph.metadata_props[:]
    del model.metadata_props[:]
    for value in (*model.graph.input, *model.graph.output, *model.graph.initializer):
        del value.metadata_props[:]
    return model


def name_constants(proto: onnx.ModelProto, model: Architecture) -> None:
    """Name each matrix after the parameter it holds (`.transposed` where stored so): the exporter calls it `val_84`."""
    parameters = {name: tensor.numpy() for name, tensor in model.state_dict().items() if tensor.dim() == 2}
    renamed: dict[str, str] = {}
    for constant in proto.graph.initializer:
        old = constant.name
        constant.name = old.removeprefix("model.")
        if len(constant.dims) == 2 and constant.name not in parameters:
            value = numpy_helper.to_array(constant)
            same = (name for name, p in parameters.items() if p.T.shape == value.shape and np.array_equal(p.T, value))
            constant.name = next((f"{name}.transposed" for name in same), constant.name)
        renamed[old] = constant.name
    _rename(proto.graph.node, renamed)


def keep_folded(model: Architecture, encoder: onnx.ModelProto, decoder: onnx.ModelProto) -> None:
    """Store in `decoder`, where no node reads them, the parameters that neither graph has.

    The exporter computed with them: a network that is opened again needs what a softmax takes, not what it gives.
    """
    names = (constant.name for proto in (encoder, decoder) for constant in proto.graph.initializer)
    held = {name.partition(".transposed")[0].partition(".part")[0] for name in names}
    for name, value in model.state_dict().items():
        if name not in held:
            decoder.graph.initializer.append(numpy_helper.from_array(value.numpy(), name))


def _rename(nodes: Iterable[onnx.NodeProto], renamed: Mapping[str, str]) -> None:
    """Let nodes, and those of their loops' bodies, take tensors by their new names."""
    for node in nodes:
        node.input[:] = [renamed.get(name, name) for name in node.input]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _rename(attribute.g.node, renamed)


def _state_spec(name: str, spec: StateSpec, rows: str) -> TensorSpec:
    return TensorSpec(name=name, dtype=spec.dtype, axes=(rows, *spec.axes))


def export_encoder(
    model: Architecture, state: Sequence[StateTensors], with_maps: bool = False
) -> tuple[onnx.ModelProto, Graph]:
    written = [s for s in state if s.encoder_output]
    source_ids = torch.randint(4, 20, (3, 5))
    source_mask = torch.arange(5)[None, :] < torch.tensor([5, 3, 4])[:, None]
    dims = {0: torch.export.Dim("B"), 1: torch.export.Dim("S", min=2)}
    names = [str(s.encoder_output) for s in written]
    slices = len(model.encoder_slices()) if with_maps else 0
    proto = export_graph(
        _Encoder(model, [s.name for s in written], with_maps),
        (source_ids, source_mask),
        {"source_ids": dims, "source_mask": dims},
        ["source_ids", "source_mask"],
        [*names, ENCODER_MAPS] if slices else names,
    )
    inputs = (
        TensorSpec(name="source_ids", dtype="int64", axes=("B", "S")),
        TensorSpec(name="source_mask", dtype="bool", axes=("B", "S")),
    )
    maps = TensorSpec(name=ENCODER_MAPS, dtype="float32", axes=("B", slices or 1, "S", "S"))
    outputs = (*(_state_spec(str(s.encoder_output), s, "B") for s in written), *([maps] if slices else []))
    name_constants(proto, model)
    proto = split_products(proto)
    return proto, Graph(file=ENCODER_FILE, inputs=inputs, outputs=outputs)


def export_decoder(
    model: Architecture, state: Sequence[StateTensors], with_maps: bool = False
) -> tuple[onnx.ModelProto, DecoderGraph]:
    given = [s for s in state if s.step_output]
    dims = {axis: torch.export.Dim(axis, min=2 if axis == "S" else 1) for axis in ("R", "B", "S", "T")}
    sizes = {"R": 6, "B": 3, "S": 5, "T": 7}
    args = (
        torch.tensor([4, 5, 6, 7, 8, 9]),
        torch.tensor([0, 2, 1, 4, 3, 5]),
        torch.arange(5)[None, :] < torch.tensor([5, 3, 4])[:, None],
        *(_example(s, sizes) for s in state),
    )
    shapes = {
        "token_ids": {0: dims["R"]},
        "position": {0: dims["R"]},
        "source_mask": {0: dims["B"], 1: dims["S"]},
        "state": tuple(_dynamic(s, dims) for s in state),
    }
    slices = len(model.attention_slices())
    inputs = (
        TensorSpec(name="token_ids", dtype="int64", axes=("R",)),
        TensorSpec(name="position", dtype="int64", axes=("R",)),
        TensorSpec(name="source_mask", dtype="bool", axes=("B", "S")),
        *(_state_spec(s.step_input, s, step_axis(s)) for s in state),
    )
    outputs = (
        TensorSpec(name="logits", dtype="float32", axes=("R", model.config.vocabulary_size)),
        *((TensorSpec(name="attention", dtype="float32", axes=("R", slices, "S")),) if slices else ()),
        *(_state_spec(str(s.step_output), s, "R") for s in given),
        *([_own_maps(model)] if with_maps and model.decoder_slices() else []),
    )
    proto = export_graph(
        _DecoderStep(model, [s.name for s in state], [s.name for s in given], with_maps),
        args,
        shapes,
        [t.name for t in inputs],
        [t.name for t in outputs],
    )
    name_constants(proto, model)
    graph = DecoderGraph(
        file=DECODER_FILE,
        inputs=inputs,
        outputs=outputs,
        logits="logits",
        attention="attention" if slices else None,
    )
    return proto, graph


def _own_maps(model: Architecture) -> TensorSpec:
    window = model.decoder_window
    axes = ("R", len(model.decoder_slices()), "T" if window is None else window)
    return TensorSpec(name=OWN_MAPS, dtype="float32", axes=axes)


def export_graphs(model: Architecture) -> ExportedGraphs:
    """Export `model` in float32. Rows of different age may share a batch: positions, masks and caches are per row."""
    model = model.eval()
    state = state_tensors(model.state_specs())
    encoder, encoder_graph = export_encoder(model, state)
    decoder, decoder_graph = export_decoder(model, state)
    keep_folded(model, encoder, decoder)
    return ExportedGraphs(encoder, decoder, encoder_graph, decoder_graph, state)
