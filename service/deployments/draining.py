"""Ends HAProxy in order: nothing new is taken, and every request that was taken is answered."""

from __future__ import annotations

import contextlib
import csv
import re
import signal
import socket
import time
from pathlib import Path

from service.deployments.processes import kill, processes_of

FRONTEND = "http_frontend"
"""The frontend that Ray Serve writes for HTTP."""
ASK_TIMEOUT_S = 2.0
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
        pids = _haproxies(folder)
        answered = [taken for path in {_admin_socket(words) for words in pids.values()} if (taken := _shut(path))]
        silent = set(pids) - {pid for pid, _ in answered}
        kill(silent, signal.SIGUSR1)  # before the last reload: Serve has told them, too, and checks only the newest
        if not silent and not any(num_requests for _, num_requests in answered):
            break
        time.sleep(LOOK_EVERY_S)
    pids = _haproxies(folder)
    kill(pids, signal.SIGUSR1)
    while _haproxies(folder).keys() & pids.keys() and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_S)


def _haproxies(folder: Path) -> dict[int, list[str]]:
    """Process id and command line of the running HAProxy and of those before it that still answer."""
    return {
        pid: [word.decode() for word in words]
        for pid, words in processes_of(folder)
        if words[0].endswith(b"/haproxy") and b"-f" in words
    }


def _admin_socket(words: list[str]) -> str:
    """Path of the admin socket of an HAProxy with this command line; empty when its configuration is gone."""
    with contextlib.suppress(OSError):
        config = Path(words[words.index("-f") + 1]).read_text("utf-8")
        if found := re.search(r"^\s*stats socket (\S+)", config, re.MULTILINE):
            return found[1]
    return ""


def _shut(path: str) -> tuple[int, int] | None:
    """Have the HAProxy behind an admin socket accept no connection more, and close each one after its next answer.

    Returns its process id and how many requests replicas have not yet answered; None when nobody answers.
    """
    try:
        info, _, stat = (_ask(path, f"show info;shutdown frontend {FRONTEND};show stat -1 {_SERVERS} -1")).partition(
            "# pxname"
        )
        num_requests = sum(int(row["qcur"]) + int(row["scur"]) for row in csv.DictReader(f"pxname{stat}".splitlines()))
        return int(re.findall(r"^Pid: (\d+)$", info, re.MULTILINE)[0]), num_requests
    except (OSError, IndexError, ValueError, KeyError):
        return None


def _ask(path: str, commands: str) -> str:
    """What HAProxy answers to commands on its admin socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ASK_TIMEOUT_S)
        connection.connect(path)
        connection.sendall(f"{commands}\n".encode())
        pieces = []
        while piece := connection.recv(65536):
            pieces.append(piece)
    return b"".join(pieces).decode()
