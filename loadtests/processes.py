"""The processes of a server, found in /proc (Linux): replicas are its descendants with Ray's title for them."""

from __future__ import annotations

import os
from pathlib import Path

from service.lifetimes import status_fields

REPLICA_TITLE = "ray::ServeReplica:"
"""How Ray names a replica's process; the application and deployment follow."""


def replica_pids(server_pid: int) -> list[int]:
    """Replicas of the server with that pid, oldest first."""
    return sorted(
        (pid for pid in descendants(server_pid) if title(pid).startswith(REPLICA_TITLE)), key=lambda pid: _started(pid)
    )


def descendants(pid: int) -> list[int]:
    """Children of a process, their children, and so on; those that end meanwhile may be missing."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        fields = status_fields(int(path.name))
        if fields:
            children.setdefault(int(fields[1]), []).append(int(path.name))
    found, waiting = [], list(children.get(pid, ()))
    while waiting:
        child = waiting.pop()
        found.append(child)
        waiting += children.get(child, ())
    return found


def title(pid: int) -> str:
    """A process's command line, which it may have replaced by a title; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    fields = status_fields(pid)
    return bool(fields) and fields[0] not in "ZX"


def anonymous_mib(pid: int) -> float:
    """Memory of its own that a process holds, without mapped files, in MiB; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon:")), 0.0)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used since its start; 0 when it has ended."""
    fields = status_fields(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def num_descriptors(pid: int) -> int:
    """Open descriptors of a process; 0 when it has ended."""
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def _started(pid: int) -> int:
    fields = status_fields(pid)
    return int(fields[19]) if fields else 0


def kill(pid: int, signal_number: int) -> None:
    """Send a signal, which a process that has just ended does not mind."""
    try:
        os.kill(pid, signal_number)
    except ProcessLookupError:
        return
