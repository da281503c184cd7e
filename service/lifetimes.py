"""Whether a process still runs, by its number and the time of its start: numbers are given away again."""

from __future__ import annotations

import os
from pathlib import Path


def this_process() -> str:
    """A name of this process that no other one on this machine gets before it starts anew."""
    return named(os.getpid())


def named(pid: int) -> str:
    """The same of another process that runs."""
    return f"{pid}.{started_at(pid)}"


def parsed(name: str) -> tuple[int, int]:
    """Process id and start of a name by `this_process`."""
    pid, _, started = name.partition(".")
    return int(pid), int(started)


def is_running(name: str) -> bool:
    """Whether the process of that name has not ended; one that nothing can be learnt of runs."""
    pid, started = parsed(name)
    try:
        return started_at(pid) == started
    except OSError:
        return True


def started_at(pid: int) -> int:
    """When a process started, in clock ticks since the machine did; 0 when it has ended or this is not Linux."""
    fields = status_fields(pid)
    return int(fields[19]) if fields and fields[0] not in "ZX" else 0


def status_fields(pid: int) -> list[str]:
    """Fields of /proc/pid/stat from the state on; empty when the process has ended. Raises OSError, as when this
    process has no descriptor left."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
