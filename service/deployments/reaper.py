"""Ends what a server has started when the server itself was killed: nobody would watch, drain or stop it any more."""

from __future__ import annotations

import contextlib
import logging
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from service.deployments.processes import end_all, processes_of
from service.deployments.watch import Watch

ENDED = b"ended"
"""What a server says that ends by itself."""


LOOK_EVERY_S = 1.0

_log = logging.getLogger("attendant.reaper")  # by its name: the process needs nothing else of the logs


class Reaper(Watch):
    """A process of its own, which sees whether this one is killed; another one in its place where it is killed."""

    def __init__(self, folder: Path, *shared: Path) -> None:
        """It then ends what was started with the environment of this private `folder`, and removes the folder, and the
        `shared` ones that nobody else uses."""
        super().__init__("reaper", LOOK_EVERY_S)
        self._command = [sys.executable, "-m", __name__, str(folder), *map(str, shared)]
        self._process = self._started()

    def look(self) -> None:
        """Start another one where it has ended."""
        if self._process.poll() is not None:
            _log.warning("the process that cleans up after this one has ended; another one starts")
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = self._started()

    def stop(self) -> None:
        """Say that this process ends by itself, and has cleaned up."""
        super().stop()
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate(ENDED)

    def _started(self) -> subprocess.Popen[bytes]:
        silent = subprocess.DEVNULL
        return subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, start_new_session=True
        )


@contextlib.contextmanager
def reaped(folder: Path, *shared: Path) -> Iterator[None]:
    """A `Reaper` for as long as the block runs."""
    reaper = Reaper(folder, *shared)
    reaper.start()
    try:
        yield
    finally:
        reaper.stop()


def main(folders: list[Path]) -> None:
    """Wait for the end of the process that started this one, and clean up unless it says that it did."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # told to all processes of a service at once
    if sys.stdin.buffer.read() != ENDED:
        end_all(folders[0])
        for folder in folders:
            if not any(processes_of(folder)):
                shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]])
