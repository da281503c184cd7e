"""A timer for event loops that is late by microseconds: uvloop's own and asyncio's count milliseconds."""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable

_CLOCK_MONOTONIC = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


class _Times(ctypes.Structure):
    """`struct itimerspec`."""

    _fields_ = (
        *((f"interval_{unit}", ctypes.c_long) for unit in ("s", "ns")),
        *((f"value_{unit}", ctypes.c_long) for unit in ("s", "ns")),
    )


class Timer:
    """Calls `due` once each time it has been set; Linux's timerfd (Python has it from 3.13 on)."""

    def __init__(self, loop: asyncio.AbstractEventLoop, due: Callable[[], None]) -> None:
        """Raises OSError where there are no such timers."""
        self._loop, self._due = loop, due
        self._file = _checked(_LIBC.timerfd_create(_CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC))
        loop.add_reader(self._file, self._read)

    def set(self, delay_s: float) -> None:
        """Call `due` in so many seconds, and not at the time that was set before."""
        delay_ns = max(1, round(delay_s * 1e9))  # 0 would stop it
        times = _Times(0, 0, *divmod(delay_ns, 10**9))
        _checked(_LIBC.timerfd_settime(self._file, 0, ctypes.byref(times), None))

    def close(self) -> None:
        """Call nothing any more."""
        self._loop.remove_reader(self._file)
        os.close(self._file)

    def _read(self) -> None:
        try:
            os.read(self._file, 8)
        except BlockingIOError:  # it was set again between its end and this call
            return
        self._due()


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
