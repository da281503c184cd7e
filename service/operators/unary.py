"""Operators of one operand, number by number: `service.kernels.functions` has a line for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from service.kernels.addresses import record_at
from service.kernels.functions import FUNCTIONS, every_number
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_operand
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import ColumnSlice, Tensor, Value, tensor_of
from service.operators.binary import whole_tensors
from service.operators.quantise import Quantise
from service.operators.tensors import TensorLike, as_tensor

OPERANDS = layout("target source source_stride columns function")

_function = every_number()
_NUMBERS = {name: number for number, name in enumerate(FUNCTIONS)}


@kernel("Unary", OPERANDS)
def unary(at: int, batch_at: int) -> None:
    """target [rows, columns] = a function of source, whose rows are `source_stride` bytes apart."""
    o = record_at(at, OPERANDS)
    for row in range(row_batch_at(batch_at).num_rows):
        _function((o.function, o.source + row * o.source_stride, o.target + 4 * row * o.columns, o.columns))


@dataclass(frozen=True, slots=True)
class Unary(Step):
    """target = a function of each number of source; `function` is ONNX's name."""

    target: Tensor
    function: str
    source: Tensor | ColumnSlice

    @property
    def kernel(self) -> Kernel:
        return unary

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "source_stride": tensor_of(self.source).row_bytes,
            "columns": self.target.columns, "function": _NUMBERS[self.function],
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        with np.errstate(over="ignore"):
            result: np.ndarray = FUNCTIONS[self.function][1](view.rows("source").astype(np.float64)).astype(np.float32)
        return result

    def is_never_negative(self) -> bool:
        return self.function == "Relu"

    def absorb(self, reader: Step) -> Step | None:
        """Quantising to a zero of 0 gives 0 of negative numbers by itself."""
        if self.function != "Relu" or not isinstance(reader, Quantise) or not isinstance(self.source, Tensor):
            return None
        return Quantise(reader.target, self.source) if reader.target.zero == 0 else None

    def writes_over(self) -> Sequence[Tensor]:
        return whole_tensors(self.source)


def _lower(lowering: Lowering, node: Node, value: Value) -> Value:
    source = float_operand(value if isinstance(value, ColumnSlice) else as_tensor(lowering, value))
    if node.operator == "Gelu" and node.attributes.get("approximate", b"none") not in (b"none", "none"):
        raise ValueError("expected Gelu by erf, found its approximation by tanh")
    return lowering.add(Unary(Tensor(source.columns), node.operator, source))


for _operator in FUNCTIONS:
    lowers(_operator, TensorLike | ColumnSlice)(_lower)
