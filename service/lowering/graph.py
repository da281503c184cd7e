"""An ONNX graph as plain data: nodes in order, constants as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

STANDARD_DOMAINS = ("", "ai.onnx")


class UnsupportedGraphError(Exception):
    """A graph has something that there is no instruction for; ONNX Runtime runs it."""


@dataclass(frozen=True, slots=True)
class Node:
    """One operator of a graph."""

    operator: str
    """Its name, behind that of its domain when it is not one of ONNX itself: `com.microsoft.QAttention`."""
    inputs: tuple[str, ...]
    """Names of values; empty for an optional one that is left out."""
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OnnxGraph:
    """What a model computes."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, np.ndarray]
    outputs: tuple[str, ...]


def read_graph(model: bytes) -> OnnxGraph:
    """The graph of an ONNX model, whose weights lie in `model` itself."""
    graph = onnx.load_from_string(model).graph
    nodes = tuple(
        Node(
            f"{node.domain}.{node.op_type}" if node.domain not in STANDARD_DOMAINS else node.op_type,
            tuple(node.input),
            tuple(node.output),
            {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute},
        )
        for node in graph.node
    )
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    return OnnxGraph(nodes, constants, tuple(value.name for value in graph.output))
