"""A real cluster of two machines, which are network namespaces of this one: joining, deploying, losing, leaving."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import httpx
import pytest

from loadtests.faults.machines import HTTP_PORT, Cluster, cluster, wait_until_answering, why_not
from service.deployments.environment import node_environment
from tests.bundles import published

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.skipif(why_not() != "", reason=why_not())]
MODEL = "en-fr-transformer"


@pytest.fixture(scope="module")
def running() -> Iterator[Cluster]:
    """Two machines with a replica each."""
    with cluster(2) as found:
        done = found.deploy(num_replicas="2", models=MODEL, metrics_port="9464")
        assert done.returncode == 0, done.stderr
        assert "Replicas: 2 running" in done.stderr
        for machine in found.machines:
            wait_until_answering(machine, 30.0)
        yield found


def overview(of: Cluster) -> dict[str, object]:
    """`attendant status --json`."""
    done = of.ask("status", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def translated(url: str) -> httpx.Response:
    """One translation by that machine."""
    return httpx.post(f"{url}/v1/translate", json={"text": "The cat.", "source": "en", "target": "fr"}, timeout=30.0)


def test_every_machine_translates(running: Cluster) -> None:
    assert [translated(machine.url).status_code for machine in running.machines] == [200, 200]


def test_status_tells_the_models_of_every_machine(running: Cluster) -> None:
    reference = published(MODEL).manifest.reference
    nodes = overview(running)["nodes"]
    assert isinstance(nodes, list)
    assert [(node["address"], node["served"], node["refused"]) for node in nodes] == [
        (machine.address, {reference: 1}, "") for machine in running.machines
    ]
    assert f"  replicas by model {reference} 1" in running.ask("status").stdout


def test_top_shows_the_same_live_until_it_is_interrupted(running: Cluster) -> None:
    with running.asking("top", "--every", "0.5") as process:
        assert process.stdout is not None
        seen = ""
        while seen.count("Ctrl-C ends") < 3:  # pytest's limit ends a top that shows nothing
            line = process.stdout.readline()
            assert line, "it ended by itself"
            seen += line
        process.send_signal(signal.SIGINT)
        seen += process.stdout.read()
        assert process.wait(30.0) == 0
    for machine in running.machines:
        assert seen.count(f"node {machine.address}: requests per second ") >= 2
    assert "Traceback" not in seen


def test_prometheus_is_told_every_machine(running: Cluster) -> None:
    (group,) = httpx.get(f"{running.head.metrics_url}/targets", timeout=30.0).json()
    assert {f"http://{target}" for target in group["targets"]} == {one.metrics_url for one in running.machines}
    assert group["labels"] == {"job": "attendant"}
    for target in group["targets"]:
        assert "attendant_replicas_ready 1.0" in httpx.get(f"http://{target}/metrics").text


def test_nobody_gets_past_the_proxy(running: Cluster) -> None:
    machine = running.machines[1]
    port = node_environment_port()
    answer = translated(f"http://{machine.address}:{port}")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    forged = httpx.get(f"http://{machine.address}:{port}/v1/models", headers={"x-attendant-pass": "guess"})
    assert forged.status_code == 403
    assert httpx.get(f"http://{machine.address}:{HTTP_PORT}/v1/models").status_code == 200


def node_environment_port() -> int:
    """Where the first replica of a machine listens."""
    from pathlib import Path

    from service.settings import Settings

    return int(node_environment(Settings(), Path("/x"), "token")["RAY_SERVE_DIRECT_INGRESS_MIN_HTTP_PORT"])


def test_status_shows_machines_replicas_and_models(running: Cluster) -> None:
    found = overview(running)
    assert found["models"] == [published("en-fr-transformer").manifest.reference]
    assert [node["address"] for node in found["nodes"]] == [one.address for one in running.machines]  # type: ignore[attr-defined]
    assert [replica["state"] for replica in found["replicas"]] == ["RUNNING", "RUNNING"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"models": "nope"}, "nope is not in"),
        ({"models": "fr-en-transformer"}, "en-fr is served now and would be no more"),
        ({"keys_file": "/nowhere/keys.toml"}, "there is no such file"),
        ({"num_replicas": "4"}, "have room for 3 with cpus_per_replica 1, and for the one that a change needs besides"),
        ({"max_body_bytes": "8000000"}, "start `attendant node` there with ATTENDANT_MAX_BODY_BYTES=8000000"),
    ],
)
def test_what_cannot_serve_is_refused_and_the_old_serves_on(
    running: Cluster, settings: dict[str, str], told: str
) -> None:
    done = running.deploy(**{"num_replicas": "2", **settings})
    assert done.returncode != 0
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert overview(running)["models"] == [published("en-fr-transformer").manifest.reference]
    assert translated(running.head.url).status_code == 200


def test_a_replica_that_is_not_ready_in_time_is_not_deployed(running: Cluster) -> None:
    done = running.deploy("--timeout", "1", num_replicas="2", models="all")
    assert done.returncode == 1
    assert "a replica of the new version is not ready after 1 s" in done.stderr
    assert translated(running.head.url).status_code == 200


def test_a_wrong_token_joins_nothing(running: Cluster) -> None:
    token = running.folder / "token"
    right = token.read_text()
    try:
        token.write_text("0" * 64)
        done = running.ask("status")
    finally:
        token.write_text(right)
    assert done.returncode == 1
    assert f"the cluster of {running.control} has another token; copy the head's token file" in done.stderr
    assert done.stderr.count("InvalidAuthToken") <= 1  # Ray would try twenty times


def test_a_machine_that_is_told_to_stop_hands_its_work_over(running: Cluster) -> None:
    leaving = running.machines[1]
    (process,) = leaving.processes
    process.terminate()
    codes = []
    while process.poll() is None:
        codes.append(translated(running.head.url).status_code)
    assert process.returncode == 0, running.log(leaving).read_text()
    assert codes
    assert set(codes) == {200}
    assert leaving.pids() == []
    assert translated(running.head.url).status_code == 200
