"""LLVM code that moves the numbers a mask chooses to the front of a vector."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from service.kernels.llvm import I64, INT32S, MASK, Value, llvm_function
from service.kernels.target import LANES, TARGET

_TABLE = "attendant.chosen_first"


def mover(builder: ir.IRBuilder, mask: Value) -> Callable[[Value], Value]:
    """A function that moves the int32 of a vector: those in the lanes of `mask` first, in their order.

    Numbers of other lanes or zeros come behind. A processor without an instruction for it looks up the order of lanes.
    """
    if TARGET.compress is not None:
        zero = ir.Constant(INT32S, [0] * LANES)
        compress = llvm_function(builder, TARGET.compress, INT32S, INT32S, INT32S, MASK)
        return lambda vector: builder.call(compress, [vector, zero, mask])
    assert TARGET.permute is not None
    permute = llvm_function(builder, TARGET.permute, INT32S, INT32S, INT32S)
    number = builder.zext(builder.bitcast(mask, ir.IntType(LANES)), I64)
    order = builder.load(builder.gep(_orders(builder.module), [I64(0), number]), align=4)
    return lambda vector: builder.call(permute, [vector, order])


def _orders(module: ir.Module) -> ir.GlobalVariable:
    """For each mask of lanes, as a number, the lanes in their new order."""
    if _TABLE in module.globals:
        return module.globals[_TABLE]
    orders = [sorted(range(LANES), key=lambda lane: not mask >> lane & 1) for mask in range(2**LANES)]
    kind = ir.ArrayType(INT32S, len(orders))
    table = ir.GlobalVariable(module, kind, _TABLE)
    table.linkage, table.global_constant = "internal", True
    table.initializer = ir.Constant(kind, [ir.Constant(INT32S, order) for order in orders])
    return table
