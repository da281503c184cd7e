"""Rows of numbers in a mapped file, which all replicas of a machine read and change.

Changes of shared numbers are made under a lock of the file, which ends with the process that has it. A replica that is
killed leaves its changes, at worst the last of them by half. The lock lets other threads of the replica run, so that a
request should not need it: what is under way is written without it, and `Ledger` takes in advance.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import mmap
import os
import time
import weakref
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from service.errors import ConfigurationError
from service.lifetimes import is_running, parsed, this_process
from service.observability.logs import ROOT

PATIENCE_S = 0.05
"""How long a change waits for one of another replica. The event loop waits with it."""
START_PATIENCE_S = 10.0
LOOK_S = 0.0002
"""Between two looks at a lock of others."""
PAUSE_S = 1.0
"""For which the file is left alone once it could not be locked."""
NUM_ROWS = 4096
"""Names that there may ever be."""
NUM_WRITERS = 256
"""Replicas of a machine that may live at once."""
CELLS = 8
"""Numbers of a row, the first of which is the hash of its name."""

_WRITER_CELLS = 2
_ENDED = -1.0
"""In place of the process id of a writer that has ended."""
_ROWS_AT = NUM_WRITERS * _WRITER_CELLS
_RUNNING_AT = _ROWS_AT + NUM_ROWS * CELLS
_NUM_NUMBERS = _RUNNING_AT + NUM_ROWS * NUM_WRITERS
_ZEROS = array("d", bytes(8 * NUM_ROWS))

_log = logging.getLogger(f"{ROOT}.ledger")


class SharedRows:
    """Rows that are found by their names, used by one thread.

    The file is an array of float64: who writes (process id and start), rows of `CELLS` found by the hash of their name,
    and what each writer has under way, by row.
    """

    def __init__(
        self,
        path: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`path` is the file that the machine's replicas share; None counts in this process alone.

        `clock` is one that all of them read alike; `patience_s` see `PATIENCE_S`.

        Raises ConfigurationError when too many write in the file, or it has no room.
        """
        self._clock, self._closed_until, self._file = clock, 0.0, -1
        size = _NUM_NUMBERS * 8
        if path is None:
            memory = mmap.mmap(-1, size)
        else:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            weakref.finalize(self, os.close, self._file)
            _give_room(self._file, size)
            memory = mmap.mmap(self._file, size)
        self._cells = memoryview(memory).cast("d")
        self._is_shared = path is not None
        self._firsts = _Firsts(self._cells)
        self._running: dict[str, int] = {}
        """What began here and is under way, by name."""
        self._writer = -1
        self._patience_s = START_PATIENCE_S
        with self._locked() as is_ours:
            if not is_ours:
                raise ConfigurationError(f"another process has locked {path} for {START_PATIENCE_S:g} s")
            self._writer = self._sign()
        self._patience_s = patience_s

    def _others(self, first: int) -> float:
        """What other writers have under way in the row with that first cell."""
        cells, total, one, place = self._cells, 0.0, 0, _running_at(first)
        while one < NUM_WRITERS and cells[one * _WRITER_CELLS]:
            if one != self._writer:
                total += cells[place + one * NUM_ROWS]
            one += 1
        return total

    def _tell_running(self, name: str, number: int) -> None:
        """Note what is under way here and tell the others. Nobody else writes there, so that this needs no lock."""
        self._running[name] = number
        if self._is_shared and name in self._firsts:
            self._cells[_running_at(self._firsts[name]) + self._writer * NUM_ROWS] = number

    def _rows_with(self, index: int, number: float) -> Iterator[int]:
        """The first cells of the rows that have this number there."""
        return (cell for cell in range(_ROWS_AT, _RUNNING_AT, CELLS) if self._cells[cell + index] == number)

    def _sign(self) -> int:
        """Take the first free place of a writer. Raises ConfigurationError when there is none."""
        self._forgets_the_dead()
        for one in range(NUM_WRITERS):
            if self._cells[one * _WRITER_CELLS] in (0.0, _ENDED):
                self._cells[one * _WRITER_CELLS : (one + 1) * _WRITER_CELLS] = array("d", parsed(this_process()))
                return one
        raise ConfigurationError(f"more than {NUM_WRITERS} replicas live on this machine")

    def _forgets_the_dead(self) -> bool:
        """Forget what writers had under way that have ended; whether there were any."""
        dead = [one for one in range(NUM_WRITERS) if self._has_ended(one)]
        for one in dead:
            self._cells[_RUNNING_AT + one * NUM_ROWS : _RUNNING_AT + (one + 1) * NUM_ROWS] = _ZEROS
            self._cells[one * _WRITER_CELLS] = _ENDED
        return bool(dead)

    def _has_ended(self, writer: int) -> bool:
        pid, started = (int(number) for number in self._cells[writer * _WRITER_CELLS : (writer + 1) * _WRITER_CELLS])
        return pid > 0 and not is_running(f"{pid}.{started}")

    @contextmanager
    def _locked(self) -> Iterator[bool]:
        """The lock of the file; False when it cannot be had, or not yet again."""
        if not self._is_shared:
            yield True
        elif self._clock() < self._closed_until or not self._has_lock():
            yield False
        else:
            try:
                yield True
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _has_lock(self) -> bool:
        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    self._closed_until = self._clock() + PAUSE_S
                    _log.error("limits of keys and canaries are not watched for %g s: the ledger is locked", PAUSE_S)
                    return False
                time.sleep(LOOK_S)
            else:
                return True


class _Firsts(dict[str, int]):
    """The first cell of each name's row. One that was not asked for yet is looked for in the file, under its lock."""

    def __init__(self, cells: memoryview[float]) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, name: str) -> int:
        """The first free row from the name's hash on. Once all are taken, names share rows."""
        mark = hash_of(name)
        for row in range(int(mark), int(mark) + NUM_ROWS):
            first = _ROWS_AT + row % NUM_ROWS * CELLS
            if self._cells[first] in (0.0, mark):
                break
        self._cells[first] = mark
        self[name] = first
        return first


def _running_at(first: int) -> int:
    """Where the first writer tells what it has under way in the row with that first cell."""
    return _RUNNING_AT + (first - _ROWS_AT) // CELLS


def _give_room(file: int, size: int) -> None:
    """Zeros, where there is nothing yet. A write to a page that finds no room would end the process."""
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        told = f"no room for {size} bytes in the server's private folder, on the disk of the folder for temporary files"
        raise ConfigurationError(f"{told} (TMPDIR): {error}") from error


def hash_of(name: str) -> float:
    """A whole number above 0 that a float64 holds."""
    return float(1 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:6]))
