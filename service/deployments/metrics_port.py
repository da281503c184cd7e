"""A port of their own for a machine's metrics and health, so that neither needs an API key nor a replica."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from service.deployments import members
from service.deployments.environment import METRICS, TOKEN
from service.errors import ConfigurationError
from service.observability import table
from service.observability.exposition import exposed_node, node_totals
from service.settings import Settings, variable

TARGETS_S = 20.0
"""For which the list of machines is kept: asking the head takes a second."""
ASK_TIMEOUT_S = 15.0

Answer = tuple[int, str, bytes]
"""Status, media type, body."""
Page = Callable[[str], Answer]
"""Answers a request with this header `accept`."""


@contextlib.contextmanager
def metrics_server(settings: Settings, folder: Path, head: str | None = None) -> Iterator[None]:
    """Answer on the settings' metrics port, if there is one, for as long as the block runs.

    `folder` is the machine's private one; `head` is the cluster's control, whose machines GET /targets lists for
    Prometheus' HTTP service discovery. Raises ConfigurationError when the port is taken.
    """
    port = settings.metrics_port
    if port is None:
        yield
        return
    pages: dict[str, Page] = {
        "/metrics": lambda accept: _metrics(folder / METRICS, accept),
        "/health/live": lambda _: (200, "application/json", b'{"status":"live"}'),
        "/health/ready": lambda _: _ready(folder / METRICS),
    }
    if head is not None:
        pages["/targets"] = _Targets(head, folder / TOKEN, port).page
    try:
        server = _Server((settings.http_host, port), _handler(pages))
    except OSError as error:
        where = f"{variable('metrics_port')} {port} of {settings.http_host}"
        raise ConfigurationError(f"{where} cannot be listened on: {error.strerror}; choose another port") from None
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    """Listens on an address of either kind: one with a colon is IPv6."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)


def _metrics(directory: Path, accept: str) -> Answer:
    body, media_type = exposed_node(directory, accept)
    return 200, media_type, body


def _ready(directory: Path) -> Answer:
    is_ready = node_totals(directory)[table.REPLICAS_READY.name] > 0
    return (
        (200, "application/json", b'{"status":"ready"}')
        if is_ready
        else (503, "application/json", b'{"status":"not ready"}')
    )


class _Targets:
    """Every living machine of the cluster, as Prometheus wants them."""

    def __init__(self, head: str, token_file: Path, port: int) -> None:
        self._command = [sys.executable, "-m", members.__name__, "list", head, str(token_file)]
        self._port, self._lock = port, threading.Lock()
        self._found: list[str] = []
        self._asked_at = -TARGETS_S

    def page(self, accept: str = "") -> Answer:
        """The machines; those of before when the head does not answer."""
        with self._lock:
            if time.monotonic() - self._asked_at > TARGETS_S:
                with contextlib.suppress(subprocess.SubprocessError):
                    done = subprocess.run(self._command, capture_output=True, check=True, timeout=ASK_TIMEOUT_S)
                    self._found = done.stdout.decode().split()
                self._asked_at = time.monotonic()
            targets = [f"[{one}]:{self._port}" if ":" in one else f"{one}:{self._port}" for one in self._found]
        return 200, "application/json", json.dumps([{"targets": targets, "labels": {"job": "attendant"}}]).encode()


def _handler(pages: dict[str, Page]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10.0

        def do_GET(self) -> None:
            page = pages.get(self.path.partition("?")[0])
            status, media_type, body = (
                page(self.headers.get("accept", ""))
                if page
                else (404, "text/plain", b"try /metrics or /health/ready\n")
            )
            self.send_response(status)
            self.send_header("content-type", media_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 the library's name
            """Scrapes are not worth a line."""

    return Handler
