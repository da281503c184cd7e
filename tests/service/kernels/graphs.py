"""Small ONNX graphs, as an exporter writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN = 32
VOCABULARY = 20
NUM_POSITIONS = 12


@dataclass
class GraphWriter:
    """Nodes and constants of a graph whose inputs are `token_ids` and `position`."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def constant(self, value: np.ndarray | float | int, dtype: type[np.generic] | None = None) -> str:
        """Name of a new constant."""
        name = f"constant_{len(self.constants)}"
        self.constants[name] = np.array(value, dtype)
        return name

    def node(self, kind: str, *inputs: str, num_outputs: int = 1, **attributes: Any) -> str:
        """Name of a new node's first output; the others are that and `_1`, `_2`, ..."""
        name = f"value_{len(self.nodes)}"
        outputs = [name, *(f"{name}_{i}" for i in range(1, num_outputs))]
        if kind == "Split":
            attributes["num_outputs"] = num_outputs
        ours = kind in ("MatMulIntegerToFloat", "GroupQueryAttention")
        self.nodes.append(
            helper.make_node(kind, list(inputs), outputs, domain="com.microsoft" if ours else "", **attributes)
        )
        return name

    def embedded(self, columns: int = HIDDEN) -> str:
        """Of each row the embedding of its token and its position."""
        table = self.constant(self.random.integers(-127, 128, (VOCABULARY, columns)), np.int8)
        scales = self.constant(self.random.uniform(0.005, 0.02, (VOCABULARY, 1)), np.float32)
        places = self.constant(self.random.normal(size=(NUM_POSITIONS, columns)), np.float32)
        rows = self.node("Cast", self.node("Gather", table, "token_ids"), to=TensorProto.FLOAT)
        words = self.node("Mul", rows, self.node("Gather", scales, "token_ids"))
        return self.node("Add", words, self.node("Gather", places, "position"))

    def normalised(self, source: str, columns: int = HIDDEN, **attributes: Any) -> str:
        """Layer normalisation."""
        gains = self.constant(self.random.normal(1.0, 0.1, columns), np.float32)
        biases = self.constant(self.random.normal(0.0, 0.1, columns), np.float32)
        return self.node("LayerNormalization", source, gains, biases, **{"axis": -1, "epsilon": 1e-5, **attributes})

    def quantised(self, source: str, scale: float = 0.03, zero: int = 128, dtype: type[np.generic] = np.uint8) -> str:
        """`QuantizeLinear`."""
        return self.node("QuantizeLinear", source, self.constant(scale, np.float32), self.constant(zero, dtype))

    def product(
        self, source: str, depth: int = HIDDEN, columns: int = HIDDEN, scale: float = 0.03, zero: int = 128,
        dtype: type[np.generic] = np.int8, others: Sequence[str] = (),
    ) -> str:  # fmt: skip
        """Of a uint8 source and int8 weights; `others` stand in for the weights' zeros and the biases."""
        least = -127 if dtype is np.int8 else 0
        weights = self.constant(self.random.integers(least, 128, (depth, columns)), dtype)
        scales = self.constant(self.random.uniform(0.001, 0.003, columns), np.float32)
        biases = self.constant(self.random.normal(size=columns), np.float32)
        zeros = self.constant(zero, np.uint8)
        return self.node(
            "MatMulIntegerToFloat", source, weights, self.constant(scale, np.float32), scales, zeros,
            *(others or ("", biases)),
        )  # fmt: skip

    def model(self, outputs: Sequence[str], states: Mapping[str, Sequence[int | str]] | None = None) -> bytes:
        """The model with these outputs, and with `states`, float32 of these axes, as inputs, and then the mask."""
        ids = [helper.make_tensor_value_info(name, TensorProto.INT64, ["R"]) for name in ("token_ids", "position")]
        if states:
            ids += [helper.make_tensor_value_info(name, TensorProto.FLOAT, axes) for name, axes in states.items()]
            ids.append(helper.make_tensor_value_info("mask", TensorProto.BOOL, ["B", "S"]))
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        weights = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "small", ids, values, weights)
        opsets = [helper.make_opsetid("", 22), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        serialised: bytes = model.SerializeToString()
        return serialised
