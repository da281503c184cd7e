"""Translations that HAProxy refused itself, since no replica answered: they count as requests that failed.

HAProxy counts them in a table of its frontend (`haproxy.py`), which is read through the admin socket. A reload begins a
new table, and what an HAProxy answers after its last reload is not counted.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from service.deployments.admin_socket import FRONTEND, admin_socket, ask, haproxies
from service.deployments.watch import Watch
from service.observability import table
from service.observability.labels import OTHER
from service.observability.series import series_in

LOOK_EVERY_S = 2.0
ROUTE, CODE = "/v1/translate", "not_ready"


class ProxyAnswers(Watch):
    """Adds HAProxy's count to the node's metrics, from a thread of its own."""

    def __init__(self, folder: Path, metrics: Path) -> None:
        """`folder` is the server's private one, `metrics` the one in which replicas share their numbers."""
        super().__init__("proxy-answers", LOOK_EVERY_S)
        self._folder, self._metrics = folder, metrics
        self._seen: dict[int, int] = {}
        """By the process id of an HAProxy, as it was read last."""

    def look(self) -> int:
        """Count what is new, and say how many that are."""
        found = {}
        for path in {admin_socket(words) for words in haproxies(self._folder).values()} - {""}:
            with contextlib.suppress(OSError, IndexError):
                told = ask(path, f"show info;show table {FRONTEND}")
                pid = int(re.findall(r"^Pid: (\d+)$", told, re.MULTILINE)[0])
                found[pid] = sum(map(int, re.findall(r" gpc0=(\d+)", told)))
        new = sum(max(0, count - self._seen.get(pid, 0)) for pid, count in found.items())
        self._seen |= found
        if new:
            series_in(self._metrics).series(table.REQUESTS, ROUTE, OTHER, CODE).add(new)
        return new
