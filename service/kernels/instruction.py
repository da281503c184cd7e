"""Instructions: records of named operands, and the compiled function that does each kind.

An instruction begins with the address of its function, so that the machine calls it without looking up what kind it is.
Behind that lie its operands, 8 bytes each: addresses and sizes, int64, and numbers, float32.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
from numba import types

SLOTS, SLOT_BYTES = 24, 8
"""Of each instruction; the first slot has the function's address."""

_log = logging.getLogger(__name__)


def layout(integers: str, numbers: str = "") -> np.dtype:
    """The record of instructions with these operands, names apart by spaces: `integers` are addresses too."""
    names, formats = [*integers.split(), *numbers.split()], [np.int64] * len(integers.split())
    assert len(names) < SLOTS, f"{len(names)} operands, more than {SLOTS - 1}"
    return np.dtype(
        {
            "names": names,
            "formats": formats + [np.float32] * (len(names) - len(formats)),
            "offsets": [SLOT_BYTES * (1 + i) for i in range(len(names))],
            "itemsize": SLOTS * SLOT_BYTES,
        }
    )


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A kind of instruction."""

    name: str
    function: Callable[[int, int], None]
    """Does it, compiled: of the addresses of the instruction and of a `row_batch.ROW_BATCH` record."""
    layout: np.dtype

    @property
    def address(self) -> int:
        """Where its machine code lies; it is compiled, or read from the cache, when this is first asked for."""
        return _address(self.function)

    def slot(self, operand: str) -> int:
        """Which slot an operand has."""
        return int(self.layout.fields[operand][1]) // SLOT_BYTES  # type: ignore[index]

    @property
    def operands(self) -> tuple[str, ...]:
        """Names of the operands."""
        return self.layout.names or ()


def kernel(name: str, operands: np.dtype) -> Callable[[Callable[[int, int], None]], Kernel]:
    """Make a function of two addresses, of an instruction with these `operands` and of a batch, a `Kernel`."""
    return lambda function: Kernel(name, function, operands)


@functools.cache
def _address(function: Callable[[int, int], None]) -> int:
    """The address of a function's machine code, kept on disk as `service.compiled.compiled` keeps it."""
    kept, anew = (
        numba.cfunc(
            types.void(types.intp, types.intp), cache=cache, nogil=True, error_model="numpy", fastmath={"contract"}
        )
        for cache in (True, False)
    )
    try:
        code = kept(function)
    except RuntimeError:  # Numba found no folder to write to
        _log.warning("compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written")
        code = anew(function)
    _CODE.append(code)
    return int(code.address)


_CODE: list[object] = []
"""Holds compiled functions: their machine code goes with them."""
