"""Python that is compiled to machine code: the loops of every step, for which numpy would need many calls."""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba import types
from numba.core import caching

P = ParamSpec("P")
R = TypeVar("R")

COMPILED_ROOMS = ("kernels", "lowering", "operators", "search")
"""Folders whose sources all take part in compiled code: it holds their constants and the layouts of their records."""

_log = logging.getLogger("attendant.compiled")


def compiled(*, may_reorder_sums: bool = False, keeps_lock: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that Numba compiles when it is first called; its code is kept on disk, for this kind of processor.

    It runs without the interpreter lock, unless it `keeps_lock`: what takes microseconds would wait longer to get it
    back. Its indices are not checked. Kept code is used until a source of compiled code changes. Where nothing can be
    written, beside the file, in the user's cache or in NUMBA_CACHE_DIR, each process compiles anew, which takes some
    seconds.

    `may_reorder_sums` lets a sum be taken in another order than written, by vectors; the order depends on the length
    alone.
    """
    floats = {"reassoc", "contract"} if may_reorder_sums else {"contract"}

    def compile_later(function: Callable[P, R]) -> Callable[P, R]:
        kept, anew = (
            numba.njit(cache=cache, nogil=not keeps_lock, error_model="numpy", fastmath=floats)
            for cache in (True, False)
        )
        later: Callable[P, R]
        try:
            later = kept(function)
        except RuntimeError:  # Numba found no folder to write to
            _log.warning("compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written")
            later = anew(function)
        return later

    return compile_later


@functools.cache
def code_address(function: Callable[..., None], num_arguments: int) -> int:
    """The address of the machine code of a function of so many whole numbers, for compiled code that calls it.

    It is compiled when this is first asked for, and kept as `compiled` keeps code.
    """
    signature = types.void(*[types.intp] * num_arguments)
    options = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
    try:
        code = numba.cfunc(signature, cache=True, **options)(function)
    except RuntimeError:  # Numba found no folder to write to
        _log.warning("compiled code cannot be kept: set NUMBA_CACHE_DIR to a folder that can be written")
        code = numba.cfunc(signature, **options)(function)
    _CODE.append(code)
    return int(code.address)


_CODE: list[object] = []
"""Holds what `code_address` compiled: machine code goes with it."""


@functools.cache
def sources_digest() -> str:
    """SHA-256 of every source that takes part in compiled code: functions call, and hold, what other files define."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        source = file.read_bytes()
        if b"service.compiled" in source or file.parent.name in COMPILED_ROOMS or file == Path(__file__):
            digest.update(source)
    return digest.hexdigest()


class _WithAllSources:
    """Numba looks at a function's own file only."""

    def get_source_stamp(self) -> str:
        """What must be the same for kept code to be used."""
        return sources_digest()


class InNamedFolder(_WithAllSources, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Code is kept in NUMBA_CACHE_DIR."""


class BesideSource(_WithAllSources, caching.InTreeCacheLocator):  # type: ignore[misc]
    """Code is kept in `__pycache__`."""


class InUsersCache(_WithAllSources, caching.UserWideCacheLocator):  # type: ignore[misc]
    """Code is kept in the user's cache."""


if not numba.config.CACHE_LOCATOR_CLASSES:
    classes = (InNamedFolder, BesideSource, InUsersCache)
    numba.config.CACHE_LOCATOR_CLASSES = ",".join(f"{__name__}.{found.__name__}" for found in classes)
