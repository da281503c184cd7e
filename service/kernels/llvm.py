"""LLVM code for vectors of a processor: what functions that are written in it have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from service.kernels.target import LANES, TARGET

VECTOR_BYTES, WEIGHT_BYTES, LINE_BYTES = TARGET.vector_bytes, TARGET.weight_bytes, 64
FLOAT_BYTES, HALF_BYTES = 4, 2

I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
FLOAT = ir.FloatType()
INT32S = ir.VectorType(I32, LANES)
BYTES = ir.VectorType(I8, WEIGHT_BYTES)
"""A vector of weights, or as many activations."""
FLOATS = ir.VectorType(FLOAT, LANES)
HALVES = ir.VectorType(ir.HalfType(), LANES)
"""Floats kept with 16 bits each (IEEE 754 binary16)."""
MASK = ir.VectorType(I1, LANES)

Value = Any
"""A number in LLVM code: llvmlite tells no types."""
Write = Callable[..., None]
"""Writes the code of a function: a builder and the function's arguments to LLVM instructions."""


def llvm_code(num_arguments: int, write: Write) -> Callable[..., None]:
    """A function for compiled code of one tuple of addresses and counts; `write(builder, *tuple)` writes its code."""

    def code(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Sequence[Value]) -> Any:
        write(builder, *cgutils.unpack_tuple(builder, arguments[0]))
        return context.get_dummy_value()

    @intrinsic  # type: ignore[untyped-decorator]
    def function(_typing: Any, _arguments: Any) -> Any:
        return types.void(types.UniTuple(types.intp, num_arguments)), code

    made: Callable[..., None] = function
    return made


def llvm_variants(num_arguments: int, variants: Sequence[Write]) -> Callable[..., None]:
    """A function for compiled code of one tuple: the number of a variant, and what `llvm_code` takes for each."""

    def write(builder: ir.IRBuilder, number: Value, *arguments: Value) -> None:
        after = builder.append_basic_block("after")
        switch = None
        choosing = builder.block
        for i, variant in enumerate(variants):
            block = builder.append_basic_block(f"variant_{i}")
            if switch is None:
                builder.position_at_end(choosing)
                switch = builder.switch(number, block)
            else:
                switch.add_case(I64(i), block)
            builder.position_at_end(block)
            variant(builder, *arguments)
            builder.branch(after)
        builder.position_at_end(after)

    return llvm_code(num_arguments + 1, write)


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


def llvm_function(builder: ir.IRBuilder, name: str, result: Any, *arguments: Any) -> Value:
    """LLVM's own function of that name."""
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, arguments), name)


def multiply_add(builder: ir.IRBuilder) -> Value:
    """a b + c, rounded once."""
    return llvm_function(builder, f"llvm.fma.v{LANES}f32", FLOATS, FLOATS, FLOATS, FLOATS)


def sum_of_lanes(builder: ir.IRBuilder, vector: Value) -> Value:
    """The sum of a vector's floats, in the order that is fastest."""
    add = llvm_function(builder, f"llvm.vector.reduce.fadd.v{LANES}f32", FLOAT, FLOAT, FLOATS)
    return builder.call(add, [FLOAT(0.0), vector], fastmath=("reassoc",))


def largest_lane(builder: ir.IRBuilder, vector: Value) -> Value:
    """The largest of a vector's floats, none of which is NaN."""
    largest = llvm_function(builder, f"llvm.vector.reduce.fmax.v{LANES}f32", FLOAT, FLOATS)
    return builder.call(largest, [vector], fastmath=("nnan",))


def addresses_apart(builder: ir.IRBuilder, first: Value, distance: Value, count: int) -> list[Value]:
    """`count` addresses, each `distance` bytes behind the one before."""
    addresses = [first]
    for _ in range(count - 1):
        addresses.append(builder.add(addresses[-1], distance))
    return addresses


def address_of_turn(builder: ir.IRBuilder, base: Value, loop: Loop, num_bytes: int = VECTOR_BYTES) -> Value:
    """`base`, and `num_bytes` more for each turn before this one."""
    return builder.add(base, builder.mul(loop.number, I64(num_bytes)))


def pointer(builder: ir.IRBuilder, kind: Any, address: Value) -> Value:
    """An address as what LLVM loads a `kind` from."""
    return builder.inttoptr(address, kind.as_pointer())


def load_one(builder: ir.IRBuilder, kind: Any, address: Value) -> Value:
    """The number at `address`."""
    return builder.load(pointer(builder, kind, address), align=1)


def load(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    """Vector `number` behind the address `base`."""
    return builder.load(_vector_pointer(builder, kind, base, number), align=1)


def store(builder: ir.IRBuilder, value: Value, base: Value, number: int) -> None:
    """Write vector `number` behind the address `base`."""
    builder.store(value, _vector_pointer(builder, value.type, base, number), align=1)


def load_floats(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    """Vector `number` of those behind the address `base`, which are FLOATS, or HALVES that become FLOATS."""
    if kind is FLOATS:
        return load(builder, FLOATS, base, number)
    return builder.fpext(load(builder, HALVES, builder.add(base, I64(LANES * HALF_BYTES * number)), 0), FLOATS)


def lanes_below(builder: ir.IRBuilder, count: Value) -> Value:
    """A mask of the first `count` lanes; all when there are fewer."""
    lanes = ir.Constant(ir.VectorType(I64, LANES), list(range(LANES)))
    return builder.icmp_signed("<", lanes, splat(builder, ir.VectorType(I64, LANES), count))


def load_masked(builder: ir.IRBuilder, kind: Any, address: Value, mask: Value) -> Value:
    """Those of FLOATS, or of HALVES that become FLOATS, that `mask` has; 0 in other lanes, which are not read."""
    name = f"llvm.masked.load.v{LANES}{'f32' if kind is FLOATS else 'f16'}.p0"
    masked = llvm_function(builder, name, kind, kind.as_pointer(), I32, MASK, kind)
    loaded = builder.call(masked, [pointer(builder, kind, address), I32(1), mask, ir.Constant(kind, [0.0] * LANES)])
    return loaded if kind is FLOATS else builder.fpext(loaded, FLOATS)


def store_masked(builder: ir.IRBuilder, value: Value, address: Value, mask: Value) -> None:
    """Write those floats that `mask` has."""
    masked = llvm_function(
        builder, f"llvm.masked.store.v{LANES}f32.p0", ir.VoidType(), FLOATS, FLOATS.as_pointer(), I32, MASK
    )
    builder.call(masked, [value, pointer(builder, FLOATS, address), I32(1), mask])


def splat(builder: ir.IRBuilder, kind: Any, number: Value) -> Value:
    """A vector of one number."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, I32(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(INT32S, [0] * LANES))


def constant(number: float) -> Value:
    """A constant vector of one number."""
    return ir.Constant(FLOATS, [number] * LANES)


def float_of_bits(builder: ir.IRBuilder, bits: Value) -> Value:
    """The float32 that the low 32 bits of an integer are."""
    return builder.bitcast(builder.trunc(bits, I32), FLOAT)


def prefetch(builder: ir.IRBuilder, base: Value, num_bytes: int) -> None:
    """Ask for the cache lines behind the address `base`, which will be read soon, in the second-level cache."""
    ask = llvm_function(builder, "llvm.prefetch.p0", ir.VoidType(), I8.as_pointer(), I32, I32, I32)
    for start in range(0, num_bytes, LINE_BYTES):
        builder.call(ask, [pointer(builder, I8, builder.add(base, I64(start))), I32(0), I32(2), I32(1)])


def _vector_pointer(builder: ir.IRBuilder, kind: Any, base: Value, number: int) -> Value:
    num_bytes = WEIGHT_BYTES if kind is BYTES else VECTOR_BYTES
    return pointer(builder, kind, builder.add(base, I64(num_bytes * number)))
