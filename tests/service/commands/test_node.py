"""`attendant node` and `attendant deploy` refuse what cannot work, before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner

from loadtests.server import free_port
from service.commands.deploy import deploy
from service.commands.node import node
from service.commands.status import status, top
from service.deployments.cluster import StartError
from service.deployments.node import kuberay_options
from service.errors import ConfigurationError


def refused(command: object, *arguments: str) -> str:
    """What the command says on its way out with status 2."""
    done = CliRunner().invoke(command, arguments)  # type: ignore[arg-type]
    assert done.exit_code == 2, done.output
    return done.output.replace("\n", " ")


@pytest.mark.parametrize("roles", [[], ["--head", "--join", "10.0.0.1:6379"]])
def test_a_machine_begins_a_cluster_or_joins_one(roles: list[str]) -> None:
    assert "say either --head, to begin a cluster, or --join" in refused(node, *roles, "--address", "10.0.0.1")


def test_only_a_head_keeps_state() -> None:
    said = refused(node, "--join", "10.0.0.1:6379", "--address", "10.0.0.2", "--redis", "10.0.0.9:6379")
    assert "--redis is for the head: other machines keep no state" in said


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--redis", "http://10.0.0.9:6379"), "--redis 'http://10.0.0.9:6379' must be ADDRESS:PORT, or rediss://"),
        (("--redis", "10.0.0.9"), "--redis '10.0.0.9' must be ADDRESS:PORT, or rediss://ADDRESS:PORT for TLS"),
        (("--redis-password-file", "key"), "--redis-password-file is nothing without --redis ADDRESS:PORT"),
        (("--redis", "redis:6379", "--redis-password-file", "no"), "--redis-password-file no does not exist"),
    ],
)
def test_a_redis_has_an_address_and_its_password_a_file(options: tuple[str, ...], told: str) -> None:
    assert told in refused(node, "--head", "--address", "10.0.0.1", *options)


def test_the_password_of_redis_must_be_private(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("secret")
    path.chmod(0o644)
    redis = ["--redis", "10.0.0.9:6379", "--redis-password-file", str(path)]
    assert f"may be read by others; run: chmod 600 {path}" in refused(node, "--head", "--address", "10.0.0.1", *redis)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nohost", "--address 'nohost' must be an IP address of this machine"),
        ("127.0.0.1", "--address 127.0.0.1 means another address to Ray; name the one that the others reach"),
        ("0.0.0.0", "--address 0.0.0.0 is every interface; name the one that the others reach"),
    ],
)
def test_the_address_is_one_that_others_reach(address: str, told: str) -> None:
    assert told in refused(node, "--head", "--address", address)


@pytest.mark.parametrize("port", ["8265", "10000", "19999", "52365"])
def test_the_control_takes_no_port_of_others(port: str, tmp_path: Path) -> None:
    head = ["--head", "--address", "10.0.0.1", "--port", port, "--token-file", str(tmp_path / "token")]
    assert f"--port {port} is one of Ray's own or the replicas' ports; say another" in refused(node, *head)
    assert list(tmp_path.iterdir()) == []


def test_a_token_must_be_there_be_private_and_be_long(tmp_path: Path) -> None:
    path = tmp_path / "token"
    join = [node, "--join", "10.0.0.1:6379", "--address", "10.0.0.2", "--token-file", str(path)]
    assert "does not exist; copy the head's token file to this machine" in refused(*join)
    path.write_text("short")
    path.chmod(0o644)
    assert f"may be read by others; run: chmod 600 {path}" in refused(*join)
    path.chmod(0o600)
    assert "holds 5 characters; a token has at least 32" in refused(*join)
    path.write_text("é" * 40, "utf-8")
    assert "holds other characters than ASCII" in refused(*join)


@pytest.mark.parametrize(
    ("command", "option"), [(node, "--join"), (deploy, "--cluster"), (status, "--cluster"), (top, "--cluster")]
)
@pytest.mark.parametrize("head", ["10.0.0.1", "http://10.0.0.1:6379", "auto", "10.0.0.1:x"])
def test_a_head_has_an_address_and_a_port(command: object, option: str, head: str) -> None:
    said = refused(command, option, head)
    assert f"{option}': '{head}' must be ADDRESS:PORT, as in 10.0.0.1:6379" in said


@pytest.mark.parametrize("command", [deploy, status, top])
def test_a_head_that_does_not_listen_is_told_at_once(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("t" * 64)
    path.chmod(0o600)
    opened = ["--open"] if command is deploy else []
    with pytest.raises(
        StartError, match=r"no cluster answers at 127\.0\.0\.1:\d+: .*refused; name where `attendant node"
    ):
        command.main(
            ["--cluster", f"127.0.0.1:{free_port()}", "--token-file", str(path), *opened], standalone_mode=False
        )


def test_an_open_door_is_told_before_the_cluster_is_asked() -> None:
    done = CliRunner().invoke(deploy, ["--cluster", f"127.0.0.1:{free_port()}"])
    assert isinstance(done.exception, ConfigurationError)
    assert "nobody is asked for an API key" in str(done.exception)


def test_a_list_of_no_strings_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text("labels = [1]")
    done = CliRunner().invoke(deploy, [str(path), "--cluster", "10.0.0.1:6379"])
    assert isinstance(done.exception, ConfigurationError)
    assert "cannot be used: labels: the label '1' is not" in str(done.exception)


def test_a_configuration_must_be_toml(tmp_path: Path) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text("num_replicas: 3")
    assert "cluster.toml is not TOML" in refused(deploy, str(path), "--cluster", "10.0.0.1:6379")


def test_kuberay_says_the_place_of_a_pod() -> None:
    environment = {
        "RAY_AUTH_TOKEN": "t" * 64,
        "POD_IP": "10.1.0.7",
        "FQ_RAY_IP": "head.attendant.svc",
        "RAY_PORT": "6379",
    }
    worker = kuberay_options({**environment, "KUBERAY_GEN_RAY_START_CMD": "ray start --address=x --block"})
    assert (worker.address, worker.join, worker.command) == (
        "10.1.0.7",
        "head.attendant.svc:6379",
        "ray start --address=x --block",
    )
    assert kuberay_options({**environment, "KUBERAY_GEN_RAY_START_CMD": "ray start --head --block"}).join is None
    with pytest.raises(ConfigurationError, match="KUBERAY_GEN_RAY_START_CMD, POD_IP must be set: --kuberay runs in"):
        kuberay_options({"RAY_AUTH_TOKEN": "t" * 64})


def test_a_machine_needs_an_address() -> None:
    assert "--address is missing: say how the other machines reach this one" in refused(node, "--head")


def test_a_machine_says_at_once_that_it_waits_for_its_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray, which tries for two minutes, is not part of this test."""
    token = tmp_path / "token"
    token.touch(mode=0o600)
    token.write_text("t" * 64)
    monkeypatch.setattr("service.deployments.node.serve_node", lambda *_: None)
    nobody = f"127.0.0.1:{free_port()}"
    done = CliRunner().invoke(node, ["--join", nobody, "--address", "127.0.0.2", "--token-file", str(token)])
    assert f"no cluster answers at {nobody}: " in done.output
    assert "see whether it runs. Waiting up to 120 s for it ..." in done.output
