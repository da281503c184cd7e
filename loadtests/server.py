"""A server of our own to test: `attendant serve` as a subprocess on a free port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from service.deployments.environment import HTTP_PORTS, free_ports

READY_WITHIN_S = 120.0
STOPPED_WITHIN_S = 90.0
NUM_SHARES = 8
"""Of the ports that processes take turns in."""
NUM_GIVEN = 64
"""Ports of this process that are not given again at once."""
_given: deque[int] = deque(maxlen=NUM_GIVEN)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    """What it has written to its standard streams."""


class ServerError(Exception):
    """The server did not do what a server should; the message ends with the tail of its log."""


@contextmanager
def running_server(num_replicas: int = 1, **settings: str) -> Iterator[Server]:
    """Start a server with ATTENDANT_* settings, wait until it is ready, and stop it in the end, whatever happens."""
    command = [str(Path(sys.executable).with_name("attendant")), "serve"]
    numbered = {"ATTENDANT_NUM_REPLICAS": str(num_replicas), **settings}
    with running_command(command, {"ATTENDANT_HTTP_PORT": str(free_port()), **numbered}) as server:
        yield server


@contextmanager
def running_command(command: Sequence[str], settings: Mapping[str, str]) -> Iterator[Server]:
    """The same for any command that serves by ATTENDANT_* settings, of which ATTENDANT_HTTP_PORT is one."""
    with tempfile.TemporaryDirectory(prefix="attendant-loadtest-") as folder:
        log, environment = Path(folder) / "log", os.environ | settings
        with log.open("wb") as stream:
            process = subprocess.Popen(command, env=environment, stdout=stream, stderr=stream, start_new_session=True)
        server = Server(f"http://127.0.0.1:{settings['ATTENDANT_HTTP_PORT']}", process, log)
        with sigterm_unwinds():
            try:
                wait_until_ready(server)
                yield server
            finally:
                stop(server)


@contextmanager
def sigterm_unwinds() -> Iterator[None]:
    """A SIGTERM ends this process as Ctrl-C would, so that what it started is not left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def wait_until_ready(server: Server, within_s: float = READY_WITHIN_S) -> float:
    """Seconds until GET /health/ready said yes. Raises ServerError when it does not in time, or the process ends."""
    started = time.monotonic()
    with httpx.Client(base_url=server.url, timeout=2.0, trust_env=False) as client:
        while (waited := time.monotonic() - started) < within_s:
            if server.process.poll() is not None:
                raise ServerError(f"the server ended with {server.process.returncode}\n{tail(server)}")
            if _says_ready(client):
                return waited
            time.sleep(0.1)
    raise ServerError(f"not ready within {within_s:g} s\n{tail(server)}")


def stop(server: Server, within_s: float = STOPPED_WITHIN_S) -> int:
    """Ask it to end as an operator would, with SIGTERM; its exit status. One that does not is killed, and an error."""
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGTERM)
    try:
        return server.process.wait(within_s)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait(10)
        raise ServerError(f"SIGTERM did not end it within {within_s:g} s\n{tail(server)}") from None


def tail(server: Server, num_lines: int = 30) -> str:
    """The last lines of its log."""
    return "\n".join(server.log.read_text(errors="replace").splitlines()[-num_lines:])


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now, of this process's share: another process that starts
    a server at the same moment nearly always gets another one. The next NUM_GIVEN calls give others, too."""
    share = HTTP_PORTS[os.getpid() % NUM_SHARES :: NUM_SHARES]
    (port,) = free_ports(1, [port for port in share if port not in _given])
    _given.append(port)
    return port


def _says_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/health/ready").status_code == 200
    except httpx.HTTPError:
        return False
