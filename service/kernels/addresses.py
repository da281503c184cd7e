"""Arrays and records that lie at an address, for compiled code: of memory that somebody else holds."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from service.compiled import compiled


@intrinsic  # type: ignore[untyped-decorator]
def pointer(_typing: Any, address: Any) -> Any:
    """An address as what `numba.carray` takes."""

    def code(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.intp), code


@intrinsic  # type: ignore[untyped-decorator]
def call(_typing: Any, _function: Any, _first: Any, _second: Any) -> Any:
    """Call the function whose machine code lies at an address (`compiled.code_address`) with two numbers."""

    def code(context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        function, *given = arguments
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * 2)
        builder.call(builder.inttoptr(function, kind.as_pointer()), given)
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.intp), code


@compiled()
def record_at(address: int, layout: Any) -> Any:
    """The record of the structured type `layout`."""
    return numba.carray(pointer(address), (1,), layout)[0]


@compiled()
def floats_at(address: int, count: int) -> Any:
    """`count` float32."""
    return numba.carray(pointer(address), (count,), np.float32)


@compiled()
def float_rows_at(address: int, rows: int, columns: int) -> Any:
    """float32 [rows, columns]."""
    return numba.carray(pointer(address), (rows, columns), np.float32)


@compiled()
def doubles_at(address: int, count: int) -> Any:
    """`count` float64."""
    return numba.carray(pointer(address), (count,), np.float64)


@compiled()
def int64s_at(address: int, count: int) -> Any:
    """`count` int64, addresses among them."""
    return numba.carray(pointer(address), (count,), np.int64)


@compiled()
def int64_rows_at(address: int, rows: int, columns: int) -> Any:
    """int64 [rows, columns]."""
    return numba.carray(pointer(address), (rows, columns), np.int64)


@compiled()
def int32_rows_at(address: int, rows: int, columns: int) -> Any:
    """int32 [rows, columns]."""
    return numba.carray(pointer(address), (rows, columns), np.int32)


@compiled()
def bytes_at(address: int, count: int) -> Any:
    """`count` uint8."""
    return numba.carray(pointer(address), (count,), np.uint8)


@compiled()
def int8s_at(address: int, count: int) -> Any:
    """`count` int8."""
    return numba.carray(pointer(address), (count,), np.int8)


@compiled()
def copy_floats(source: int, target: int, count: int) -> None:
    """Write the `count` float32 at one address to another."""
    given, kept = floats_at(source, count), floats_at(target, count)
    for i in range(count):
        kept[i] = given[i]


@compiled()
def clear_floats(target: int, count: int) -> None:
    """Write `count` zeros, float32."""
    kept = floats_at(target, count)
    for i in range(count):
        kept[i] = np.float32(0.0)
