"""Weights that graphs have alike are stored once: the embedding table, and all that the teacher-forced graph has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from model_store.contract.manifest import DECODER_FILE, ENCODER_FILE, SHARED_FILE, TEACHER_FORCED_FILE
from model_store.contract.sharing import split_shared

MIN_BYTES = 1024
"""Smaller weights are not worth an entry in the manifest."""


def store_once(
    values: Mapping[str, Any], encoder: onnx.ModelProto, decoder: onnx.ModelProto, forced: onnx.ModelProto | None
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest's fields that change, and the files of the graphs and of what they share."""
    graphs = {"encoder": (ENCODER_FILE, encoder), "decoder_step": (DECODER_FILE, decoder)}
    if forced is not None:
        known = {*_weights(encoder), *_weights(decoder)}
        graphs["teacher_forced"] = TEACHER_FORCED_FILE, in_stored_layout(forced, known)
    whole = [graph.SerializeToString() for _, graph in graphs.values()]
    left, stretches, shared = split_shared(whole, [_weights(graph) for _, graph in graphs.values()])
    fields = {
        name: {**values[name], "file": file, "shared": [stretch.model_dump() for stretch in found]}
        for (name, (file, _)), found in zip(graphs.items(), stretches, strict=True)
    }
    files = {file: stored for (file, _), stored in zip(graphs.values(), left, strict=True)}
    return {**fields, "shared_file": SHARED_FILE if shared else None}, files | ({SHARED_FILE: shared} if shared else {})


def in_stored_layout(model: onnx.ModelProto, known: Collection[bytes]) -> onnx.ModelProto:
    """The graph with the matrices that other graphs have, as `known`, transposed, turned by a node: a runtime does so
    once, when it loads the graph, and the bundle stores them once."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    turned = []
    for constant in changed.graph.initializer:
        if len(constant.dims) != 2 or len(constant.raw_data) < MIN_BYTES or constant.raw_data in known:
            continue
        value = np.ascontiguousarray(numpy_helper.to_array(constant).T)
        if value.tobytes() in known:
            name = f"{constant.name}_stored"
            turned.append(helper.make_node("Transpose", [name], [constant.name], perm=[1, 0]))
            constant.CopyFrom(numpy_helper.from_array(value, name))
    nodes = [*turned, *changed.graph.node]
    del changed.graph.node[:]
    changed.graph.node.extend(nodes)
    return changed


def _weights(graph: onnx.ModelProto) -> list[bytes]:
    return [t.raw_data for t in graph.graph.initializer if len(t.raw_data) >= MIN_BYTES]
