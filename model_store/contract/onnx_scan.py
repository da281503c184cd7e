"""Reads what a bundle promises about a serialised ONNX model, without the onnx package: the names of its inputs and
outputs, and that it refers to no other file.

ONNX lets a tensor keep its data in a file beside the model (TensorProto.data_location = EXTERNAL). ONNX Runtime would
follow that reference on its own, past our digests, even when it is given bytes. A bundle must not contain any.
"""

from __future__ import annotations

from collections.abc import Iterator

from model_store.contract.protobuf import fields

# Message fields that can lead to a tensor, by field number (onnx.proto): what they hold.
_CHILDREN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse_tensor"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse_tensor", 23: "sparse_tensor"},
    "sparse_tensor": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_EXTERNAL_DATA, _DATA_LOCATION = 13, 14
_MODEL_GRAPH, _GRAPH_INPUT, _GRAPH_OUTPUT, _TENSOR_NAME = 7, 11, 12, 1
_MAX_DEPTH = 64


def has_external_data(model: bytes) -> bool:
    """Whether any tensor of the ONNX model refers to another file. Bytes that are no protobuf count as if one did."""
    try:
        return _refers_outside(memoryview(model), "model", 0)
    except (IndexError, ValueError):
        return True


def graph_tensors(model: bytes) -> tuple[set[str], set[str]]:
    """Names of the inputs and of the outputs of the ONNX model's graph. Raises ValueError for what is no such model."""
    names: dict[int, set[str]] = {_GRAPH_INPUT: set(), _GRAPH_OUTPUT: set()}
    try:
        for graph in _messages(memoryview(model), _MODEL_GRAPH):
            for number, found in names.items():
                for tensor in _messages(graph, number):
                    found |= {bytes(name).decode() for name in _messages(tensor, _TENSOR_NAME)}
    except IndexError as error:
        raise ValueError("the model ends in the middle of a field") from error
    return names[_GRAPH_INPUT], names[_GRAPH_OUTPUT]


def _messages(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """The messages or strings in the fields numbered `wanted`."""
    for number, value in fields(message):
        if number == wanted and isinstance(value, memoryview):
            yield value


def _refers_outside(message: memoryview, kind: str, depth: int) -> bool:
    if depth > _MAX_DEPTH:
        raise ValueError("messages nested too deep")
    children = _CHILDREN[kind]
    for number, value in fields(message):
        if kind == "tensor" and (number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value != 0)):
            return True
        if number in children and isinstance(value, memoryview) and _refers_outside(value, children[number], depth + 1):
            return True
    return False
