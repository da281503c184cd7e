"""Whether a server of this machine is ready, as the image's health check and `attendant serve` ask."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from loadtests.server import free_port
from service.deployments import probe
from service.deployments.probe import is_ready, local_url
from service.settings import Settings
from tests.service.deployments.test_certificate import certificate

PROXIES = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
"""Where nobody listens."""
Serve = Callable[..., int]


class Handler(BaseHTTPRequestHandler):
    """Answers GET /health/ready with the server's `status`."""

    def do_GET(self) -> None:
        self.send_response(self.server.status if self.path == "/health/ready" else 404)  # type: ignore[attr-defined]
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Serve]:
    """`serve(status, pem)`: a server with that answer, by HTTPS where it has a certificate; its port."""
    with ExitStack() as stack:

        def start(status: int = 200, pem: Path | None = None) -> int:
            server = HTTPServer(("127.0.0.1", 0), Handler)
            server.status = status  # type: ignore[attr-defined]
            if pem is not None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(pem)
                server.socket = context.wrap_socket(server.socket, server_side=True)
            thread = threading.Thread(target=server.serve_forever, args=(0.02,))
            thread.start()
            stack.callback(server.server_close)
            stack.callback(thread.join, 10)
            stack.callback(server.shutdown)
            return int(server.server_port)

        yield start


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificates")
    return certificate(tmp_path / "pair.pem", "attendant")


def checked(**variables: str) -> int:
    """The exit status of the health check in that environment."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ATTENDANT_")}
    done = subprocess.run([sys.executable, "-m", probe.__name__], env=plain | PROXIES | variables, check=False)
    return done.returncode


@pytest.mark.parametrize(("status", "expected"), [(200, 0), (503, 1)])
def test_the_health_check_asks_the_server_and_no_proxy(serve: Serve, status: int, expected: int) -> None:
    assert checked(ATTENDANT_HTTP_HOST="0.0.0.0", ATTENDANT_HTTP_PORT=str(serve(status))) == expected


def test_the_health_check_speaks_https_where_a_certificate_is_set(serve: Serve, pem: Path) -> None:
    port = str(serve(200, pem))
    assert checked(ATTENDANT_HTTP_PORT=port, ATTENDANT_TLS_CERTIFICATE=str(pem)) == 0
    assert checked(ATTENDANT_HTTP_PORT=port) == 1


def test_the_start_of_the_server_asks_no_proxy(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PROXIES.items():
        monkeypatch.setenv(name, value)
    assert is_ready(f"http://127.0.0.1:{serve()}", 10.0)


def test_nobody_is_not_ready() -> None:
    port = free_port()
    assert not is_ready(f"http://127.0.0.1:{port}", 10.0)


@pytest.mark.parametrize(
    ("host", "is_https", "url"),
    [
        ("0.0.0.0", False, "http://127.0.0.1:8000"),
        ("::", True, "https://[::1]:8000"),
        ("10.0.0.1", True, "https://10.0.0.1:8000"),
        ("fd00::1", False, "http://[fd00::1]:8000"),
    ],
)
def test_a_server_on_every_interface_is_asked_by_loopback(host: str, is_https: bool, url: str) -> None:
    assert local_url(host, 8000, is_https) == url


def test_an_unset_port_is_that_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def is_ready(url: str, timeout_s: float) -> bool:
        asked.append(url)
        return True

    monkeypatch.setattr(probe, "is_ready", is_ready)
    for name in ("HOST", "PORT"):
        monkeypatch.delenv(f"ATTENDANT_HTTP_{name}", raising=False)
    monkeypatch.delenv("ATTENDANT_TLS_CERTIFICATE", raising=False)
    settings = Settings()
    assert probe.main() == 0
    assert asked == [local_url(settings.http_host, settings.http_port, settings.tls_certificate is not None)]
