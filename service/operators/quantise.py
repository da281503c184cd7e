"""ONNX `QuantizeLinear` to uint8, by one scale and zero for all columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import bytes_at, floats_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View, quantised
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, require, scalar
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import Embedding, GraphInput, Lookup, Tensor, Value
from service.operators.tensors import as_tensor

OPERANDS = layout("target source columns", "scale zero")


@compiled()
def to_uint8(x: np.float32, per_unit: np.float32, zero: np.float32) -> np.uint8:
    """ONNX `QuantizeLinear` of one number, `per_unit` being 1 / scale: rounded half to even, kept within 0 and 255."""
    level = np.rint(x * per_unit) + zero
    level = level if level > np.float32(0.0) else np.float32(0.0)
    return np.uint8(np.int32(level if level < np.float32(255.0) else np.float32(255.0)))


@kernel("Quantise", OPERANDS)
def quantise(at: int, batch_at: int) -> None:
    """`source` [rows, columns] quantised to `target`."""
    o = record_at(at, OPERANDS)
    count = row_batch_at(batch_at).num_rows * o.columns
    source, target = floats_at(o.source, count), bytes_at(o.target, count)
    per_unit, zero = np.float32(1.0) / o.scale, o.zero
    for i in range(count):
        target[i] = to_uint8(source[i], per_unit, zero)


def quantisation(target: Tensor) -> dict[str, Operand]:
    """Operands of what may quantise its target."""
    return {"scale": target.scale, "zero": target.zero, "is_quantised": int(target.dtype is np.uint8)}


@dataclass(frozen=True, slots=True)
class Quantise(Step):
    """target = source, quantised."""

    target: Tensor
    source: Tensor

    @property
    def kernel(self) -> Kernel:
        return quantise

    def operands(self) -> Mapping[str, Operand]:
        target = self.target
        return {
            "target": target, "source": self.source, "columns": target.columns, "scale": target.scale,
            "zero": target.zero,
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        return quantised(view.rows("source"), self.target)


@lowers("QuantizeLinear", Tensor | GraphInput | Lookup | Embedding, np.ndarray, np.ndarray)
def _quantize_linear(lowering: Lowering, node: Node, source: Value, scale: np.ndarray, zero: np.ndarray) -> Value:
    require(zero.dtype == np.uint8, "a zero of uint8", f"one of {zero.dtype}")
    rows = as_tensor(lowering, source)
    return lowering.add(Quantise(Tensor(rows.columns, np.uint8, scalar(scale), int(scalar(zero))), rows))
