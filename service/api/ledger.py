"""What API keys use and what versions come to, counted together by all replicas of a machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from service.api.shared_rows import CELLS, PATIENCE_S, SharedRows, hash_of

MINUTE_S = 60.0
FORGET_S = 60.0
"""After which a trial that no replica takes part in is forgotten: longer than replicas take to be replaced."""
ADVANCE_S, ADVANCE_LASTS_S = 0.1, 1.0
"""Seconds of a limit that a replica takes in advance, so that requests of a busy key find some without a lock. Of a
limit that is too small for a whole request in that time, nothing is taken in advance. What a replica did not use
within a second it leaves."""
TRIAL, TALLY, WITHDRAWN, HELD, REQUESTS, CHARACTERS = 1, 2, 2, 3, 2, 4
"""Cells of a row: the hash of its trial; what a version came to; whether a trial has ended and when it was held last;
used requests with their time, used characters with theirs."""

_NOTHING = 0.0, 0.0


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


class Ledger(SharedRows):
    """Counts of this machine, used by one thread. Where the rows cannot be locked in time, nobody is refused for it."""

    def __init__(
        self,
        path: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """See `SharedRows`."""
        super().__init__(path, clock, patience_s)
        self._advances: dict[tuple[str, int], tuple[float, float]] = {}
        """What was taken and is not used yet, and until when it may be, by key and kind."""

    # ---- keys ---------------------------------------------------------------------------------------------------

    def take(self, key: str, what: int, per_minute: float, amount: float) -> float:
        """Take `amount` of what a key may use in a minute, REQUESTS or CHARACTERS, where 1 is left; it may be more.

        Returns 0, or the seconds until 1 is left; nothing is taken then. What was used is forgotten evenly, a minute's
        limit in a minute (a token bucket). Of a large limit a little is taken in advance (`ADVANCE_S`).
        """
        rate, now = per_minute / MINUTE_S, self._clock()
        left, last = self._advances.get((key, what), _NOTHING)
        left = min(left, rate * ADVANCE_S // 1.0) if now < last else 0.0  # a limit may have become smaller
        if left >= amount:
            self._advances[key, what] = left - amount, last
            return 0.0
        with self._locked() as is_ours:
            if not is_ours:
                return 0.0
            most = max(0.0, per_minute - 1.0)
            cell = self._firsts[key] + what
            used = max(0.0, self._cells[cell] - (now - self._cells[cell + 1]) * rate)
            if used > most:
                return (used - most) / rate
            used += amount - left
            advance = max(0.0, min(rate * ADVANCE_S // 1.0, per_minute - used))
            self._cells[cell], self._cells[cell + 1] = used + advance, now
            self._advances[key, what] = advance, now + ADVANCE_LASTS_S
        return 0.0

    def give_back(self, key: str, what: int, amount: float) -> None:
        """Undo a `take`."""
        with self._locked() as is_ours:
            if is_ours:
                cell = self._firsts[key] + what
                self._cells[cell] = max(0.0, self._cells[cell] - amount)

    def forget(self, key: str) -> None:
        """Begin anew with what a key has used in the minute: its limits are others."""
        with self._locked() as is_ours:
            if is_ours:
                for what in (REQUESTS, CHARACTERS):
                    self._cells[self._firsts[key] + what] = 0.0
                    self._advances.pop((key, what), None)

    def begin(self, key: str, most: float) -> bool:
        """A request of a key begins; False, and it does not, when `most` are under way.

        Where there is room, none needs the lock. With it and without, each tells of its request before it counts those
        of the others, so that of two which begin at once at least one sees both.
        """
        running = self._running.get(key, 0)
        if not self._is_shared:
            if running >= most:
                return False
            self._running[key] = running + 1
            return True
        if key in self._firsts and self._begins(key, running, most):  # else it is to be looked for under the lock
            return True
        with self._locked() as is_ours:
            if not is_ours:
                self._tell_running(key, running + 1)
                return True
            return self._begins(key, running, most) or (self._forgets_the_dead() and self._begins(key, running, most))

    def _begins(self, key: str, running: int, most: float) -> bool:
        """Tell of one more request than the `running` ones, unless there are `most` then."""
        first = self._firsts[key]
        self._tell_running(key, running + 1)
        if running + 1 + self._others(first) <= most:
            return True
        self._tell_running(key, running)
        return False

    def end(self, key: str) -> None:
        """A request is over; nothing happens where none has begun."""
        running = self._running.get(key, 0)
        if running:
            self._tell_running(key, running - 1)

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
            return Tally(*self._cells[cell : cell + CELLS - TALLY])

    def withdraw(self, trial: str) -> bool:
        """End a trial; whether it was this call that did. False, too, when the file cannot be locked."""
        with self._locked() as is_ours:
            if not is_ours:
                return False
            cell = self._trial_cell(trial, "") + WITHDRAWN
            was_withdrawn, self._cells[cell] = self._cells[cell], 1.0
            return not was_withdrawn

    def hold(self, trial: str) -> bool:
        """Keep a trial, and whether it has ended. One that nobody has held for `FORGET_S` begins anew."""
        with self._locked() as is_ours:
            if not is_ours:
                return False
            cell, now = self._trial_cell(trial, ""), self._clock()
            if now - self._cells[cell + HELD] > FORGET_S:
                self._forget(trial)
            self._cells[cell + HELD] = now
            return bool(self._cells[cell + WITHDRAWN])

    def _forget(self, trial: str) -> None:
        for cell in self._rows_with(TRIAL, hash_of(trial)):
            for one in range(cell + TALLY, cell + CELLS):
                self._cells[one] = 0.0

    def _trial_cell(self, trial: str, model: str) -> int:
        cell = self._firsts[f"{trial} {model}"]
        self._cells[cell + TRIAL] = hash_of(trial)
        return cell
