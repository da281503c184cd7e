"""Real servers: `attendant serve` in a process group of its own, over the tiny store."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from loadtests.server import free_port

START_TIMEOUT_S = 240.0
STOP_TIMEOUT_S = 60.0


@dataclass
class Server:
    """A running `attendant serve`."""

    process: subprocess.Popen[str]
    port: int
    folder: Path
    """Where its temporary files are."""
    output: list[str] = field(default_factory=list)
    ready: threading.Event = field(default_factory=threading.Event)

    scheme: str = "http"

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def follow(self) -> None:
        """Keep its output; runs until the process ends."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.output.append(line)
            if line.startswith("Ready after"):
                self.ready.set()
        self.ready.set()

    def translate(self, text: str) -> httpx.Response:
        """One translation."""
        fields = {"text": text, "max_output_tokens": 8}
        return httpx.post(f"{self.url}/v1/translate", json=fields, timeout=30.0)

    def processes(self, name: str = "") -> list[int]:
        """Everything that it started, by the private folder in the process's environment or command line."""
        mark = str(self.folder).encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    text = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                    title = (entry / "cmdline").read_text(errors="replace")
                except OSError:
                    continue
                if mark in text and name in title:
                    found.append(int(entry.name))
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal to the server alone and wait for its end."""
        self.process.send_signal(number)
        return self.process.wait(STOP_TIMEOUT_S)

    def log(self) -> str:
        """Everything it wrote."""
        return "".join(self.output)


Serve = Callable[..., Server]


@pytest.fixture(scope="module")
def serve(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(ATTENDANT_...="...")`: start a server, or another `command` that runs until it is told to end, and wait
    until it is ready, unless told not to. All are stopped afterwards."""
    servers: list[Server] = []

    def start(
        port: int | None = None, waits: bool = True, command: Sequence[str] = ("serve",), **variables: str
    ) -> Server:
        port = port or free_port()
        folder = Path("/tmp") / f"att{os.getpid()}-{len(servers)}"  # short, for Unix sockets
        folder.mkdir(mode=0o700)
        environment = {name: value for name, value in os.environ.items() if not re.match("RAY_|ATTENDANT_", name)}
        environment |= {"ATTENDANT_STORE": str(store), "ATTENDANT_HTTP_PORT": str(port), "TMPDIR": str(folder)}
        process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", *command],
            env=environment | variables,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        server = Server(process, port, folder, scheme="https" if "ATTENDANT_TLS_CERTIFICATE" in variables else "http")
        servers.append(server)
        threading.Thread(target=server.follow, daemon=True).start()
        if waits:
            assert server.ready.wait(START_TIMEOUT_S), server.log()
            assert process.poll() is None, server.log()
        return server

    yield start
    for server in servers:
        _end(server)


def _end(server: Server) -> None:
    if server.process.poll() is None:
        server.process.terminate()
        try:
            server.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            server.process.kill()
            server.process.wait()
    for pid in server.processes():
        os.kill(pid, signal.SIGKILL)
    assert server.process.stderr is not None
    server.process.stderr.close()
    for path in sorted(server.folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    server.folder.rmdir()
