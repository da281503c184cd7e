"""A decoder step repeated over given target tokens, as a Loop of ONNX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

from model_store.contract.manifest import StateTensors, TeacherForcedGraph
from model_store.contract.state import Lifetime
from model_store.contract.tokenizer import BEGIN_ID
from model_store.export.graphs import ENCODER_MAPS, OWN_MAPS, ExportedGraphs
from model_store.export.products import names_taken

BODY = "step."
"""Begins the names of all that is computed at each step."""
OUTER = "loop."
"""Begins the names of what is computed around it."""


class _Builder:
    """Nodes in the order of their making, each with one output, and the constants that they take."""

    def __init__(self, prefix: str) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._prefix = prefix

    def add(self, kind: str, inputs: Sequence[str], name: str | None = None, **attributes: Any) -> str:
        """A node of that `kind`; its output has the `name`, or one of its own."""
        output = name or f"{self._prefix}{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, value: object) -> str:
        """A constant of int64 or float32."""
        array = np.asarray(value)
        name = f"{self._prefix}constant_{len(self.constants)}"
        kept = array.astype(np.int64 if array.dtype.kind == "i" else np.float32)
        self.constants.append(numpy_helper.from_array(kept, name))
        return name


def loop_over(graphs: ExportedGraphs, wanted: TeacherForcedGraph) -> onnx.ModelProto:
    """The encoder of `graphs`, and a Loop over their decoder step, with the outputs that `wanted` names."""
    encoder = graphs.encoder.graph
    build = _Builder(OUTER)
    length = build.add("Squeeze", [build.add("Shape", ["target_ids"], start=1, end=2)])
    given = _renamed(encoder.node, encoder.initializer, "encoder.", {n: n for n in ("source_ids", "source_mask")})
    fixed = {str(s.encoder_output): f"encoder.{s.encoder_output}" for s in graphs.state if s.encoder_output}
    changing = [s for s in graphs.state if s.lifetime is not Lifetime.STATIC]
    first = [fixed[str(s.encoder_output)] if s.encoder_output else _empty(build, s) for s in changing]
    tokens = _shifted(build)
    body, outer_nodes, constants = _body(graphs, changing, tokens, wanted)
    scanned = [value.name for value in body.output[1 + len(changing) :]]
    last = [f"{OUTER}last_{s.name}" for s in changing]
    stacked = [f"{OUTER}{name}_by_step" for name in scanned]
    loop = helper.make_node("Loop", [length, "", *first], [*last, *stacked], name="over_target", body=body)
    after = _Builder(f"{OUTER}after_")
    _outputs(after, wanted, graphs, dict(zip(scanned, stacked, strict=True)), length)
    graph = helper.make_graph(
        [*given.nodes, *build.nodes, *outer_nodes, loop, *after.nodes],
        "teacher_forced",
        [_value(t.name, t.dtype, t.axes) for t in wanted.inputs],
        [_value(t.name, t.dtype, t.axes) for t in wanted.outputs],
        [*given.constants, *build.constants, *constants, *after.constants],
    )
    opsets = {o.domain: o for model in (graphs.encoder, graphs.decoder_step) for o in model.opset_import}
    functions = {(f.domain, f.name): f for m in (graphs.encoder, graphs.decoder_step) for f in m.functions}
    return helper.make_model(
        graph,
        opset_imports=list(opsets.values()),
        functions=list(functions.values()),
        ir_version=graphs.decoder_step.ir_version,
    )


def _value(name: str, dtype: str, axes: Sequence[str | int]) -> onnx.ValueInfoProto:
    kinds = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "bool": TensorProto.BOOL}
    return helper.make_tensor_value_info(name, kinds[dtype], list(axes))


def _renamed(
    nodes: Iterable[NodeProto], constants: Iterable[TensorProto], prefix: str, known: dict[str, str]
) -> _Builder:
    """Copies of nodes and constants whose tensors begin with `prefix`, but for those `known` by another name."""

    def name_of(name: str) -> str:
        return known.get(name, prefix + name) if name else ""

    def rename(node: NodeProto) -> NodeProto:
        copy = NodeProto()
        copy.CopyFrom(node)
        copy.name = prefix + node.name if node.name else ""
        copy.input[:] = [name_of(name) for name in node.input]
        copy.output[:] = [name_of(name) for name in node.output]
        for attribute in copy.attribute:
            if attribute.HasField("g"):
                inner = [rename(each) for each in attribute.g.node]
                del attribute.g.node[:]
                attribute.g.node.extend(inner)
                for value in (*attribute.g.input, *attribute.g.output, *attribute.g.initializer):
                    value.name = name_of(value.name)
        return copy

    renamed = _Builder(prefix)
    renamed.nodes = [rename(node) for node in nodes]
    for constant in constants:
        copy = TensorProto()
        copy.CopyFrom(constant)
        copy.name = name_of(constant.name)
        renamed.constants.append(copy)
    return renamed


def _empty(build: _Builder, state: StateTensors) -> str:
    """A growing array with room for all of the target, zero."""
    axes = [build.add("Shape", ["target_ids"], start=0, end=1)]
    for axis in state.axes:
        whole = build.add("Shape", ["target_ids"], start=1, end=2) if axis == "T" else build.constant([int(axis)])
        axes.append(whole)
    return build.add("ConstantOfShape", [build.add("Concat", axes, axis=0)])


def _shifted(build: _Builder) -> str:
    """What the decoder reads: the begin token, and all of the target but its last."""
    before = build.add("Slice", ["target_ids", build.constant([0]), build.constant([-1]), build.constant([1])])
    rows = build.add("Shape", ["target_ids"], start=0, end=1)
    one = build.add("Concat", [rows, build.constant([1])], axis=0)
    begin = build.add("Expand", [build.constant([[BEGIN_ID]]), one])
    return build.add("Concat", [begin, before], axis=1)


def _body(
    graphs: ExportedGraphs, changing: Sequence[StateTensors], tokens: str, wanted: TeacherForcedGraph
) -> tuple[onnx.GraphProto, list[NodeProto], list[TensorProto]]:
    """The loop's body, and what it takes from around it: nodes of constants alone, and constants."""
    step = graphs.decoder_step.graph
    static = {s.step_input: f"encoder.{s.encoder_output}" for s in graphs.state if s.lifetime is Lifetime.STATIC}
    same, own = _known_to(graphs.encoder.graph, step)
    renamed = _renamed(step.node, own, BODY, {"source_mask": "source_mask", **static, **same})
    outer, inner = _without_input(renamed, {*same.values(), *(constant.name for constant in renamed.constants)})
    build = _Builder(f"{BODY}around_")
    number, going = f"{BODY}number", f"{BODY}going"
    build.add("Gather", [tokens, number], f"{BODY}token_ids", axis=1)
    rows = build.add("Shape", [tokens], start=0, end=1)
    build.add("Expand", [number, rows], f"{BODY}position")
    begin = build.nodes
    build.nodes = []
    log_softmax = build.add("LogSoftmax", [f"{BODY}{graphs.decoder_graph.logits}"], axis=-1)
    next_ids = build.add("Gather", ["target_ids", number], axis=1)
    column = build.add("Unsqueeze", [next_ids, build.constant([1])])
    chosen = build.add("GatherElements", [log_softmax, column], axis=1)
    build.add("Squeeze", [chosen, f"{build.constants[-1].name}"], wanted.log_probs)
    build.add("Identity", [going], f"{BODY}go_on")
    maps = {wanted.attention: graphs.decoder_graph.attention, wanted.decoder_attention: OWN_MAPS}
    scanned = [wanted.log_probs]
    for name, given in maps.items():
        if name is not None:
            scanned.append(build.add("Identity", [f"{BODY}{given}"], name))
    states = [(f"{BODY}{s.step_input}", f"{BODY}{s.step_output}", s) for s in changing]
    body = helper.make_graph(
        [*begin, *inner, *build.nodes],
        "step",
        [
            _value(number, "int64", ()),
            _value(going, "bool", ()),
            *(_value(name, s.dtype, ("B", *s.axes)) for name, _, s in states),
        ],
        [
            _value(f"{BODY}go_on", "bool", ()),
            *(_value(name, s.dtype, ("B", *s.axes)) for _, name, s in states),
            *(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in scanned),
        ],
    )
    return body, outer, [*renamed.constants, *build.constants]


def _known_to(encoder: onnx.GraphProto, step: onnx.GraphProto) -> tuple[dict[str, str], list[TensorProto]]:
    """The step's constants that the encoder has, too, by the encoder's names for them; and all others."""
    names = {(c.data_type, *c.dims, c.raw_data): f"encoder.{c.name}" for c in encoder.initializer if c.raw_data}
    keys = [(constant, (constant.data_type, *constant.dims, constant.raw_data)) for constant in step.initializer]
    return (
        {constant.name: names[key] for constant, key in keys if key in names},
        [constant for constant, key in keys if key not in names],
    )


def _without_input(step: _Builder, known: set[str]) -> tuple[list[NodeProto], list[NodeProto]]:
    """The nodes that take `known` constants alone, which are computed once, and the others."""
    outer, inner = [], []
    for node in step.nodes:
        if all(name in known for name in names_taken(node) if name):
            known |= set(node.output)
            outer.append(node)
        else:
            inner.append(node)
    return outer, inner


def _outputs(
    build: _Builder, wanted: TeacherForcedGraph, graphs: ExportedGraphs, stacked: dict[str, str], length: str
) -> None:
    """The graph's outputs, of what was `stacked` with the steps on the first axis."""
    build.add("Transpose", [stacked[wanted.log_probs]], wanted.log_probs, perm=[1, 0])
    if wanted.attention is not None:
        build.add("Transpose", [stacked[wanted.attention]], wanted.attention, perm=[1, 2, 0, 3])
    if wanted.encoder_attention is not None:
        build.add("Identity", [f"encoder.{ENCODER_MAPS}"], wanted.encoder_attention)
    if wanted.decoder_attention is None:
        return
    own = next(t for t in graphs.decoder_graph.outputs if t.name == OWN_MAPS)
    window = own.axes[2]
    name = None if isinstance(window, int) else wanted.decoder_attention
    maps = build.add("Transpose", [stacked[wanted.decoder_attention]], name, perm=[1, 2, 0, 3])
    if isinstance(window, int):
        _skew(build, maps, window, length, wanted.decoder_attention)


def _skew(build: _Builder, maps: str, window: int, length: str, name: str) -> None:
    """Weights [B, D, T, W] of the last W steps, oldest first, as maps [B, D, T, T] of all steps."""
    places = build.add("Range", [build.constant(0), length, build.constant(1)])
    columns = build.add("Unsqueeze", [places, build.constant([0])])
    rows = build.add("Unsqueeze", [places, build.constant([1])])
    index = build.add("Add", [build.add("Sub", [columns, rows]), build.constant(window)])
    nearest = build.add("Clip", [index, build.constant(0), build.constant(window - 1)])
    size = build.add("Shape", [maps], start=0, end=3)
    sizes = build.add("Concat", [size, build.add("Unsqueeze", [length, build.constant([0])])], axis=0)
    found = build.add("GatherElements", [maps, build.add("Expand", [nearest, sizes])], axis=3)
    inside = build.add("Equal", [index, nearest])
    build.add("Where", [inside, found, build.constant(0.0)], name)
