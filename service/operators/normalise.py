"""Layer normalisation. Ba et al. 2016 (arXiv:1607.06450), equation 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import bytes_at, float_rows_at, floats_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View, quantised
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, of_columns, require
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import Tensor, Value
from service.operators.quantise import Quantise, quantisation, to_uint8
from service.operators.tensors import TensorLike, as_tensor

OPERANDS = layout("target source gains biases columns is_quantised", "epsilon scale zero")


@compiled(may_reorder_sums=True)
def _mean_and_factor(row: np.ndarray, epsilon: np.float32) -> tuple[np.float32, np.float32]:
    """Mean of a row, and one over its standard deviation."""
    n = len(row)
    total = np.float32(0.0)
    for i in range(n):
        total += row[i]
    mean = total / np.float32(n)
    total = np.float32(0.0)
    for i in range(n):
        total += (row[i] - mean) * (row[i] - mean)
    return mean, np.float32(1.0) / np.sqrt(total / np.float32(n) + epsilon)


@kernel("Normalise", OPERANDS)
def normalise(at: int, batch_at: int) -> None:
    """`source` [rows, columns] normalised, times `gains`, plus `biases`; quantised to `target` if it says so."""
    o, num_rows = record_at(at, OPERANDS), row_batch_at(batch_at).num_rows
    n, epsilon, is_quantised = o.columns, o.epsilon, o.is_quantised
    gains, biases, source = floats_at(o.gains, n), floats_at(o.biases, n), float_rows_at(o.source, num_rows, n)
    per_unit, zero = np.float32(1.0) / o.scale, o.zero
    for r in range(num_rows):
        row = source[r]
        mean, factor = _mean_and_factor(row, epsilon)
        if is_quantised:
            levels = bytes_at(o.target + n * r, n)
            for i in range(n):
                levels[i] = to_uint8((row[i] - mean) * factor * gains[i] + biases[i], per_unit, zero)
        else:
            floats = floats_at(o.target + 4 * n * r, n)
            for i in range(n):
                floats[i] = (row[i] - mean) * factor * gains[i] + biases[i]


@dataclass(frozen=True, slots=True)
class Normalise(Step):
    """target = source normalised, times gains, plus biases; quantised if the target is."""

    target: Tensor
    source: Tensor
    gains: np.ndarray
    biases: np.ndarray
    epsilon: float

    @property
    def kernel(self) -> Kernel:
        return normalise

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "columns": self.source.columns, "epsilon": self.epsilon,
            **quantisation(self.target),
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        return {"gains": self.gains, "biases": self.biases}

    def reference(self, view: View) -> np.ndarray:
        x = view.rows("source").astype(np.float64)
        normal = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + self.epsilon)
        return quantised(normal * self.gains + self.biases, self.target)

    def absorb(self, reader: Step) -> Step | None:
        return replace(self, target=reader.target) if isinstance(reader, Quantise) else None


@lowers("LayerNormalization", TensorLike, np.ndarray, np.ndarray)
def _layer_normalization(lowering: Lowering, node: Node, source: Value, gains: Value, biases: Value) -> Value:
    axis = node.attributes.get("axis", -1)
    require(axis == -1, "axis -1", f"axis {axis}")
    rows = as_tensor(lowering, source)
    every = of_columns(gains, rows.columns), of_columns(biases, rows.columns)
    return lowering.add(Normalise(Tensor(rows.columns), rows, *every, float(node.attributes.get("epsilon", 1e-5))))
