"""e to the power of 16 floats."""

from __future__ import annotations

from llvmlite import binding, ir

from service.kernels.vectors import FLOATS, I16, I32, SUMS, Value, known, multiply_add, of_one

_LEAST = -87.0
"""Smaller exponents count as this one: e to it is the smallest normal number."""
_LOG2_E = 1.44269504088896341
_POLYNOMIAL = (1.5345811e-4, 1.33999312e-3, 9.61848896e-3, 5.55032878e-2, 0.240226469, 0.693147206, 1.0)
"""2^f for |f| <= 1/2, highest power first: least squares for the relative error, reweighted; 1e-7 in float32."""
_TO_NEAREST = 8
"""What LLVM takes for rounding to the nearest, and no exceptions."""


def processor_has_scale() -> bool:
    """Whether this processor has an instruction for x 2^n (AVX-512)."""
    return bool(binding.get_host_cpu_features().get("avx512f"))


def exponential(builder: ir.IRBuilder, x: Value, has_scale: bool) -> Value:
    """e^x = 2^n 2^f, n being x / ln 2 rounded."""
    fma = multiply_add(builder)
    round_ = known(builder, "llvm.rint.v16f32", FLOATS, FLOATS)
    x = builder.select(builder.fcmp_unordered(">", x, of_one(_LEAST)), x, of_one(_LEAST))
    n = builder.call(round_, [builder.fmul(x, of_one(_LOG2_E))])
    f = builder.call(fma, [x, of_one(_LOG2_E), builder.fneg(n)])
    power = of_one(_POLYNOMIAL[0])
    for coefficient in _POLYNOMIAL[1:]:
        power = builder.call(fma, [power, f, of_one(coefficient)])
    if has_scale:
        times_power = known(builder, "llvm.x86.avx512.mask.scalef.ps.512", FLOATS, FLOATS, FLOATS, FLOATS, I16, I32)
        return builder.call(times_power, [power, n, power, I16(-1), I32(_TO_NEAREST)])
    exponent = builder.add(builder.fptosi(n, SUMS), ir.Constant(SUMS, [127] * 16))
    return builder.fmul(power, builder.bitcast(builder.shl(exponent, ir.Constant(SUMS, [23] * 16)), FLOATS))
