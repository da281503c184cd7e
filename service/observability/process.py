"""The identity of a process, unique even when the pid is used again, so that counts of two are never mixed up."""

from __future__ import annotations

import os
from pathlib import Path

_PROC = Path("/proc")


def start_ticks(pid: int) -> str | None:
    """Clock ticks from boot to the process's start, or None when it is not running (a zombie is not)."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return None if state in "ZX" else fields[18]


def identity(pid: int) -> str:
    """`pid-start`: differs between any two processes of one boot, even when the pid is used again."""
    return f"{pid}-{start_ticks(pid) or 0}"


def is_alive(process_identity: str) -> bool:
    """Whether the very process of that identity still runs. Without /proc, whether its pid does."""
    pid = int(process_identity.partition("-")[0])
    if _PROC.is_dir():
        return identity(pid) == process_identity and start_ticks(pid) is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
