"""Functions of one number: LLVM code of a vector of floats, and the reference. FUNCTIONS has a line for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.llvm import (
    FLOATS,
    I64,
    Value,
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
from service.kernels.target import LANES

Code = Callable[[ir.IRBuilder, Value], Value]


def tanh(builder: ir.IRBuilder, x: Value) -> Value:
    """1 - 2 / (e^2x + 1): within 2e-7."""
    power = exponential(builder, builder.fadd(x, x))
    return builder.fsub(constant(1.0), builder.fdiv(constant(2.0), builder.fadd(power, constant(1.0))))


def _sigmoid(builder: ir.IRBuilder, x: Value) -> Value:
    """1 / (1 + e^-x)."""
    power = exponential(builder, builder.fneg(x))
    return builder.fdiv(constant(1.0), builder.fadd(constant(1.0), power))


def _relu(builder: ir.IRBuilder, x: Value) -> Value:
    """max(0, x), and NaN of NaN."""
    return builder.select(builder.fcmp_unordered(">", x, constant(0.0)), x, constant(0.0))


_ERF_P = 0.3275911
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _erf(builder: ir.IRBuilder, x: Value) -> Value:
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


def _gelu(builder: ir.IRBuilder, x: Value) -> Value:
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


def every_number() -> Callable[..., None]:
    """A function for compiled code: a function of every number, with the number of its line in FUNCTIONS as variant.

    It takes the variant, then the addresses of the numbers and of the results, float32, and how many there are, at
    least 1.
    """
    return llvm_variants(3, [_of_every_number(code) for code, _ in FUNCTIONS.values()])


def _of_every_number(code: Code) -> Write:
    """Of addresses of numbers and of results, and how many: `code` of each."""

    def write(builder: ir.IRBuilder, source: Value, target: Value, count: Value) -> None:
        vectors = builder.udiv(builder.add(count, I64(LANES - 1)), I64(LANES))
        loop, _ = begin_loop(builder, vectors, [])
        mask = lanes_below(builder, builder.sub(count, builder.mul(loop.number, I64(LANES))))
        found = code(builder, load_masked(builder, FLOATS, address_of_turn(builder, source, loop), mask))
        store_masked(builder, found, address_of_turn(builder, target, loop), mask)
        end_loop(builder, loop, [], [])

    return write
