"""Hung is as bad as dead: replicas leave signs of life, and one that leaves none is killed, so that Serve replaces it.

Serve asks a replica to stop and waits; a process that is stopped (SIGSTOP) or caught in native code never does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import signal
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from service.deployments.watch import Watch
from service.lifetimes import is_running, parsed, this_process
from service.observability.logs import ROOT

BEAT_S = 0.5
"""Seconds between two signs of life, which the replica's event loop leaves."""
SILENT_S = 4.0
"""Seconds without one after which a replica is killed; an event loop takes under one even for a very large answer."""
MISSED_S = 3 * BEAT_S
"""Seconds without one after which a replica does not count as living."""
LOST_S = 30.0
"""For which a lost replica is missed: another one has mostly started by then."""
MOST_LOST = 3.0
"""Times of `max_wait_s` that a request may wait then."""
LONG_S = 3600.0
"""In place of for ever."""
WATCH_S = 0.5

_log = logging.getLogger(f"{ROOT}.heartbeat")


class Heartbeat:
    """A file of this process, touched by its event loop. Its time is that of the last sign of life."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the one that a `Watchdog` looks at."""
        self._path = folder / this_process()
        self._beating: asyncio.Task[None] | None = None

    def start(self, silent_s: Callable[[], float] = lambda: 0.0) -> None:
        """Leave signs of life from now on; called on the event loop. `silent_s`: for how many seconds all that must
        live beside the event loop, the engines, has given none."""
        self._path.touch()
        self._beating = asyncio.get_running_loop().create_task(self._beat(silent_s))

    async def _beat(self, silent_s: Callable[[], float]) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            alive = time.time() - min(silent_s(), LONG_S)
            with contextlib.suppress(FileNotFoundError):  # the server is going away
                os.utime(self._path, (alive, alive))

    def stop(self) -> None:
        """Say that this process ends by itself."""
        if self._beating is not None:
            self._beating.cancel()
        self._path.unlink(missing_ok=True)


class MachineShare:
    """The share of a limit that this machine's replicas may use together: theirs of the most that there may be."""

    def __init__(self, folder: Path, most_replicas: int) -> None:
        """`folder` holds the heartbeats of this machine."""
        self._folder, self._most_replicas = folder, most_replicas
        self._share, self._counted_at = 1.0 / most_replicas, -math.inf

    def __call__(self) -> float:
        """In (0, 1]; replicas are counted twice a second."""
        now = time.monotonic()
        if now - self._counted_at >= WATCH_S:
            num_replicas = max(1, sum(1 for _ in self._folder.iterdir()))
            self._share, self._counted_at = min(1.0, num_replicas / self._most_replicas), now
        return self._share


class Siblings:
    """The replicas of a machine, and whether some were lost lately."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the heartbeats of this machine."""
        self._folder = folder
        self._counts: deque[tuple[float, int]] = deque()
        """Times, and how many lived then."""

    def lost(self) -> float:
        """The most that lived within LOST_S, over those that live, MOST_LOST at most; 1 where none was lost."""
        now = time.time()
        num_alive = max(1, sum(map(self._lives, self._folder.iterdir())))
        while self._counts and now - self._counts[0][0] > LOST_S:
            self._counts.popleft()
        self._counts.append((now, num_alive))
        return min(MOST_LOST, max(count for _, count in self._counts) / num_alive)

    @staticmethod
    def _lives(path: Path) -> bool:
        try:
            return time.time() - path.stat().st_mtime < MISSED_S and is_running(path.name)
        except FileNotFoundError:
            return False


class Watchdog(Watch):
    """Kills processes whose heartbeat has stopped, from a thread of its own."""

    def __init__(self, folder: Path, silent_s: float = SILENT_S) -> None:
        super().__init__("watchdog", WATCH_S)
        self._folder, self._silent_s = folder, silent_s
        self._looked_at = time.monotonic()

    def look(self) -> list[int]:
        """Kill whoever has been silent for too long; returns their process ids."""
        now, killed = time.time(), []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                if now - path.stat().st_mtime > self._silent_s:
                    killed += self._kill(path)
                    path.unlink(missing_ok=True)
        return killed

    def _kill(self, path: Path) -> list[int]:
        if not is_running(path.name):  # it has ended, and another may have its number
            return []
        pid, _ = parsed(path.name)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        _log.error("replica %d left no sign of life for %g s and was killed", pid, self._silent_s)
        return [pid]

    def _run(self) -> None:
        while not self._stopping.wait(WATCH_S):
            late_s = time.monotonic() - self._looked_at - WATCH_S
            self._looked_at = time.monotonic()
            if late_s < WATCH_S:  # else the whole machine stood still, and so did the hearts
                self.look()
