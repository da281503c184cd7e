"""e to the power of a vector of floats."""

from __future__ import annotations

from llvmlite import ir

from service.kernels.llvm import FLOATS, I16, I32, INT32S, Value, constant, llvm_function, multiply_add
from service.kernels.target import LANES, TARGET

_LEAST, _MOST = -87.0, 89.0
"""Exponents beyond these count as these: e to them is the smallest normal number, and infinity."""
_LOG2_E = 1.44269504088896341
_POLYNOMIAL = (1.5345811e-4, 1.33999312e-3, 9.61848896e-3, 5.55032878e-2, 0.240226469, 0.693147206, 1.0)
"""2^f for |f| <= 1/2, highest power first: least squares for the relative error, reweighted; 1e-7 in float32."""
_EXPONENT_BIAS, _MANTISSA_BITS = 127, 23
_TO_NEAREST = 8
"""What LLVM takes for rounding to the nearest, and no exceptions."""


def exponential(builder: ir.IRBuilder, x: Value) -> Value:
    """e^x = 2^n 2^f, n being x / ln 2 rounded."""
    fma = multiply_add(builder)
    round_ = llvm_function(builder, f"llvm.rint.v{LANES}f32", FLOATS, FLOATS)
    x = builder.select(builder.fcmp_unordered(">", x, constant(_LEAST)), x, constant(_LEAST))
    if TARGET.scale_by_power is None:
        x = builder.select(builder.fcmp_unordered("<", x, constant(_MOST)), x, constant(_MOST))
    n = builder.call(round_, [builder.fmul(x, constant(_LOG2_E))])
    f = builder.call(fma, [x, constant(_LOG2_E), builder.fneg(n)])
    power = constant(_POLYNOMIAL[0])
    for coefficient in _POLYNOMIAL[1:]:
        power = builder.call(fma, [power, f, constant(coefficient)])
    if TARGET.scale_by_power is not None:
        times_power = llvm_function(builder, TARGET.scale_by_power, FLOATS, FLOATS, FLOATS, FLOATS, I16, I32)
        return builder.call(times_power, [power, n, power, I16(-1), I32(_TO_NEAREST)])
    whole = builder.fptosi(n, INT32S)
    half = builder.ashr(whole, ir.Constant(INT32S, [1] * LANES))
    power = builder.fmul(power, _power_of_two(builder, half))  # in two steps: 2^128 is no float32, 2^127.5 is
    return builder.fmul(power, _power_of_two(builder, builder.sub(whole, half)))


def _power_of_two(builder: ir.IRBuilder, exponents: Value) -> Value:
    """2^n of integers from -126 to 127."""
    biased = builder.add(exponents, ir.Constant(INT32S, [_EXPONENT_BIAS] * LANES))
    return builder.bitcast(builder.shl(biased, ir.Constant(INT32S, [_MANTISSA_BITS] * LANES)), FLOATS)
