"""Functions that bend numbers into a range, tanh and the logistic function, and what additive attention makes of them,
written for the processor."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.exponential import exponential
from service.kernels.steps import Function
from service.kernels.vectors import (
    FLOAT,
    FLOAT_BYTES,
    FLOATS,
    I64,
    VECTOR_BYTES,
    Loop,
    Value,
    begin_loop,
    end_loop,
    everywhere,
    known,
    load,
    multiply_add,
    of_one,
    store,
    written,
)  # fmt: skip


def _tanh(builder: ir.IRBuilder, x: Value) -> Value:
    """1 - 2 / (e^2x + 1): within 2e-7."""
    power = exponential(builder, builder.fadd(x, x), has_scale=True)
    return builder.fsub(of_one(1.0), builder.fdiv(of_one(2.0), builder.fadd(power, of_one(1.0))))


def _sigmoid(builder: ir.IRBuilder, x: Value) -> Value:
    """1 / (1 + e^-x)."""
    power = exponential(builder, builder.fneg(x), has_scale=True)
    return builder.fdiv(of_one(1.0), builder.fadd(of_one(1.0), power))


_CODE: dict[Function, Callable[[ir.IRBuilder, Value], Value]] = {"Tanh": _tanh, "Sigmoid": _sigmoid}


def bending(function: Function) -> Callable[..., None]:
    """A function for compiled code: `function` of every number.

    It takes the addresses of the numbers and of the results, float32, and how many vectors of 16 there are, at least 1.
    """

    def write(builder: ir.IRBuilder, source: Value, target: Value, count: Value) -> None:
        loop, _ = begin_loop(builder, count, [])
        here = builder.mul(loop.number, I64(VECTOR_BYTES))
        bent = _CODE[function](builder, load(builder, FLOATS, builder.add(source, here), 0))
        store(builder, bent, builder.add(target, here), 0)
        end_loop(builder, loop, [], [])

    return written(3, write)


def pair_energies(*, are_quantised: bool) -> Callable[..., None]:
    """A function for compiled code: weights . tanh(query + key) of every key. Bahdanau et al. 2015 (arXiv:1409.0473),
    appendix A.1.2.

    It takes addresses and sizes: of the query, float32; of the keys, float32, one behind the other; how many keys, at
    least 1; vectors of 16 that query, key and weights have; of the weights, float32; of three numbers, float32; of the
    result, float32 [keys].

    When `are_quantised`, tanh is made an integer as ONNX `QuantizeLinear` does, the numbers being one over the scale,
    the zero, and what the sum of integers, exact up to 2^24, is multiplied by; else they are not used.
    """

    def write(
        builder: ir.IRBuilder, query: Value, keys: Value, count: Value, num_vectors: Value, weights: Value,
        numbers: Value, target: Value,
    ) -> None:  # fmt: skip
        fma = multiply_add(builder)
        total = known(builder, "llvm.vector.reduce.fadd.v16f32", FLOAT, FLOAT, FLOATS)
        per_unit, zero, factor = (_float(builder, builder.add(numbers, I64(FLOAT_BYTES * i))) for i in range(3))
        entry_bytes = builder.mul(num_vectors, I64(VECTOR_BYTES))
        entries, _ = begin_loop(builder, count, [])
        key = builder.add(keys, builder.mul(entries.number, entry_bytes))
        columns, sums = begin_loop(builder, num_vectors, [of_one(0.0)])
        pair = builder.fadd(_here(builder, query, columns), _here(builder, key, columns))
        bent = _tanh(builder, pair)
        if are_quantised:
            bent = _leveled(builder, bent, everywhere(builder, FLOATS, per_unit), everywhere(builder, FLOATS, zero))
        added = builder.call(fma, [bent, _here(builder, weights, columns), sums[0]])
        end_loop(builder, columns, sums, [added])
        energy = builder.call(total, [FLOAT(0.0), added], fastmath=("reassoc",))
        if are_quantised:
            energy = builder.fmul(energy, factor)
        place = builder.add(target, builder.mul(entries.number, I64(FLOAT_BYTES)))
        builder.store(energy, builder.inttoptr(place, FLOAT.as_pointer()), align=4)
        end_loop(builder, entries, [], [])

    return written(7, write)


def _leveled(builder: ir.IRBuilder, x: Value, per_unit: Value, zero: Value) -> Value:
    """Of each number what is left of its uint8 without the zero: rounded half to even, and kept within 0 and 255."""
    round_, least, most = (
        known(builder, f"llvm.{name}.v16f32", FLOATS, *[FLOATS] * count)
        for name, count in (("rint", 1), ("maxnum", 2), ("minnum", 2))
    )
    level = builder.fadd(builder.call(round_, [builder.fmul(x, per_unit)]), zero)
    return builder.fsub(builder.call(most, [builder.call(least, [level, of_one(0.0)]), of_one(255.0)]), zero)


def _float(builder: ir.IRBuilder, address: Value) -> Value:
    return builder.load(builder.inttoptr(address, FLOAT.as_pointer()), align=4)


def _here(builder: ir.IRBuilder, base: Value, loop: Loop) -> Value:
    """The vector of this turn."""
    return load(builder, FLOATS, builder.add(base, builder.mul(loop.number, I64(VECTOR_BYTES))), 0)
