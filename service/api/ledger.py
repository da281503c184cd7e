"""What API keys use and what versions come to, counted together by all replicas of a machine: a file in shared memory.

Every change is made under a lock of the file, which ends with the process that has it. A replica that is killed leaves
its changes, at worst the last of them by half. Where the lock is not free in time, nobody is refused for it. A change
takes 4 microseconds; it took 20 with SQLite, which would be felt in requests of a few milliseconds.
"""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import logging
import mmap
import os
import time
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
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
MINUTE_S = 60.0
NUM_ROWS = 4096
"""Names of keys and trials that there may ever be."""
NUM_WRITERS = 256
"""Replicas of a machine that may live at once."""
TALLY, REQUESTS, CHARACTERS = 2, 2, 4
"""Cells of a row: what a version came to; used requests with their time, used characters with theirs. The cells before
hold the row's name and its trial."""

_NUM_CELLS = 8
_WRITER_CELLS = 2
_ENDED = -1.0
"""In place of the process id of a writer that has ended."""
_ROWS_AT = NUM_WRITERS * _WRITER_CELLS
_RUNNING_AT = _ROWS_AT + NUM_ROWS * _NUM_CELLS
_NUM_NUMBERS = _RUNNING_AT + NUM_ROWS * NUM_WRITERS
_ZEROS = array("d", bytes(8 * NUM_ROWS))

_log = logging.getLogger(f"{ROOT}.ledger")


@dataclass(slots=True)
class Tally:
    """What the requests to one version came to."""

    num_requests: float = 0
    num_errors: float = 0
    seconds: float = 0.0
    characters: float = 0
    confidence: float = 0.0
    num_segments: float = 0
    """Those with a confidence."""


class Ledger:
    """Counts of this machine, used by one thread.

    The file is an array of float64: who writes (process id and start), rows of `_NUM_CELLS` found by the hash of their
    name, and each writer's requests under way, by row.
    """

    def __init__(
        self,
        path: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`path` is the file that the machine's replicas share; None counts in this process alone.

        `clock` is one that all of them read alike; `patience_s` see `PATIENCE_S`.

        Raises ConfigurationError when too many write in the file.
        """
        self._clock, self._closed_until, self._file = clock, 0.0, -1
        size = _NUM_NUMBERS * 8
        if path is None:
            memory = mmap.mmap(-1, size)
        else:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            os.ftruncate(self._file, size)  # all zeros, and no room on disk until they are written
            memory = mmap.mmap(self._file, size)
            weakref.finalize(self, os.close, self._file)
        self._cells = memoryview(memory).cast("d")
        self._places: dict[str, int] = {}
        """Row of each name that was found once."""
        self._running: Counter[str] = Counter()
        """Requests under way that began here, by key."""
        self._writer = -1
        self._patience_s = START_PATIENCE_S
        with self._locked():
            self._writer = self._sign()
        self._patience_s = patience_s

    # ---- keys ---------------------------------------------------------------------------------------------------

    def take(self, key: str, what: int, per_minute: float, amount: float) -> float:
        """Take `amount` of what a key may use in a minute, REQUESTS or CHARACTERS, where 1 is left; it may be more.

        Returns 0, or the seconds until 1 is left; nothing is taken then. What was used is forgotten evenly, a minute's
        limit in a minute (a token bucket).
        """
        rate, now, most = per_minute / MINUTE_S, self._clock(), max(0.0, per_minute - 1.0)
        with self._locked() as is_ours:
            if not is_ours:
                return 0.0
            cell = self._cell(key) + what
            used = max(0.0, self._cells[cell] - (now - self._cells[cell + 1]) * rate)
            if used > most:
                return (used - most) / rate
            self._cells[cell], self._cells[cell + 1] = used + amount, now
        return 0.0

    def give_back(self, key: str, what: int, amount: float) -> None:
        """Undo a `take`."""
        with self._locked() as is_ours:
            if is_ours:
                self._cells[self._cell(key) + what] -= amount

    def begin(self, key: str, most: int) -> bool:
        """A request of a key begins; False, and it does not, when `most` are under way."""
        with self._locked() as is_ours:
            if is_ours and not self._has_room(key, most):
                return False
            self._running[key] += 1
            if is_ours:
                self._write_running(key)
        return True

    def end(self, key: str) -> None:
        """A request is over; nothing happens where none has begun."""
        if not self._running[key]:
            return
        self._running[key] -= 1
        with self._locked() as is_ours:
            if is_ours:
                self._write_running(key)

    def _has_room(self, key: str, most: int) -> bool:
        room, row = most - self._running[key], self._row(key)
        return self._others(row) < room or (self._forgets_the_dead() and self._others(row) < room)

    def _others(self, row: int) -> float:
        """Requests of a row under way at other writers."""
        return sum(self._cells[_RUNNING_AT + one * NUM_ROWS + row] for one in self._writers() if one != self._writer)

    def _write_running(self, key: str) -> None:
        self._cells[_RUNNING_AT + self._writer * NUM_ROWS + self._row(key)] = self._running[key]

    # ---- canaries -----------------------------------------------------------------------------------------------

    def add(self, trial: str, model: str, tally: Tally) -> None:
        """Count requests to `model`, which takes part in `trial`."""
        with self._locked() as is_ours:
            if is_ours:
                cell = self._trial_cell(trial, model)
                for index, number in enumerate(astuple(tally), cell + TALLY):
                    self._cells[index] += number

    def tally(self, trial: str, model: str) -> Tally:
        """What a model came to in a trial; nothing when the file cannot be locked."""
        with self._locked() as is_ours:
            if not is_ours:
                return Tally()
            cell = self._trial_cell(trial, model) + TALLY
            return Tally(*self._cells[cell : cell + _NUM_CELLS - TALLY])

    def withdraw(self, trial: str) -> bool:
        """End a trial; whether it was this call that did."""
        with self._locked() as is_ours:
            if not is_ours:
                return True
            cell = self._trial_cell(trial, "") + TALLY
            was_withdrawn, self._cells[cell] = self._cells[cell], 1.0
            return not was_withdrawn

    def is_withdrawn(self, trial: str) -> bool:
        """Whether a trial has ended."""
        with self._locked() as is_ours:
            return is_ours and bool(self._cells[self._trial_cell(trial, "") + TALLY])

    def keep(self, trials: Iterable[str]) -> None:
        """Forget all other trials."""
        kept = {0.0, *map(_hash, trials)}
        with self._locked() as is_ours:
            for cell in range(_ROWS_AT, _RUNNING_AT, _NUM_CELLS) if is_ours else ():
                if self._cells[cell + 1] not in kept:
                    self._cells[cell + TALLY : cell + _NUM_CELLS] = _ZEROS[: _NUM_CELLS - TALLY]

    def _trial_cell(self, trial: str, model: str) -> int:
        cell = self._cell(f"{trial} {model}")
        self._cells[cell + 1] = _hash(trial)
        return cell

    # ---- rows and writers, under the lock -----------------------------------------------------------------------

    def _cell(self, name: str) -> int:
        """The first cell of a name's row."""
        return _ROWS_AT + self._row(name) * _NUM_CELLS

    def _row(self, name: str) -> int:
        """A name's row: the first free one from its hash on. Once all are taken, names share rows."""
        if name not in self._places:
            mark = _hash(name)
            for row in range(int(mark), int(mark) + NUM_ROWS):
                cell = _ROWS_AT + row % NUM_ROWS * _NUM_CELLS
                if self._cells[cell] in (0.0, mark):
                    break
            self._cells[cell] = mark
            self._places[name] = row % NUM_ROWS
        return self._places[name]

    def _writers(self) -> Iterator[int]:
        """Those who write, or did so until they ended."""
        return itertools.takewhile(lambda one: self._cells[one * _WRITER_CELLS], range(NUM_WRITERS))

    def _sign(self) -> int:
        """Take the first free place of a writer. Raises ConfigurationError when there is none."""
        self._forgets_the_dead()
        for one in range(NUM_WRITERS):
            if self._cells[one * _WRITER_CELLS] in (0.0, _ENDED):
                self._cells[one * _WRITER_CELLS : (one + 1) * _WRITER_CELLS] = array("d", parsed(this_process()))
                return one
        raise ConfigurationError(f"more than {NUM_WRITERS} replicas live on this machine")

    def _forgets_the_dead(self) -> bool:
        """Forget what replicas had under way that have ended; whether there were any."""
        dead = [one for one in self._writers() if self._has_ended(one)]
        for one in dead:
            self._cells[one * _WRITER_CELLS] = _ENDED
            self._cells[_RUNNING_AT + one * NUM_ROWS : _RUNNING_AT + (one + 1) * NUM_ROWS] = _ZEROS
        return bool(dead)

    def _has_ended(self, writer: int) -> bool:
        pid, started = (int(number) for number in self._cells[writer * _WRITER_CELLS : (writer + 1) * _WRITER_CELLS])
        return pid != _ENDED and not is_running(f"{pid}.{started}")

    @contextmanager
    def _locked(self) -> Iterator[bool]:
        """The lock of the file; False when it cannot be had, or not yet again."""
        if self._file < 0:
            yield True
            return
        if self._clock() < self._closed_until or not self._has_lock():
            yield False
            return
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


def _hash(name: str) -> float:
    """A whole number above 0 that a float64 holds."""
    return float(1 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:6]))
