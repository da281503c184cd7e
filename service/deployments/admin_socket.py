"""HAProxy's admin sockets: which processes there are, and what they answer."""

from __future__ import annotations

import contextlib
import re
import socket
from pathlib import Path

from service.deployments.processes import processes_of

FRONTEND = "http_frontend"
"""The frontend that Ray Serve writes for HTTP."""
ASK_TIMEOUT_S = 2.0


def haproxies(folder: Path) -> dict[int, list[str]]:
    """Process id and command line of the running HAProxy and of those before it that still answer."""
    return {
        pid: [word.decode() for word in words]
        for pid, words in processes_of(folder)
        if words[0].endswith(b"/haproxy") and b"-f" in words
    }


def admin_socket(words: list[str]) -> str:
    """Path of the admin socket of an HAProxy with this command line; empty when its configuration is gone."""
    with contextlib.suppress(OSError):
        config = Path(words[words.index("-f") + 1]).read_text("utf-8")
        if found := re.search(r"^\s*stats socket (\S+)", config, re.MULTILINE):
            return found[1]
    return ""


def ask(path: str, commands: str) -> str:
    """What HAProxy answers to commands on its admin socket. Raises OSError when nobody answers."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ASK_TIMEOUT_S)
        connection.connect(path)
        connection.sendall(f"{commands}\n".encode())
        pieces = []
        while piece := connection.recv(65536):
            pieces.append(piece)
    return b"".join(pieces).decode()
