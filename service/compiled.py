"""Python that is compiled to machine code: the loops of every step, for which numpy would need many calls."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


_log = logging.getLogger(__name__)


def compiled(*, may_reorder_sums: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that Numba compiles when it is first called; its code is kept on disk, for this kind of processor.

    It runs without the interpreter lock, and its indices are not checked. Kept code is used until the function's own
    file changes, so compiled functions call only those of their own file. Where nothing can be written, beside the
    file, in the user's cache or in NUMBA_CACHE_DIR, each process compiles anew, which takes some seconds.

    `may_reorder_sums` lets a sum be taken in another order than written, by vectors; the order depends on the length
    alone.
    """
    floats = {"reassoc", "contract"} if may_reorder_sums else {"contract"}

    def compile_later(function: Callable[P, R]) -> Callable[P, R]:
        kept, anew = (
            numba.njit(cache=cache, nogil=True, error_model="numpy", fastmath=floats) for cache in (True, False)
        )
        later: Callable[P, R]
        try:
            later = kept(function)
        except RuntimeError:  # Numba found no folder to write to
            _log.warning("compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written")
            later = anew(function)
        return later

    return compile_later
