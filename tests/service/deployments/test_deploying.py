"""What a cluster takes: one deploy at a time, its own port, as many replicas as there is room for."""

from __future__ import annotations

import threading

import pytest

from service.deployments import deploying
from service.deployments.cluster import StartError
from service.deployments.deploying import MACHINES, require_port, require_room
from service.errors import ConfigurationError
from service.settings import Settings, read_settings


@pytest.mark.parametrize("name", ["http_host", "metrics_port", "tls_certificate"])
def test_a_machines_own_setting_is_refused_with_all_other_faults(name: str) -> None:
    told = f"{name}: is a machine's own, and no application's; set ATTENDANT_{name.upper()} where `attendant node` runs"
    with pytest.raises(ConfigurationError) as caught:
        read_settings({}, {name: "10.0.0.1", "num_replica": 3, "max_rows": 0}, MACHINES)
    assert told in str(caught.value)
    assert {"num_replica", name, "max_rows"} <= {fault.field for fault in caught.value.faults}
    read_settings({}, {"num_replicas": 3, "http_port": 8000}, MACHINES)


def test_the_port_of_a_cluster_stays() -> None:
    for port in (None, 8000):
        require_port(Settings(http_port=8000), port)
    with pytest.raises(ConfigurationError, match="http_port 8000: the proxies of this cluster listen on port 9000"):
        require_port(Settings(http_port=8000), 9000)


def test_one_deploys_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploying, "WAIT_S", 0.5)
    marks: list[str] = []

    def make() -> str:
        if marks:
            raise ValueError("the name is taken")
        marks.append("mark")
        return "mark"

    assert deploying._mark(make) == "mark"
    with pytest.raises(StartError, match="another `attendant deploy` runs on this cluster; wait until it has ended"):
        deploying._mark(make)
    threading.Timer(0.2, marks.clear).start()
    assert deploying._mark(make) == "mark"


def test_replicas_that_find_no_room_are_refused() -> None:
    cpus = [2.0, 2.0, 0.0]
    assert require_room(Settings(num_replicas=4), cpus, is_change=False, may_grow=False) == ""
    assert require_room(Settings(num_replicas=3), cpus, is_change=True, may_grow=False) == ""
    told = (
        r"num_replicas 5: 3 machine\(s\) have room for 4 with cpus_per_replica 1 .*; deploy fewer, or let more machines"
    )
    with pytest.raises(ConfigurationError, match=told):
        require_room(Settings(num_replicas=5), cpus, is_change=False, may_grow=False)
    with pytest.raises(
        ConfigurationError, match="have room for 3 with cpus_per_replica 1, and for the one that a chang"
    ):
        require_room(Settings(num_replicas=4), cpus, is_change=True, may_grow=False)


def test_a_replica_lies_on_one_machine() -> None:
    with pytest.raises(
        ConfigurationError, match=r"num_replicas 1: 2 machine\(s\) have room for 0 with cpus_per_replica 3"
    ):
        require_room(Settings(cpus_per_replica=3), [2.0, 2.0], is_change=False, may_grow=False)


def test_replicas_that_may_find_room_later_are_told() -> None:
    why = "2 times their --cpus, so that old and new replicas fit side by side"
    room = f"1 machine(s) have room for 2 with cpus_per_replica 1 ({why})"
    told = f"num_replicas 3: {room}; the others wait until machines join."
    assert require_room(Settings(num_replicas=3), [2.0], is_change=False, may_grow=True) == told
    told = told.replace("num_replicas 3", "max_replicas 3")
    assert require_room(Settings(max_replicas=3), [2.0], is_change=False, may_grow=False) == told
