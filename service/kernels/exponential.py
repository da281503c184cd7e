"""e to the power of a vector of floats."""

from __future__ import annotations

from llvmlite import binding, ir

from service.kernels.llvm import FLOATS, I16, I32, INT32S, Value, constant, llvm_function, multiply_add
from service.kernels.target import LANES, TARGET

_LEAST = -87.0
"""Smaller exponents count as this one: e to it is the smallest normal number."""
_LOG2_E = 1.44269504088896341
_POLYNOMIAL = (1.5345811e-4, 1.33999312e-3, 9.61848896e-3, 5.55032878e-2, 0.240226469, 0.693147206, 1.0)
"""2^f for |f| <= 1/2, highest power first: least squares for the relative error, reweighted; 1e-7 in float32."""
_EXPONENT_BIAS, _MANTISSA_BITS = 127, 23
_TO_NEAREST = 8
"""What LLVM takes for rounding to the nearest, and no exceptions."""


def processor_has_scale() -> bool:
    """Whether this processor has an instruction for x 2^n (AVX-512)."""
    return bool(binding.get_host_cpu_features().get("avx512f"))


def exponential(builder: ir.IRBuilder, x: Value, has_scale: bool = True) -> Value:
    """e^x = 2^n 2^f, n being x / ln 2 rounded; `has_scale` says whether there is an instruction for x 2^n."""
    fma = multiply_add(builder)
    round_ = llvm_function(builder, f"llvm.rint.v{LANES}f32", FLOATS, FLOATS)
    x = builder.select(builder.fcmp_unordered(">", x, constant(_LEAST)), x, constant(_LEAST))
    n = builder.call(round_, [builder.fmul(x, constant(_LOG2_E))])
    f = builder.call(fma, [x, constant(_LOG2_E), builder.fneg(n)])
    power = constant(_POLYNOMIAL[0])
    for coefficient in _POLYNOMIAL[1:]:
        power = builder.call(fma, [power, f, constant(coefficient)])
    if has_scale:
        times_power = llvm_function(builder, TARGET.scale_by_power, FLOATS, FLOATS, FLOATS, FLOATS, I16, I32)
        return builder.call(times_power, [power, n, power, I16(-1), I32(_TO_NEAREST)])
    exponent = builder.add(builder.fptosi(n, INT32S), ir.Constant(INT32S, [_EXPONENT_BIAS] * LANES))
    shifted = builder.shl(exponent, ir.Constant(INT32S, [_MANTISSA_BITS] * LANES))
    return builder.fmul(power, builder.bitcast(shifted, FLOATS))
