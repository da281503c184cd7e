"""Starts `make serve` as a person would, translates one sentence with its map, stops it with SIGTERM.

Ends with 0 only when the answer is right, and the port and every process are gone afterwards.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

READY_WITHIN_S = 180.0
STOPPED_WITHIN_S = 90.0
SENTENCE = "The black cat ate the mouse."
MARKER = "ATTENDANTS_SMOKE"  # inherited by every process that the server starts, so that none can hide


class SmokeError(Exception):
    """What went wrong."""


def main() -> int:
    """Run the smoke test; the exit status."""
    mark, port = uuid.uuid4().hex, free_port()
    environment = {**os.environ, MARKER: mark, "ATTENDANT_HTTP_PORT": str(port)}
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(
            ["make", "serve"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            check_translation(f"http://127.0.0.1:{port}", server)
            stop(server, port, mark)
        except SmokeError as error:
            log.seek(0)
            print(f"FAILED: {error}\n--- the server's last lines\n{''.join(log.readlines()[-60:])}")
            return 1
        finally:
            for pid in marked(mark):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    print("smoke: translated, stopped, nothing left behind")
    return 0


def check_translation(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server is ready, translate, and check the shape of text and map."""
    started = time.monotonic()
    while not is_ready(url):
        if server.poll() is not None:
            raise SmokeError(f"`make serve` ended with {server.returncode}")
        if time.monotonic() - started > READY_WITHIN_S:
            raise SmokeError(f"not ready within {READY_WITHIN_S:g} s")
        time.sleep(0.2)
    print(f"smoke: ready after {time.monotonic() - started:.1f} s")
    answer = post(f"{url}/v1/translate", {"text": SENTENCE, "source": "en", "target": "fr", "attention": True})
    (translation,) = answer["translations"]
    print(f"smoke: {SENTENCE} -> {translation['text']}")
    segment = translation["segments"][0]
    weights = segment["attention"]["maps"][0]["weights"]
    rows, columns = len(segment["target"]["tokens"]), len(segment["source"]["tokens"])
    if not translation["text"] or len(weights) != rows or any(len(row) != columns for row in weights):
        raise SmokeError(f"a map of {len(weights)} rows for {rows} target and {columns} source tokens")


def stop(server: subprocess.Popen[bytes], port: int, mark: str) -> None:
    """SIGTERM, as an operator would; the port and all processes must be gone."""
    server.terminate()
    try:
        server.wait(STOPPED_WITHIN_S)
    except subprocess.TimeoutExpired:
        raise SmokeError(f"SIGTERM did not end it within {STOPPED_WITHIN_S:g} s") from None
    left = {pid: command(pid) for pid in marked(mark)}
    if left:
        raise SmokeError(f"processes are left: {left}")
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise SmokeError(f"port {port} is still open")


def is_ready(url: str) -> bool:
    """Whether GET /health/ready says yes."""
    try:
        with open_url(f"{url}/health/ready") as response:
            return bool(response.status == 200)
    except OSError:
        return False


def post(url: str, body: dict[str, Any]) -> Any:
    """The JSON answer to a JSON body."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    try:
        with open_url(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SmokeError(f"{error.code}: {error.read(2000).decode(errors='replace')}") from error


def open_url(request: str | urllib.request.Request) -> Any:
    """Open a URL of this machine, past any proxy."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def marked(mark: str) -> list[int]:
    """Living processes that inherited the mark (Linux; elsewhere none is found)."""
    wanted = f"{MARKER}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
        except OSError:  # it has just ended, or is somebody else's
            continue
    return found


def command(pid: int) -> str:
    """What a process runs."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()[:120]
    except OSError:
        return "(ended)"


if __name__ == "__main__":
    sys.exit(main())
