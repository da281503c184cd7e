"""Products of int8 weights that ONNX Runtime sums exactly on every processor.

On x86 processors without VNNI, ONNX Runtime multiplies uint8 by int8 with `vpmaddubsw`, whose sums of two products
saturate at 16 bits: a model's logits are wrong by some hundredths there. Products of uint8 by uint8 are summed exactly.
So int8 weights become uint8 with a zero point of 128 before such a processor gets them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Run = Callable[[bytes, Mapping[str, np.ndarray]], np.ndarray]
"""Gives the only output of a model of those inputs."""

_PRODUCTS = {"MatMulIntegerToFloat": 5, "MatMulInteger": 3}
"""Operators with int8 weights as second input, and which of their inputs is the weights' zero point."""
_ZERO = 128
_DEPTH, _COLUMNS = 64, 16


def saturates(run: Run) -> bool:
    """Whether sums of products of uint8 by int8 come out wrong here; `run` is to be ONNX Runtime."""
    weights = np.full((_DEPTH, _COLUMNS), 127, np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["levels", "weights"], ["sums"])],
        "probe",
        [helper.make_tensor_value_info("levels", TensorProto.UINT8, [None, _DEPTH])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, None)],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    sums = run(model.SerializeToString(), {"levels": np.full((8, _DEPTH), 255, np.uint8)})
    return bool((sums != 255 * 127 * _DEPTH).any())


def with_unsigned_weights(model: bytes) -> bytes:
    """The same model, its int8 weights as uint8 with a zero point: same sums, all of them exact."""
    found = onnx.load_model_from_string(model)
    if not _rewrite(found.graph):
        return model
    zero = numpy_helper.from_array(np.array(_ZERO, np.uint8), "unsigned_zero")
    shift = numpy_helper.from_array(np.array(_ZERO, np.int32), "unsigned_shift")
    found.graph.initializer.extend([zero, shift])
    changed: bytes = found.SerializeToString()
    return changed


def _rewrite(graph: onnx.GraphProto) -> bool:
    """Give products, those of loops' bodies too, weights that nodes before them shift; ONNX Runtime folds these nodes.

    Whether there are any products with int8 weights that have no zero point.
    """
    nodes, shifted = [], set()
    is_any = False
    for node in graph.node:
        for attribute in node.attribute:
            is_any |= attribute.HasField("g") and _rewrite(attribute.g)
        place = _PRODUCTS.get(node.op_type)
        if place is not None and not any(node.input[place : place + 1]):
            weights, name = node.input[1], f"{node.input[1]}_unsigned"
            if weights not in shifted:
                nodes += _shifting(weights, name)
                shifted.add(weights)
            inputs = [*node.input, *[""] * (place + 1 - len(node.input))]
            inputs[1], inputs[place] = name, "unsigned_zero"
            del node.input[:]
            node.input.extend(inputs)
            is_any = True
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    return is_any


def _shifting(weights: str, name: str) -> list[onnx.NodeProto]:
    return [
        helper.make_node("Cast", [weights], [f"{name}_int32"], to=TensorProto.INT32),
        helper.make_node("Add", [f"{name}_int32", "unsigned_shift"], [f"{name}_sum"]),
        helper.make_node("Cast", [f"{name}_sum"], [name], to=TensorProto.UINT8),
    ]
