"""What Ray is started with is private."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from loadtests.server import free_port
from service.deployments.environment import (
    HTTP_PORTS,
    PORTS,
    free_ports,
    node_environment,
    node_folder,
    prepare,
    ray_environment,
    shared_proxy_folder,
)
from service.deployments.logs import forwarded_logs
from service.errors import ConfigurationError
from service.settings import Settings


def test_every_path_lies_in_the_private_folder(tmp_path: Path) -> None:
    values = ray_environment(Settings(), tmp_path, [1, 2, 3, 4]).values()
    paths = [Path(value) for value in values if value.startswith("/")]
    assert len(paths) > 5
    assert all(path.is_relative_to(tmp_path) for path in paths)


def test_a_machine_of_a_cluster_has_its_own_folder_but_for_haproxys(tmp_path: Path) -> None:
    proxy = shared_proxy_folder("token")
    paths = [Path(value) for value in node_environment(Settings(), tmp_path, "token").values() if value.startswith("/")]
    assert len(paths) > 5
    assert all(path.is_relative_to(tmp_path) or path.is_relative_to(proxy) for path in paths)
    assert shared_proxy_folder("token") == proxy != shared_proxy_folder("other")


def test_the_path_of_haproxys_socket_fits_with_rays_node_id_in_it(tmp_path: Path) -> None:
    socket_path = Path(node_environment(Settings(), tmp_path, "token")["RAY_SERVE_HAPROXY_SOCKET_PATH"])
    assert len(str(socket_path.parent / ("0" * 56) / socket_path.name)) <= 97


def test_replicas_find_their_machines_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    assert node_folder() is None
    prepare(Settings(), tmp_path)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "metrics"))
    assert node_folder() == tmp_path


def test_a_clusters_token_is_used_as_it_is(tmp_path: Path) -> None:
    prepare(Settings(), tmp_path, "the cluster's")
    assert (tmp_path / "token").read_text() == "the cluster's"


def test_the_token_is_long_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    prepare(Settings(), tmp_path)
    token = Path(ray_environment(Settings(), tmp_path, [1, 2, 3, 4])["RAY_AUTH_TOKEN_PATH"])
    assert len(token.read_text()) >= 64
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_the_stand_in_for_haproxy_can_be_run(tmp_path: Path) -> None:
    prepare(Settings(), tmp_path)
    assert os.access(ray_environment(Settings(), tmp_path, [1, 2, 3, 4])["RAY_SERVE_HAPROXY_BINARY_PATH"], os.X_OK)


def test_free_ports_are_all_different() -> None:
    assert len(set(free_ports(20))) == 20


def test_no_connection_is_given_what_was_found_free() -> None:
    given = Path("/proc/sys/net/ipv4/ip_local_port_range")
    least = int(given.read_text().split()[0]) if given.exists() else PORTS.stop
    if least < PORTS.stop:
        pytest.skip("this machine gives connections lower ports than Linux as installed does")
    assert max(free_ports(50)) < least
    assert HTTP_PORTS.stop <= least


def test_no_server_draws_what_another_is_told_to_listen_on() -> None:
    assert not set(PORTS) & set(HTTP_PORTS)
    ports = [free_port() for _ in range(50)]
    assert set(ports) <= set(HTTP_PORTS)
    assert len(set(ports)) == 50


def test_what_somebody_listens_on_is_not_free() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"0 of the ports {port} to {port} are free on 127.0.0.1, 1 are"):
            free_ports(1, range(port, port + 1))
    assert free_ports(1, range(port, port + 1)) == [port]


def test_lines_of_several_writers_come_through_whole(tmp_path: Path) -> None:
    target = tmp_path / "all"
    with target.open("w") as stream, forwarded_logs(tmp_path / "log", stream) as path:
        for writer in range(3):
            with path.open("a") as file:
                file.writelines(f"{writer} says {i}\n" for i in range(50))
    assert sorted(target.read_text().splitlines()) == sorted(f"{w} says {i}" for w in range(3) for i in range(50))
