"""A peer's HTTP server as a subprocess on loopback, and how much CPU a tree of processes uses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from loadtests.processes import descendants, kill
from loadtests.server import Server, ServerError, tail

READY_WITHIN_S = 90.0
STOPPED_WITHIN_S = 15.0


@contextmanager
def running_process(
    command: Sequence[str], url: str, ready_path: str, environment: Mapping[str, str], folder: Path | None = None
) -> Iterator[Server]:
    """Start it in `folder` with these variables besides our own, wait until `ready_path` answers 200, end it.

    Its children end with it; without a folder it gets an empty one.
    Raises ServerError with the tail of its log when it ends early or is not ready in time.
    """
    with tempfile.TemporaryDirectory(prefix="attendant-peer-") as temporary:
        log = Path(temporary) / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                command,
                cwd=folder or temporary,
                env=os.environ | environment,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        server = Server(url, process, log)
        try:
            _wait_until_ready(server, ready_path)
            yield server
        finally:
            _end(process)


def end_on_sigterm() -> None:
    """Let SIGTERM unwind this process as Ctrl-C does, so that the servers that it started end with it."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def cpu_seconds(pid: int) -> float:
    """CPU seconds, user and system, that a process and its living descendants have used since they began."""
    ticks = 0
    for each in (pid, *descendants(pid)):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def idle_cores(pid: int, seconds: float) -> float:
    """Cores that a tree of processes uses while nobody asks it anything."""
    before, started = cpu_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return (cpu_seconds(pid) - before) / (time.monotonic() - started)


def _wait_until_ready(server: Server, path: str) -> None:
    started = time.monotonic()
    with httpx.Client(base_url=server.url, timeout=5.0, trust_env=False) as client:
        while time.monotonic() - started < READY_WITHIN_S:
            if server.process.poll() is not None:
                raise ServerError(f"the peer ended with {server.process.returncode}\n{tail(server)}")
            try:
                if client.get(path).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.1)
    raise ServerError(f"the peer was not ready within {READY_WITHIN_S:g} s\n{tail(server)}")


def _end(process: subprocess.Popen[bytes]) -> None:
    children = descendants(process.pid)
    process.terminate()
    try:
        process.wait(STOPPED_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
    for child in children:
        kill(child, signal.SIGKILL)
