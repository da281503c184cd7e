"""A machine's own port for metrics and health."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import httpx
import pytest

from loadtests.server import free_port
from service.deployments import metrics_port
from service.deployments.environment import METRICS
from service.deployments.metrics_port import metrics_server
from service.errors import ConfigurationError
from service.observability import table
from service.observability.series import SeriesTable
from service.settings import Settings


def counted(folder: Path, ready: float) -> SeriesTable:
    """What a process of this machine counts; keep it, or its numbers are gone."""
    (folder / METRICS).mkdir()
    series = SeriesTable(folder / METRICS)
    series.series(table.REQUESTS, "/v1/translate", "m@1", "ok").add(3)
    series.series(table.REPLICAS_READY).set(ready)
    return series


@pytest.mark.parametrize(("ready", "status"), [(1.0, 200), (0.0, 503)])
def test_it_answers_with_the_machines_numbers_and_whether_a_replica_is_ready(
    tmp_path: Path, ready: float, status: int
) -> None:
    series = counted(tmp_path, ready)
    port = free_port()
    with (
        metrics_server(Settings(metrics_port=port), tmp_path),
        httpx.Client(base_url=f"http://127.0.0.1:{port}") as client,
    ):
        assert (
            'attendant_requests_total{code="ok",model="m@1",route="/v1/translate"} 3.0' in client.get("/metrics").text
        )
        assert client.get("/health/ready").status_code == status
        assert client.get("/health/live").json() == {"status": "live"}
        assert client.get("/targets").status_code == 404
        assert client.get("/v1/models").status_code == 404
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert series.directory == tmp_path / METRICS


def test_it_listens_on_an_address_of_ipv6(tmp_path: Path) -> None:
    port = free_port()
    with metrics_server(Settings(http_host="::1", metrics_port=port), tmp_path):
        assert httpx.get(f"http://[::1]:{port}/health/live").json() == {"status": "live"}


def test_nothing_listens_where_nobody_asked_for_it(tmp_path: Path) -> None:
    with metrics_server(Settings(), tmp_path):
        assert not list(tmp_path.iterdir())


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = (
            f"ATTENDANT_METRICS_PORT {port} of 127.0.0.1 cannot be listened on: Address already in use; choose another"
        )
        with pytest.raises(ConfigurationError, match=told), metrics_server(Settings(metrics_port=port), tmp_path):
            pass


def test_the_list_of_machines_is_asked_for_seldom_and_outlives_a_head_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script stands for the process that asks the head."""
    asked, now = tmp_path / "asked", [100.0]
    script = tmp_path / "list.py"
    script.write_text(f"open({str(asked)!r}, 'a').write('x'); print('10.0.0.1'); print('fd00::1')")
    monkeypatch.setattr(metrics_port.time, "monotonic", lambda: now[0])
    targets = metrics_port._Targets("10.0.0.1:6379", tmp_path / "token", 9100)
    monkeypatch.setattr(targets, "_command", [sys.executable, str(script)])

    def named() -> list[str]:
        ((group,), status) = json.loads(targets.page()[2]), targets.page()[0]
        assert status == 200
        return list(group["targets"])

    assert named() == ["10.0.0.1:9100", "[fd00::1]:9100"]
    now[0] += metrics_port.TARGETS_S
    assert named()
    assert asked.read_text() == "x"
    script.write_text("raise SystemExit(1)")
    now[0] += 1.0
    assert named() == ["10.0.0.1:9100", "[fd00::1]:9100"]
