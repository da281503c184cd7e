"""Instructions: records of named operands, and the compiled function that does each kind.

An instruction begins with the address of its function, so that the machine calls it without looking up what kind it is.
Behind that lie its operands, 8 bytes each: addresses and sizes, int64, and numbers, float32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from service.compiled import code_address

SLOTS, SLOT_BYTES = 24, 8
"""Of each instruction; the first slot has the function's address."""


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
        return code_address(self.function, 2)

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
