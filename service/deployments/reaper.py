"""Ends what a server has started when the server itself was killed: nobody would watch, drain or stop it any more."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from service.deployments.processes import LEFT_S, kill, processes_of

ENDED = b"ended"
"""What a server says that ends by itself."""


@contextlib.contextmanager
def reaped(folder: Path, *shared: Path) -> Iterator[None]:
    """A process of its own sees whether this one is killed while the block runs. It then ends what was started with the
    environment of this private folder, and removes the folder, and the `shared` ones that nobody else uses."""
    command = [sys.executable, "-m", __name__, str(folder), *map(str, shared)]
    silent = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, start_new_session=True)
    try:
        yield
    finally:
        process.communicate(ENDED)


def end_all(folder: Path) -> None:
    """Kill what belongs to the private folder, and wait until it is gone: HAProxy's folder stays as long as it has
    users."""
    deadline = time.monotonic() + LEFT_S
    while (left := [pid for pid, _ in processes_of(folder)]) and time.monotonic() < deadline:
        kill(left)
        time.sleep(0.02)


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
