"""What a machine says when it cannot join a cluster; tests/service/deployments/test_ends.py starts real ones."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from loadtests.server import free_port
from service.deployments import node
from service.deployments.cluster import StartError
from service.deployments.node import NodeOptions, _await_start, _only_one, _require_place, _why_ended, require_head


def told(folder: Path, output: str, script: str = "", port: int = 1) -> str:
    """Why a machine whose Ray wrote this, and runs as that script does, does not join."""
    (folder / "ray.out").write_text(output)
    with subprocess.Popen([sys.executable, "-c", script]) as process:
        if not script:
            process.wait()
        try:
            with pytest.raises(StartError) as refused:
                _await_start(process, folder, NodeOptions("127.0.0.1", "t" * 64, join=f"127.0.0.1:{port}"))
        finally:
            process.kill()
    return str(refused.value)


def test_another_token_than_the_heads_is_told_as_such(tmp_path: Path) -> None:
    said = told(tmp_path, "Traceback\nray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: missing\n")
    assert said.startswith("the cluster of 127.0.0.1:1 has another token than this machine; copy the head's token file")


def test_any_other_end_is_told_in_rays_words(tmp_path: Path) -> None:
    said = told(tmp_path, "no room\n")
    assert said == "Ray did not start: no room"


@pytest.mark.parametrize("join", [None, "127.0.0.1:1"])
def test_an_address_of_another_machine_is_told_before_ray_tries_it(join: str | None) -> None:
    with pytest.raises(StartError, match=r"--address 203\.0\.113\.1 is not of this machine"):
        _require_place(NodeOptions("203.0.113.1", "t" * 64, join=join))


def test_two_heads_do_not_share_a_port() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=f"port {port} of 127.0.0.1 cannot be listened on; end the head that runs"):
            _require_place(NodeOptions("127.0.0.1", "t" * 64, port=port))
    _require_place(NodeOptions("127.0.0.1", "t" * 64, port=free_port()))


def test_a_head_that_never_comes_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "START_TIMEOUT_S", 0.2)
    said = told(tmp_path, "", "import time; time.sleep(60)", port := free_port())
    assert said.startswith(f"no cluster answers at 127.0.0.1:{port}: ")
    assert said.endswith("name where `attendant node --head` listens, and see whether it runs")


@pytest.mark.parametrize("head", ["127.0.0.1:70000", "no.such.host.invalid:6379"])
def test_a_head_that_cannot_be_there_is_told(head: str) -> None:
    with pytest.raises(StartError, match=f"no cluster answers at {head}: "):
        require_head(head)


def test_a_port_that_speaks_http_is_no_head() -> None:
    def answer(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(100)
            connection.sendall(b"HTTP/1.1 404 Not found\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=answer, args=[server], daemon=True).start()
        head = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(StartError, match=f"{head} is a port for HTTP, and no cluster's control; name where"):
            require_head(head)


def test_an_address_of_a_cluster_is_taken_once() -> None:
    options = NodeOptions("127.0.0.9", "t" * 64)
    with _only_one(options):
        with (
            pytest.raises(StartError, match=r"runs here with --address 127\.0\.0\.9 already; end it"),
            _only_one(options),
        ):
            pass
        with _only_one(NodeOptions("127.0.0.9", "u" * 64)), _only_one(NodeOptions("127.0.0.8", "t" * 64)):
            pass
    with _only_one(options):
        pass


@pytest.mark.parametrize("scheme", ["", "rediss://"])
def test_a_head_without_its_redis_says_so(tmp_path: Path, scheme: str) -> None:
    (tmp_path / "ray.out").write_text(
        "2026 -- \n2026 -- ----- END gcs_server.out tail -----\nRemaining processes will be killed.\n"
    )
    redis = f"{scheme}127.0.0.1:{free_port()}"
    said = _why_ended(tmp_path, NodeOptions("127.0.0.1", "t" * 64, redis=redis))
    assert said.startswith(f"the Redis at {redis}, without which a head ends, does not answer: ")
    assert said.endswith("; Ray ended on this machine: it said nothing")
    assert _why_ended(tmp_path, NodeOptions("127.0.0.1", "t" * 64)) == "Ray ended on this machine: it said nothing"
