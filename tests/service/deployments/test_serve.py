"""`attendant serve`, for real: Ray, Serve, HAProxy, two replicas; translating, dying, stopping."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.api.keys import new_key

Serve = Callable[..., Any]
ACCEPTED_WITHIN_S = 1.0
"""A connection, by HAProxy, on a busy machine."""


@pytest.fixture(scope="module")
def server(serve: Serve) -> Any:
    """One server with two replicas for the tests that leave it running."""
    return serve(ATTENDANT_NUM_REPLICAS="2", ATTENDANT_MAX_BODY_BYTES="65536")


def listeners(pids: list[int]) -> dict[str, int]:
    """Address and port of every TCP socket that these processes listen on, and the process."""
    inodes = {}
    for pid in pids:
        folder = f"/proc/{pid}/fd"
        for descriptor in os.listdir(folder):
            try:
                inodes[os.readlink(f"{folder}/{descriptor}")] = pid
            except OSError:
                continue
    found = {}
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            parts = line.split()
            if parts[3] == "0A" and f"socket:[{parts[9]}]" in inodes:
                found[parts[1]] = inodes[f"socket:[{parts[9]}]"]
    return found


def in_flight(server: Any) -> float:
    """Requests that replicas are working on, with the one that asks for it."""
    shown = httpx.get(f"{server.url}/metrics").text
    return float(re.findall(r"^attendant_requests_in_flight (.+)$", shown, re.MULTILINE)[0])


def signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        os.kill(pid, number)


def test_it_translates_with_attention(server: Any) -> None:
    answer = httpx.post(f"{server.url}/v1/translate", json={"text": "The cat.", "attention": True}, timeout=30.0)
    assert answer.status_code == 200
    assert answer.json()["translations"][0]["segments"][0]["attention"]["maps"]
    assert answer.headers.get_list("x-request-id") == [answer.json()["id"]]


def test_a_sane_request_id_comes_back_once(server: Any) -> None:
    answer = httpx.get(f"{server.url}/v1/models", headers={"x-request-id": "mine-1"})
    assert answer.headers.get_list("x-request-id") == ["mine-1"]


def test_the_timeout_header_is_ours_and_not_rays(server: Any) -> None:
    headers = {"x-request-timeout-seconds": "0.001"}
    answer = httpx.post(f"{server.url}/v1/translate", json={"text": "The cat."}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (408, "deadline_exceeded")


@pytest.mark.parametrize(
    "headers",
    [
        {"x-request-id": b"\xff" * 50},
        {"serve_multiplexed_model_id": b"\xff"},
        {"x-request-timeout-seconds": b"\xff"},
        {"x-request-disconnect-disabled": b"?1"},
    ],
)
def test_no_header_makes_a_server_error(server: Any, headers: dict[str, bytes]) -> None:
    assert httpx.get(f"{server.url}/v1/models", headers=headers).status_code == 200


def test_a_body_too_large_is_refused_whether_its_length_is_declared_or_not(server: Any) -> None:
    headers, body = {"content-type": "application/json"}, b"x" * 100_000
    for content in (body, iter([body[:50_000], body[50_000:]])):
        answer = httpx.post(f"{server.url}/v1/translate", content=content, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large")
        assert re.fullmatch(r"a body has at most \d+ bytes; send several requests", answer.json()["detail"])


def answer_to(server: Any, request: bytes) -> bytes:
    """The beginning of the answer to these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10.0) as connection:
        connection.sendall(request)
        return connection.recv(4096)


def test_what_is_no_http_is_refused(server: Any) -> None:
    assert b" 400 " in answer_to(server, b"HELO attendant\r\n\r\n")


@pytest.mark.parametrize("line", ["OPTIONS *", "GET *", "CONNECT a:80"])
def test_what_is_not_for_a_path_is_a_bad_request(server: Any, line: str) -> None:
    answer = answer_to(server, f"{line} HTTP/1.1\r\nhost: a:80\r\n\r\n".encode())
    assert b" 400 " in answer.split(b"\r\n")[0]
    assert b"application/problem+json" in answer


@pytest.mark.parametrize("length", [70_000, 2**32 + 1, 2**63 - 1])
def test_a_declared_length_over_the_limit_is_refused_before_the_body_comes(server: Any, length: int) -> None:
    head = f"POST /v1/translate HTTP/1.1\r\nhost: a\r\ncontent-length: {length}\r\n\r\n{{"
    assert b" 413 " in answer_to(server, head.encode()).split(b"\r\n")[0]


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"BREW /v1/translate HTTP/1.1", b"405"),
        (b"post /v1/translate HTTP/1.1", b"405"),
        (
            b"GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
            b"200",
        ),
    ],
)
def test_what_the_proxy_refuses_is_a_problem_too(server: Any, head: bytes, status: bytes) -> None:
    answer = answer_to(server, head + b"\r\nhost: x\r\n\r\n")
    assert answer.split()[1] == status
    assert status == b"200" or b"content-type: application/problem+json" in answer


def test_rays_and_serves_own_pages_are_out_of_reach(server: Any) -> None:
    for path in ("/-/routes", "/%2d/routes", "/-%2froutes", "/%2D%2Froutes", "/-/healthz", "/stats"):
        assert httpx.get(f"{server.url}{path}").status_code == 404


def test_everything_listens_on_loopback_but_what_asks_for_rays_token(server: Any) -> None:
    """The exception is the gRPC port that Serve opens in each replica on every interface, behind the token."""
    loopback = ("0100007F:", "0000000000000000FFFF00000100007F:")
    open_ports = {
        address: pid for address, pid in listeners(server.processes()).items() if not address.startswith(loopback)
    }
    assert set(open_ports.values()) <= set(server.processes("ray::ServeReplica"))
    assert len(open_ports) <= 2


def test_the_token_is_private(server: Any) -> None:
    (token,) = server.folder.glob("attendant-*/token")
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


def test_the_metrics_of_both_replicas_are_one_sum(server: Any) -> None:
    name = 'attendant_requests_total{code="ok",model="better@1",route="/v1/translate"}'

    def total() -> float:
        lines = httpx.get(f"{server.url}/metrics").text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))

    before = total()
    for _ in range(10):
        assert server.translate("The cat.").status_code == 200
    assert {total() for _ in range(4)} == {before + 10}


def test_a_busy_port_is_told_at_once(server: Any) -> None:
    environment = {**os.environ, "ATTENDANT_HTTP_PORT": str(server.port)}
    command = [sys.executable, "-m", "service.cli", "serve"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20.0)
    assert done.returncode == 1
    assert f"port {server.port} of 127.0.0.1 is in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_killed_replica_is_replaced_and_no_translation_is_lost(server: Any) -> None:
    victim, *_ = server.processes("ray::ServeReplica")
    os.kill(victim, signal.SIGKILL)
    assert [server.translate("The cat.").status_code for _ in range(20)] == [200] * 20
    until = time.monotonic() + 30.0
    while not re.search(f'"logger":"attendant.ray","message":"Ray: A worker died .* PID: {victim} ', server.log()):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_replicas_enforce_the_limits_of_a_key_together(serve: Serve, tmp_path: Path) -> None:
    key, digest = new_key()
    (tmp_path / "keys.toml").write_text(f'[web]\nsha256 = "{digest}"\nrequests_per_minute = 7\n')
    server = serve(ATTENDANT_NUM_REPLICAS="2", ATTENDANT_KEYS_FILE=str(tmp_path / "keys.toml"))

    def ask(_: int) -> int:
        headers = {"authorization": f"Bearer {key}"}
        return httpx.get(f"{server.url}/v1/models", headers=headers, timeout=30.0).status_code

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(30)))
    assert answers.count(200) == 7
    assert answers.count(429) == 23


def test_a_request_under_way_at_the_first_signal_is_answered(serve: Serve) -> None:
    server = serve(ATTENDANT_MAX_WAIT_S="30")  # on a slow machine four such requests would wait longer than a second
    texts = ["The old man who lives near the station told me that.\n" * 10] * 20
    told, signalled = threading.Event(), [0.0]

    def keep_asking() -> list[tuple[int, bool]]:
        """Status of each answer and whether it came after the signal: until then a fast machine is kept busy, too."""
        answers = []
        while not told.is_set():
            began = time.monotonic()
            try:
                fields = {"text": texts, "beam_size": 1}
                answer = httpx.post(f"{server.url}/v1/translate", json=fields, timeout=60.0)
            except httpx.TransportError:  # not yet under way: refused, or reset where HAProxy had not yet accepted it
                assert told.is_set()
                assert began > signalled[0] - ACCEPTED_WITHIN_S
                break
            answers.append((answer.status_code, told.is_set()))
        return answers

    with ThreadPoolExecutor() as threads:
        asked = [threads.submit(keep_asking) for _ in range(4)]
        try:
            until, seen = time.monotonic() + 30.0, [0.0, 0.0]
            while min(seen[-2:]) < 4:  # with the request for metrics; twice, because a probe may be under way, too
                assert time.monotonic() < until
                seen.append(in_flight(server))
        finally:
            signalled[0] = time.monotonic()
            told.set()
        assert server.stop() == 0, server.log()
        answers = [answer for one in asked for answer in one.result()]
    assert {status for status, _ in answers} == {200}
    assert any(after for _, after in answers)


def test_a_request_that_takes_long_after_the_first_signal_is_answered(serve: Serve) -> None:
    """Longer than Serve waits for a proxy that does not answer its checks."""
    server = serve(ATTENDANT_MAX_WAIT_S="30", ATTENDANT_REQUEST_TIMEOUT_S="90", ATTENDANT_DRAIN_TIMEOUT_S="90")
    fields = {"text": ["The old man who lives near the station told me that.\n" * 10] * 60, "beam_size": 4}

    def ask() -> int:
        return httpx.post(f"{server.url}/v1/translate", json=fields, timeout=120.0).status_code

    replicas = server.processes("ray::ServeReplica")
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(ask)
        while in_flight(server) < 2:  # with the one that asks
            assert not asked.done()
        server.process.send_signal(signal.SIGTERM)
        told = time.monotonic()
        try:
            while time.monotonic() < told + 10.0 and not asked.done():  # so that even a fast machine takes long
                signal_all(replicas, signal.SIGSTOP)
                threading.Event().wait(1.0)
                signal_all(replicas, signal.SIGCONT)
                threading.Event().wait(0.15)  # for signs of life, without which the watchdog would end it
        finally:
            signal_all(replicas, signal.SIGCONT)
        assert asked.result() == 200
    assert server.process.wait(60.0) == 0, server.log()


def test_the_first_signal_drains_and_leaves_nothing_behind(serve: Serve) -> None:
    server = serve(ATTENDANT_DRAIN_TIMEOUT_S="120")  # twice what `stop` waits
    assert server.translate("The cat.").status_code == 200
    with httpx.Client(base_url=server.url) as page:  # whose idle connection holds nothing up
        assert page.get("/health/ready").status_code == 200
        assert server.stop(signal.SIGINT) == 0, server.log()
    assert server.processes() == []
    assert list(server.folder.iterdir()) == []
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))
    assert "Traceback" not in server.log()
    assert "attendant.ray" not in server.log()  # what Ray says of a controller that it was told to kill
