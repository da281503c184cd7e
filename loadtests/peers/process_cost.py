"""CPU time and memory of a server's processes, read from /proc (Linux)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from loadtests.processes import REPLICA_TITLE, descendants, title

REPLICA, PROXY, RAY = "replica", "proxy", "Ray"
"""Who uses CPU: our replicas; HAProxy; Ray's own processes and the launcher."""
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_KIB_PER_MIB = 1024


def cpu_seconds(server_pid: int) -> Counter[str]:
    """CPU seconds that the processes of a server have used so far, by who they are."""
    used: Counter[str] = Counter()
    for pid in (server_pid, *descendants(server_pid)):
        used[_role(pid)] += _cpu_s(pid)  # type: ignore[assignment]  # a Counter counts seconds as well
    return used


def _role(pid: int) -> str:
    name = title(pid)
    if name.startswith(REPLICA_TITLE):
        return REPLICA
    return PROXY if "haproxy" in name.partition(" ")[0] else RAY


def _cpu_s(pid: int) -> float:
    """User and system time; 0.0 for a process that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of one or more processes in MiB."""

    rss: float
    """Resident: shared pages count in full for each process."""
    pss: float
    """Proportional: shared pages are divided by those who share them."""
    anonymous: float
    """Of `pss`: heap, stacks and arenas, in no file."""
    file: float
    """Of `pss`: pages of files, mostly libraries."""

    def __add__(self, other: Memory) -> Memory:
        return Memory(
            self.rss + other.rss, self.pss + other.pss, self.anonymous + other.anonymous, self.file + other.file
        )


def memory(pid: int) -> Memory:
    """Memory of a process now. Raises OSError when it has ended or belongs to somebody else."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kib = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    names = ("Rss", "Pss", "Pss_Anon", "Pss_File")
    return Memory(*(kib[name] / _KIB_PER_MIB for name in names))


def total_memory(pids: Iterable[int]) -> Memory:
    """Memory of several processes together."""
    return sum((memory(pid) for pid in pids), Memory(0.0, 0.0, 0.0, 0.0))


def largest_mappings(pid: int, count: int) -> list[tuple[str, float]]:
    """The `count` largest users of a process's memory, by file name, `[heap]` or `anonymous`: MiB of PSS."""
    used: dict[str, float] = {}
    name = ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        key, _, rest = line.partition(":")
        if "-" in line.split()[0]:  # 7f00-7f10 r-xp 00000000 08:01 1234  /path
            fields = line.split(maxsplit=5)
            name = Path(fields[5]).name if len(fields) == 6 else "anonymous"
        elif key == "Pss":
            used[name] = used.get(name, 0.0) + int(rest.split()[0]) / _KIB_PER_MIB
    return sorted(used.items(), key=lambda entry: -entry[1])[:count]
