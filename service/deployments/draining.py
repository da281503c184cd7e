"""Ends HAProxy in order: nothing new is taken, and every request that was taken is answered."""

from __future__ import annotations

import csv
import re
import signal
import time
from pathlib import Path

from service.deployments.admin_socket import FRONTEND, admin_socket, ask, haproxies
from service.deployments.processes import kill

LOOK_EVERY_S = 0.05
_SERVERS = "4"
"""HAProxy's number for servers, as against frontends and backends, in `show stat`."""


def finish_requests(folder: Path, timeout_s: float) -> None:
    """Have HAProxy take nothing new and wait until it ends, having answered everything; Serve would just kill it.

    `folder` is the server's private one. SIGUSR1, HAProxy's own way, closes its admin socket, too, and Serve kills a
    proxy whose socket is silent for three checks, a few seconds. So the frontend is shut through the socket, and
    SIGUSR1 comes once the replicas have answered everything: it waits for clients that still send, or still read.
    """
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        pids = haproxies(folder)
        answered = [taken for path in {admin_socket(words) for words in pids.values()} if (taken := _shut(path))]
        silent = set(pids) - {pid for pid, _ in answered}
        kill(silent, signal.SIGUSR1)  # before the last reload: Serve has told them, too, and checks only the newest
        if not silent and not any(num_requests for _, num_requests in answered):
            break
        time.sleep(LOOK_EVERY_S)
    pids = haproxies(folder)
    kill(pids, signal.SIGUSR1)
    while haproxies(folder).keys() & pids.keys() and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_S)


def _shut(path: str) -> tuple[int, int] | None:
    """Have the HAProxy behind an admin socket accept no connection more, and close each one after its next answer.

    Returns its process id and how many requests replicas have not yet answered; None when nobody answers.
    """
    try:
        info, _, stat = (ask(path, f"show info;shutdown frontend {FRONTEND};show stat -1 {_SERVERS} -1")).partition(
            "# pxname"
        )
        num_requests = sum(int(row["qcur"]) + int(row["scur"]) for row in csv.DictReader(f"pxname{stat}".splitlines()))
        return int(re.findall(r"^Pid: (\d+)$", info, re.MULTILINE)[0]), num_requests
    except (OSError, IndexError, ValueError, KeyError):
        return None
