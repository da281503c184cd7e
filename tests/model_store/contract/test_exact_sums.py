"""int8 weights as uint8: the same sums, exact, where ONNX Runtime would saturate."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from model_store.contract.exact_sums import saturates, with_unsigned_weights
from tests.bundles import published

DEPTH, COLUMNS = 48, 10


def run(model: bytes, feeds: Mapping[str, np.ndarray]) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    (output,) = session.run(None, dict(feeds))
    return np.asarray(output)


def product(operator: str, weights: np.ndarray, extra: int, is_transposed: bool) -> bytes:
    """levels, uint8 less 7, times `weights`; `extra` empty inputs behind the zero of the levels."""
    stored = weights.T.copy() if is_transposed else weights
    nodes = [helper.make_node("Transpose", ["stored"], ["weights"], perm=[1, 0])] if is_transposed else []
    constants = [
        numpy_helper.from_array(stored, "stored" if is_transposed else "weights"),
        numpy_helper.from_array(np.array(7, np.uint8), "zero"),
        numpy_helper.from_array(np.array(0.5, np.float32), "scale"),
        numpy_helper.from_array(np.full(COLUMNS, 0.25, np.float32), "scales"),
        numpy_helper.from_array(np.arange(COLUMNS, dtype=np.float32), "biases"),
    ]
    if operator == "MatMulInteger":
        nodes.append(helper.make_node(operator, ["levels", "weights", "zero"], ["sums"]))
        kind = TensorProto.INT32
    else:
        inputs = ["levels", "weights", "scale", "scales", "zero", *([""] * min(extra, 1)), *(["biases"] * (extra > 1))]
        nodes.append(helper.make_node(operator, inputs, ["sums"], domain="com.microsoft"))
        kind = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes, "product", [helper.make_tensor_value_info("levels", TensorProto.UINT8, [None, DEPTH])],
        [helper.make_tensor_value_info("sums", kind, None)], constants,
    )  # fmt: skip
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=versions, ir_version=9).SerializeToString()


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize(
    ("operator", "extra"), [("MatMulInteger", 0), ("MatMulIntegerToFloat", 0), ("MatMulIntegerToFloat", 2)]
)
def test_unsigned_weights_give_exact_sums(operator: str, extra: int, is_transposed: bool) -> None:
    random = np.random.default_rng(1)
    weights = random.integers(-128, 128, (DEPTH, COLUMNS)).astype(np.int8)
    weights[:, 0], weights[:, 1] = 127, -128
    levels = random.integers(0, 256, (9, DEPTH)).astype(np.uint8)
    levels[0] = 255
    expected = (levels.astype(np.int64) - 7) @ weights.astype(np.int64)
    model = product(operator, weights, extra, is_transposed)
    found = run(with_unsigned_weights(model), {"levels": levels})
    if operator == "MatMulInteger":
        np.testing.assert_array_equal(found, expected)
    else:
        biases = np.arange(COLUMNS) if extra else 0
        np.testing.assert_allclose(found, expected * 0.125 + biases, rtol=1e-6)


def test_what_saturates_is_seen() -> None:
    def saturating(model: bytes, feeds: Mapping[str, np.ndarray]) -> np.ndarray:
        return np.full((8, 16), 64 // 2 * np.iinfo(np.int16).max, np.int32)

    assert saturates(saturating)
    assert not saturates(lambda model, feeds: run(with_unsigned_weights(model), feeds))


def test_a_graph_without_such_products_stays_as_it_is() -> None:
    graph = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["y"])], "negative",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None])],
    )  # fmt: skip
    model = helper.make_model(graph).SerializeToString()
    assert with_unsigned_weights(model) is model


def test_products_in_the_body_of_a_loop_are_found() -> None:
    model = published("en-fr-bahdanau").teacher_forced
    changed = onnx.load_model_from_string(with_unsigned_weights(model))

    def products(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
        inner = [a.g for node in graph.node for a in node.attribute if a.HasField("g")]
        own = [node for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
        return own + [node for body in inner for node in products(body)]

    found = products(changed.graph)
    assert len(found) > len([n for n in changed.graph.node if n.op_type == "MatMulIntegerToFloat"])
    assert all(node.input[5] == "unsigned_zero" for node in found)
