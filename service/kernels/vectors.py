"""Vectors of 16 floats in LLVM code: what functions written in it have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""Numbers of 32 bits in one register."""
VECTOR_BYTES, FLOAT_BYTES, HALF_BYTES = 64, 4, 2

I8, I16, I32, I64 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64)
FLOAT = ir.FloatType()
SUMS = ir.VectorType(I32, LANES)
BYTES = ir.VectorType(I8, VECTOR_BYTES)
FLOATS = ir.VectorType(FLOAT, LANES)
HALVES = ir.VectorType(ir.HalfType(), LANES)
"""Floats kept with 16 bits each (IEEE 754 binary16)."""
MASK = ir.VectorType(ir.IntType(1), LANES)

Value = Any
"""A number in LLVM code: llvmlite tells no types."""


def processor_has_dot_products() -> bool:
    """Whether this processor has AVX-512 with its instruction for int8 dot products (VNNI)."""
    features = binding.get_host_cpu_features()
    return bool(features.get("avx512vnni") and features.get("avx512f") and features.get("avx512vl"))


def written(num_arguments: int, write: Callable[..., None]) -> Callable[..., None]:
    """A function for compiled code of one tuple of addresses and counts; `write(builder, *tuple)` writes its code."""

    def code(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Sequence[Value]) -> Any:
        write(builder, *cgutils.unpack_tuple(builder, arguments[0]))
        return context.get_dummy_value()

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_typing: Any, _arguments: Any) -> Any:
        return types.void(types.UniTuple(types.intp, num_arguments)), code

    made: Callable[..., None] = function
    return made


class Loop(NamedTuple):
    """A loop that runs at least once."""

    body: ir.Block
    after: ir.Block
    count: Value
    number: Value
    """Of this turn, from 0."""


def begin_loop(builder: ir.IRBuilder, count: Value, carried: Sequence[Value]) -> tuple[Loop, list[Value]]:
    """Begin a loop of `count` turns; `carried` are what values begin with that each turn hands to the next."""
    before, body, after = builder.block, builder.append_basic_block("turn"), builder.append_basic_block("after")
    builder.branch(body)
    builder.position_at_end(body)
    number = builder.phi(I64)
    number.add_incoming(I64(0), before)
    running = []
    for value in carried:
        running.append(builder.phi(value.type))
        running[-1].add_incoming(value, before)
    return Loop(body, after, count, number), running


def end_loop(builder: ir.IRBuilder, loop: Loop, running: Sequence[Value], handed_on: Sequence[Value]) -> None:
    """End the turn: the values `running` are `handed_on` in the next one; code goes on behind the loop."""
    following = builder.add(loop.number, I64(1))
    for phi, value in zip((loop.number, *running), (following, *handed_on), strict=True):
        phi.add_incoming(value, builder.block)
    builder.cbranch(builder.icmp_signed("<", following, loop.count), loop.body, loop.after)
    builder.position_at_end(loop.after)


def known(builder: ir.IRBuilder, name: str, result: Any, *arguments: Any) -> Value:
    """LLVM's own function of that name."""
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, arguments), name)


def multiply_add(builder: ir.IRBuilder) -> Value:
    """a b + c, rounded once."""
    return known(builder, f"llvm.fma.v{LANES}f32", FLOATS, FLOATS, FLOATS, FLOATS)


def apart(builder: ir.IRBuilder, first: Value, distance: Value, count: int) -> list[Value]:
    """`count` addresses, each `distance` bytes behind the one before."""
    addresses = [first]
    for _ in range(count - 1):
        addresses.append(builder.add(addresses[-1], distance))
    return addresses


def load(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    """Vector `number` behind the address `base`."""
    return builder.load(vector_at(builder, kind, base, number), align=1)


def store(builder: ir.IRBuilder, value: Value, base: Value, number: int) -> None:
    """Write vector `number` behind the address `base`."""
    builder.store(value, vector_at(builder, value.type, base, number), align=1)


def load_floats(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    """Vector `number` of those behind the address `base`, which are FLOATS, or HALVES that become FLOATS."""
    if kind is FLOATS:
        return load(builder, FLOATS, base, number)
    return builder.fpext(load(builder, HALVES, builder.add(base, I64(LANES * HALF_BYTES * number)), 0), FLOATS)


def vector_at(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    """Pointer to vector `number` behind the address `base`."""
    return builder.inttoptr(builder.add(base, I64(VECTOR_BYTES * number)), kind.as_pointer())


def everywhere(builder: ir.IRBuilder, kind: Any, number: Value) -> Value:
    """A vector of one number."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, I32(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(SUMS, [0] * LANES))


def of_one(number: float) -> Value:
    """A constant vector of one number."""
    return ir.Constant(FLOATS, [number] * LANES)


def fetch(builder: ir.IRBuilder, base: Value, number: int) -> None:
    """Ask for vector `number` behind the address `base`, which will be read soon, in the second-level cache."""
    ask = known(builder, "llvm.prefetch.p0", ir.VoidType(), I8.as_pointer(), I32, I32, I32)
    builder.call(ask, [vector_at(builder, I8, base, number), I32(0), I32(2), I32(1)])
