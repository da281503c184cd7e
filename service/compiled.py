"""Python that is compiled to machine code: the loops of every step, for which numpy would need many calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(*, may_reorder_sums: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that Numba compiles when it is first called; its code is kept on disk, for this kind of processor.

    It runs without the interpreter lock. Indices are not checked. A file's code is compiled anew when that file
    changes, so compiled functions call only those of their own file. `may_reorder_sums` lets a sum be taken in another
    order than written, by vectors; the order depends on the length alone.
    """
    floats = {"reassoc", "contract"} if may_reorder_sums else {"contract"}

    def compile_later(function: Callable[P, R]) -> Callable[P, R]:
        later: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=floats)(function)
        return later

    return compile_later
