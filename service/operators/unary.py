"""Functions of one operand, number by number. `FUNCTIONS` has a line for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from service.kernels.addresses import record_at
from service.kernels.exponential import exponential
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.llvm import (
    FLOATS,
    I64,
    Write,
    address_of_turn,
    begin_loop,
    constant,
    end_loop,
    lanes_below,
    llvm_function,
    llvm_variants,
    load_masked,
    multiply_add,
    store_masked,
)
from service.kernels.llvm import (
    Value as LlvmValue,
)
from service.kernels.row_batch import row_batch_at
from service.kernels.target import LANES
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_operand
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import Columns, Rows, Value, rows_of
from service.operators.binary import whole_rows
from service.operators.quantise import Quantise
from service.operators.rows import RowsLike, as_rows

OPERANDS = layout("target source source_stride columns function")
Code = Callable[[ir.IRBuilder, LlvmValue], LlvmValue]


def tanh(builder: ir.IRBuilder, x: LlvmValue) -> LlvmValue:
    """1 - 2 / (e^2x + 1): within 2e-7."""
    power = exponential(builder, builder.fadd(x, x))
    return builder.fsub(constant(1.0), builder.fdiv(constant(2.0), builder.fadd(power, constant(1.0))))


def _sigmoid(builder: ir.IRBuilder, x: LlvmValue) -> LlvmValue:
    """1 / (1 + e^-x)."""
    power = exponential(builder, builder.fneg(x))
    return builder.fdiv(constant(1.0), builder.fadd(constant(1.0), power))


def _relu(builder: ir.IRBuilder, x: LlvmValue) -> LlvmValue:
    """max(0, x), and NaN of NaN."""
    return builder.select(builder.fcmp_unordered(">", x, constant(0.0)), x, constant(0.0))


_ERF_P = 0.3275911
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _erf(builder: ir.IRBuilder, x: LlvmValue) -> LlvmValue:
    """1 - t (a1 + ... + a5 t^4) e^(-x^2) with t = 1 / (1 + p |x|), and the sign of x: within 5e-7.

    Abramowitz and Stegun 1964, 7.1.26.
    """
    fma = multiply_add(builder)
    absolute = llvm_function(builder, f"llvm.fabs.v{LANES}f32", FLOATS, FLOATS)
    copysign = llvm_function(builder, f"llvm.copysign.v{LANES}f32", FLOATS, FLOATS, FLOATS)
    size = builder.call(absolute, [x])
    t = builder.fdiv(constant(1.0), builder.call(fma, [size, constant(_ERF_P), constant(1.0)]))
    polynomial = constant(_ERF[0])
    for coefficient in _ERF[1:]:
        polynomial = builder.call(fma, [polynomial, t, constant(coefficient)])
    tail = builder.fmul(builder.fmul(polynomial, t), exponential(builder, builder.fneg(builder.fmul(x, x))))
    return builder.call(copysign, [builder.fsub(constant(1.0), tail), x])


def _gelu(builder: ir.IRBuilder, x: LlvmValue) -> LlvmValue:
    """x (1 + erf(x / sqrt 2)) / 2. Hendrycks and Gimpel 2016 (arXiv:1606.08415)."""
    half = builder.fmul(x, constant(0.5))
    return builder.call(multiply_add(builder), [half, _erf(builder, builder.fmul(x, constant(math.sqrt(0.5)))), half])


def _erf_of(x: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.vectorize(math.erf, otypes=[np.float64])(x)
    return found


FUNCTIONS: Mapping[str, tuple[Code, Callable[[np.ndarray], np.ndarray]]] = {
    "Tanh": (tanh, np.tanh),
    "Sigmoid": (_sigmoid, lambda x: 1.0 / (1.0 + np.exp(-x))),
    "Relu": (_relu, lambda x: np.maximum(x, 0.0)),
    "Erf": (_erf, _erf_of),
    "Gelu": (_gelu, lambda x: 0.5 * x * (1.0 + _erf_of(x * math.sqrt(0.5)))),
}
"""By ONNX operator: LLVM code of a vector of floats, and the reference."""
_NUMBERS = {name: number for number, name in enumerate(FUNCTIONS)}


def _of_every_number(code: Code) -> Write:
    """Of addresses of numbers and of results, and how many: `code` of each."""

    def write(builder: ir.IRBuilder, source: LlvmValue, target: LlvmValue, count: LlvmValue) -> None:
        vectors = builder.udiv(builder.add(count, I64(LANES - 1)), I64(LANES))
        loop, _ = begin_loop(builder, vectors, [])
        mask = lanes_below(builder, builder.sub(count, builder.mul(loop.number, I64(LANES))))
        found = code(builder, load_masked(builder, FLOATS, address_of_turn(builder, source, loop), mask))
        store_masked(builder, found, address_of_turn(builder, target, loop), mask)
        end_loop(builder, loop, [], [])

    return write


_function = llvm_variants(3, [_of_every_number(code) for code, _ in FUNCTIONS.values()])


@kernel("Unary", OPERANDS)
def unary(at: int, batch_at: int) -> None:
    """target [rows, columns] = a function of source, whose rows are `source_stride` bytes apart."""
    o = record_at(at, OPERANDS)
    for row in range(row_batch_at(batch_at).num_rows):
        _function((o.function, o.source + row * o.source_stride, o.target + 4 * row * o.columns, o.columns))


@dataclass(frozen=True, slots=True)
class Unary(Step):
    """target = a function of each number of source; `function` is ONNX's name."""

    target: Rows
    function: str
    source: Rows | Columns

    @property
    def kernel(self) -> Kernel:
        return unary

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "source_stride": rows_of(self.source).row_bytes,
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
        if self.function != "Relu" or not isinstance(reader, Quantise) or not isinstance(self.source, Rows):
            return None
        return Quantise(reader.target, self.source) if reader.target.zero == 0 else None

    def writes_over(self) -> Sequence[Rows]:
        return whole_rows(self.source)


def _lower(lowering: Lowering, node: Node, value: Value) -> Value:
    source = float_operand(value if isinstance(value, Columns) else as_rows(lowering, value))
    if node.operator == "Gelu" and node.attributes.get("approximate", b"none") not in (b"none", "none"):
        raise ValueError("expected Gelu by erf, found its approximation by tanh")
    return lowering.add(Unary(Rows(source.columns), node.operator, source))


for _operator in FUNCTIONS:
    lowers(_operator, RowsLike | Columns)(_lower)
