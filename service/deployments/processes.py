"""The processes that a server has started, known by its private folder in their environment."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

LEFT_S = 3.0
"""For which Ray's processes may go on after it was stopped; most end at once."""


def processes_of(folder: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Process id and command line of everything started with the environment of this private folder, but ourselves.

    Any variable that names a path in it will do: a process that takes a long title writes it over some of them.
    """
    mark = f"{folder}/".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes():
                    yield int(entry.name), (entry / "cmdline").read_bytes().split(b"\0")


def end_what_is_left(folder: Path) -> None:
    """End the processes of this private folder that are still there: agents outlive a Ray that was stopped while it
    started them."""
    deadline = time.monotonic() + LEFT_S
    while left := [pid for pid, _ in processes_of(folder)]:
        if time.monotonic() > deadline:
            kill(left)
            return
        time.sleep(0.05)


def end_all(folder: Path) -> None:
    """Kill what belongs to the private folder, and wait until it is gone: HAProxy's folder stays as long as it has
    users."""
    deadline = time.monotonic() + LEFT_S
    while (left := [pid for pid, _ in processes_of(folder)]) and time.monotonic() < deadline:
        kill(left)
        time.sleep(0.02)


def kill(pids: Iterable[int], number: signal.Signals = signal.SIGKILL) -> None:
    """A signal for each that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
