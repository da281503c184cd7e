"""What API keys use and what versions come to, counted together by all replicas of a machine."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from service.api.shared_rows import CELLS, SharedRows, hash_of

MINUTE_S = 60.0
FORGET_S = 60.0
"""After which a trial that no replica takes part in is forgotten: longer than replicas take to be replaced."""
TRIAL, TALLY, WITHDRAWN, HELD, REQUESTS, CHARACTERS = 1, 2, 2, 3, 2, 4
"""Cells of a row: the hash of its trial; what a version came to; whether a trial has ended and when it was held last;
used requests with their time, used characters with theirs."""


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

    def begin(self, key: str, most: float) -> bool:
        """A request of a key begins; False, and it does not, when `most` are under way."""
        with self._locked() as is_ours:
            if is_ours and not self._has_room(key, most):
                return False
            self._running[key] += 1
            self._unwritten.add(key)
        return True

    def end(self, key: str) -> None:
        """A request is over; nothing happens where none has begun."""
        if not self._running[key]:
            return
        self._running[key] -= 1
        self._unwritten.add(key)
        with self._locked():
            pass  # whoever gets the lock next writes down what is not yet

    def _has_room(self, key: str, most: float) -> bool:
        room, row = most - self._running[key], self._row(key)
        return self._others(row) < room or (self._forgets_the_dead() and self._others(row) < room)

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
        cell = self._cell(f"{trial} {model}")
        self._cells[cell + TRIAL] = hash_of(trial)
        return cell
