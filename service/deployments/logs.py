"""The replicas' log lines on the server's own standard error, through a pipe with a name: Ray keeps theirs in files."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def forwarded_logs(path: Path, stream: TextIO | None = None) -> Iterator[Path]:
    """Make the pipe `path`; whole lines written to it by any process appear on `stream` (standard error) meanwhile."""
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)  # ours, so that the reader sees no end while replicas come and go
    os.set_blocking(reader, True)
    thread = threading.Thread(target=_copy, args=(reader, stream or sys.stderr), name="logs", daemon=True)
    thread.start()
    try:
        yield path
    finally:
        os.close(writer)
        thread.join(timeout=2.0)  # a process that still holds the pipe must not hold us


def _copy(reader: int, stream: TextIO) -> None:
    with os.fdopen(reader, "r", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            stream.write(line)
            stream.flush()
