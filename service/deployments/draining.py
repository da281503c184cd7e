"""Ends HAProxy in order: nothing new is taken, and every request that was taken is answered."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

from service.deployments.admin_socket import FRONTEND, admin_socket, ask, haproxies
from service.deployments.processes import kill

LOOK_EVERY_S = 0.05
GRACE_S = 1.0
"""How long connections without a request are left open at the end: a request on one of them is answered still."""


def finish_requests(folder: Path, timeout_s: float) -> None:
    """Have HAProxy take nothing new and wait until it ends, having answered everything; Serve would just kill it.

    `folder` is the server's private one. SIGUSR1, HAProxy's own way, closes its admin socket, too, and Serve kills a
    proxy whose socket is silent for three checks, a few seconds. So the frontend is shut through the socket, and
    SIGUSR1 comes once no request is under way, sent, waiting or read. Then idle connections are all that is left; a
    page that is open somewhere would keep one for longer than anybody waits.
    """
    deadline = time.monotonic() + timeout_s
    idle: set[int] = set()
    while time.monotonic() < deadline:
        pids = haproxies(folder)
        answered = [taken for path in {admin_socket(words) for words in pids.values()} if (taken := _shut(path))]
        silent = set(pids) - {pid for pid, _ in answered}
        kill(silent, signal.SIGUSR1)  # before the last reload: Serve has told them, too, and checks only the newest
        idle = {pid for pid, num_requests in answered if not num_requests}
        if not silent and len(idle) == len(answered):
            break
        time.sleep(LOOK_EVERY_S)
    pids = haproxies(folder)
    kill(pids, signal.SIGUSR1)
    idle_until = time.monotonic() + GRACE_S
    while (left := haproxies(folder).keys() & pids.keys()) and time.monotonic() < deadline:
        if time.monotonic() >= idle_until:
            kill(left & idle, signal.SIGTERM)
        time.sleep(LOOK_EVERY_S)


def _shut(path: str) -> tuple[int, int] | None:
    """Have the HAProxy behind an admin socket accept no connection more, and close each one after its next answer.

    Returns its process id and how many requests are under way; None when nobody answers.
    """
    try:
        told = ask(path, f"show info;shutdown frontend {FRONTEND};show sess")
        return int(re.findall(r"^Pid: (\d+)$", told, re.MULTILINE)[0]), told.count(f" fe={FRONTEND} ")
    except (OSError, IndexError):
        return None
