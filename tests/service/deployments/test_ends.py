"""However a server is told to end, nothing of it is left: no process, no file, no port, and no crash text of others."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from loadtests.server import free_port
from service.deployments.environment import shared_proxy_folder
from tests.service.deployments.conftest import STOP_TIMEOUT_S, Serve, Server

pytestmark = pytest.mark.slow
GONE_WITHIN_S = 10.0
"""After the server itself has ended: for what it has killed, and the kernel has not yet taken away."""


def assert_nothing_is_left(server: Server) -> None:
    until = time.monotonic() + GONE_WITHIN_S
    while server.processes() and time.monotonic() < until:
        time.sleep(0.1)
    assert server.processes() == []
    assert list(server.folder.iterdir()) == []
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))
    assert not re.search("Traceback|core dumped|Fatal|ray::|raylet", server.log()), server.log()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("after_s", [0.3, 1.5, 3.0, 5.0, 8.0])
def test_a_signal_while_it_starts(serve: Serve, number: int, after_s: float) -> None:
    server = serve(waits=False)
    threading.Event().wait(after_s)
    server.stop(number)
    assert_nothing_is_left(server)


@pytest.mark.parametrize("numbers", [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM)])
@pytest.mark.parametrize("between_s", [0.05, 1.0])
def test_a_second_signal_ends_it_at_once(serve: Serve, numbers: tuple[int, int], between_s: float) -> None:
    server = serve(ATTENDANT_MAX_WAIT_S="60")
    texts = ["The old man who lives near the station told me that.\n" * 10] * 60

    def ask() -> None:
        try:
            httpx.post(f"{server.url}/v1/translate", json={"text": texts, "beam_size": 4}, timeout=STOP_TIMEOUT_S)
        except httpx.HTTPError:
            return  # cut off, as was asked for

    with ThreadPoolExecutor() as threads:
        asked = [threads.submit(ask) for _ in range(4)]
        threading.Event().wait(1.0)
        server.process.send_signal(numbers[0])
        threading.Event().wait(between_s)
        told = time.monotonic()
        server.stop(numbers[1])
        assert time.monotonic() - told < STOP_TIMEOUT_S / 4
        for one in asked:
            one.result()
    assert_nothing_is_left(server)


def test_what_a_killed_server_started_ends_with_it(serve: Serve) -> None:
    server = serve()
    server.stop(signal.SIGKILL)
    assert_nothing_is_left(server)


def test_what_a_killed_machine_started_ends_with_it(serve: Serve, tmp_path: Path) -> None:
    token, control = tmp_path / "token", str(free_port())
    server = serve(command=["node", "--head", "--address", "127.0.0.2", "--port", control, "--token-file", str(token)])
    server.stop(signal.SIGKILL)
    assert_nothing_is_left(server)
    assert not shared_proxy_folder(token.read_text().strip()).exists()


def test_a_machine_whose_ray_has_left_ends_and_says_so(serve: Serve, tmp_path: Path) -> None:
    token, control = tmp_path / "token", str(free_port())
    server = serve(command=["node", "--head", "--address", "127.0.0.2", "--port", control, "--token-file", str(token)])
    (raylet,) = server.processes("raylet/raylet")
    os.kill(raylet, signal.SIGTERM)  # it leaves in good order, and `ray start` finds nothing wrong with that
    assert server.process.wait(STOP_TIMEOUT_S) == 1
    assert "Ray ended on this machine: " in server.log()
    assert server.processes() == []


def test_top_says_that_the_head_is_gone_and_ends_when_it_is_told(serve: Serve, tmp_path: Path) -> None:
    token, control = tmp_path / "token", str(free_port())
    place = ["--head", "--address", "127.0.0.2", "--port", control, "--token-file", str(token)]
    server = serve(command=["node", *place])
    asked = ["top", "--cluster", f"127.0.0.2:{control}", "--token-file", str(token), "--every", "0.5"]
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", *asked],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(server.folder)},
        text=True,
    ) as top:
        assert top.stdout is not None
        seen = ""
        for told in ("node 127.0.0.2: requests per second 0", "No answer for "):
            while told not in seen:
                seen += (line := top.stdout.readline())
                assert line, f"it ended by itself: {seen}"
            server.process.kill()
        top.send_signal(signal.SIGINT)
        assert top.wait(GONE_WITHIN_S) == 0
    assert_nothing_is_left(server)


@pytest.mark.parametrize("after_s", [0.5, 3.0, None])
def test_a_machine_of_a_cluster_leaves_nothing_either(serve: Serve, tmp_path: Path, after_s: float | None) -> None:
    token, control = tmp_path / "token", free_port()
    place = ["--head", "--address", "127.0.0.2", "--port", str(control), "--token-file", str(token)]
    server = serve(waits=after_s is None, command=["node", *place])
    threading.Event().wait(after_s or 0.0)
    told = time.monotonic()
    server.stop(signal.SIGTERM)
    assert time.monotonic() - told < STOP_TIMEOUT_S / 2
    assert_nothing_is_left(server)
    assert not token.exists() or not shared_proxy_folder(token.read_text().strip()).exists()
