"""Rewrites of a graph compute what the graph computed."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from model_store.export.optimise import split_products
from model_store.export.products import find_products
from model_store.export.quantise import Range, quantise
from model_store.export.stepper import open_session

RANDOM = np.random.default_rng(0)
OPSET = 24


def graph_of(nodes: list[onnx.NodeProto], inputs: dict[str, list[int]], outputs: list[str]) -> onnx.ModelProto:
    """A graph over float32 inputs with the constants W [8, 12], b [12], c [] and table E [40, 8]."""
    shapes = {"W": (8, 12), "b": (12,), "c": (), "E": (40, 8)}
    used = {name for node in nodes for name in node.input}
    constants = [
        numpy_helper.from_array(np.asarray(RANDOM.standard_normal(shape), dtype=np.float32), name)
        for name, shape in shapes.items()
        if name in used
    ]
    kind = {"ids": onnx.TensorProto.INT64}
    return helper.make_model(
        helper.make_graph(
            nodes,
            "g",
            [helper.make_tensor_value_info(n, kind.get(n, onnx.TensorProto.FLOAT), s) for n, s in inputs.items()],
            [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, None) for n in outputs],
            constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=10,
    )


def product_and_split(bias: bool, axis: int = 2) -> onnx.ModelProto:
    product = [helper.make_node("MatMul", ["x", "W"], ["p" if bias else "y"])]
    add = [helper.make_node("Add", ["p", "b"], ["y"])] if bias else []
    split = helper.make_node("Split", ["y"], ["q", "k", "v"], axis=axis, num_outputs=3)
    return graph_of([*product, *add, split], {"x": [2, 3, 8]}, ["q", "k", "v"])


def run(model: onnx.ModelProto, **feeds: np.ndarray) -> list[np.ndarray]:
    outputs: list[np.ndarray] = open_session(model.SerializeToString()).run(None, feeds)
    return outputs


def operators(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in model.graph.node]


@pytest.mark.parametrize("bias", [True, False])
def test_a_product_that_is_split_becomes_one_product_for_each_part(bias: bool) -> None:
    model = product_and_split(bias)
    rewritten = split_products(model)
    assert "Split" not in operators(rewritten)
    assert operators(rewritten).count("MatMul") == 3
    x = RANDOM.standard_normal((2, 3, 8)).astype(np.float32)
    for before, after in zip(run(model, x=x), run(rewritten, x=x), strict=True):
        np.testing.assert_allclose(after, before, atol=1e-6)


def test_a_split_of_rows_stays() -> None:
    model = product_and_split(bias=True, axis=1)
    assert operators(split_products(model)) == operators(model)


def test_a_product_that_is_also_wanted_whole_stays() -> None:
    model = product_and_split(bias=True)
    model.graph.output.append(helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None))
    assert operators(split_products(model)) == operators(model)


def test_a_product_times_a_number_is_one_int8_product() -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "W"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["s"]),
        helper.make_node("Mul", ["s", "c"], ["y"]),
    ]
    model = graph_of(nodes, {"x": [5, 8]}, ["y"])
    assert [(p.bias, p.factor, p.output) for p in find_products(model)] == [("b", "c", "y")]
    x = RANDOM.uniform(-1, 1, (5, 8)).astype(np.float32)
    quantised = quantise(model, {"x": Range(-1.0, 1.0)})
    assert operators(quantised).count("MatMulIntegerToFloat") == 1
    (before,), (after,) = run(model, x=x), run(quantised, x=x)
    np.testing.assert_allclose(after, before, atol=0.1)


def test_a_look_up_times_a_number_scales_the_int8_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model_store.export.quantise.MIN_TABLE_ROWS", 32)
    nodes = [helper.make_node("Gather", ["E", "ids"], ["e"]), helper.make_node("Mul", ["e", "c"], ["y"])]
    model = graph_of(nodes, {"ids": [4]}, ["y"])
    ids = np.array([0, 39, 7, 7])
    (before,), (after,) = run(model, ids=ids), run(quantise(model, {}), ids=ids)
    np.testing.assert_allclose(after, before, atol=np.abs(before).max() / 100)
