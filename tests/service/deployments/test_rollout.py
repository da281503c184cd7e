"""What `attendant deploy` checks before it touches a cluster."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.deployments import rollout
from service.deployments.rollout import (
    DeployError,
    Looked,
    _look,
    _require_pairs,
    deploy,
    restored_settings,
)
from service.settings import Settings


def test_a_machine_tells_what_it_would_serve(store: Path) -> None:
    found = _look(Settings(store=store), "10.0.0.1")
    assert found.fault == ""
    assert found.pairs == ("en-fr",)
    assert [name for name, _ in found.bundles] == sorted({name for name, _ in found.bundles})
    assert found == _look(Settings(store=store), "10.0.0.1")


def test_a_model_that_is_not_there_is_a_fault(store: Path) -> None:
    assert "nope is not in" in _look(Settings(store=store, models=("nope",)), "10.0.0.1").fault


def test_a_canary_without_a_stable_version_is_a_fault(store: Path) -> None:
    settings = Settings(store=store).model_copy(update={"labels": ("better@canary=1",)})  # as an older release let it
    assert "needs better@stable beside it" in _look(settings, "10.0.0.1").fault


def test_stored_settings_are_read_as_they_were(store: Path) -> None:
    settings = Settings(store=store, labels=("better@stable=1", "better@canary=2"), canary_share=0.2)
    assert restored_settings(settings.model_dump_json().encode()) == settings


def test_what_an_older_release_stored_and_this_one_refuses_has_its_default(store: Path) -> None:
    settings = Settings(store=store, num_replicas=3).model_copy(update={"labels": ("better@canary=1",)})
    stored = {**json.loads(settings.model_dump_json()), "a_setting_of_old": 1}
    assert restored_settings(json.dumps(stored).encode()) == Settings(store=store, num_replicas=3)


def test_what_goes_beyond_a_machines_haproxy_is_a_fault(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(store=store, max_body_bytes=8_000_000, request_timeout_s=20.0)
    told = "max_body_bytes 8000000 is more than 4194304, which this machine has; start `attendant node` there with "
    assert _look(settings, "10.0.0.1").fault == f"{told}ATTENDANT_MAX_BODY_BYTES=8000000"
    monkeypatch.setenv("ATTENDANT_MAX_BODY_BYTES", "9000000")
    assert _look(settings, "10.0.0.1").fault == ""


def test_a_file_that_was_changed_is_a_fault(store: Path, tmp_path: Path) -> None:
    import shutil

    copied = shutil.copytree(store, tmp_path / "store")
    graph = next(copied.glob("*/*/encoder.onnx"))
    data = bytearray(graph.read_bytes())
    data[-1] ^= 1
    graph.write_bytes(data)
    assert "encoder.onnx has SHA-256" in _look(Settings(store=copied), "10.0.0.1").fault


def test_a_language_pair_is_not_dropped_unasked(store: Path) -> None:
    new = Looked("10.0.0.1", "any", pairs=("en-de",))
    told = "en-fr is served now and would be no more: the new version serves en-de; name a model for it, or say --drop"
    with pytest.raises(DeployError, match=told):
        _require_pairs(new, Settings(store=store))
    _require_pairs(Looked("10.0.0.1", "any", pairs=("en-de", "en-fr")), Settings(store=store))


class Cluster:
    """What `attendant deploy` does to a cluster that serves `before`, in words."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, before: Settings | None, error: BaseException | None) -> None:
        self.did: list[str] = []
        self._error = error
        looked = Looked("10.0.0.1", "r", (("a@2", "h"),), ("en-fr",))
        for name, fake in {
            "alone": contextlib.nullcontext,
            "proxies_port": lambda: None,
            "cpus_of_machines": lambda: [4.0],
            "has_autoscaler": lambda: False,
            "served_settings": lambda: before,
            "_look_at_all": lambda *_: [looked],
            "_require_pairs": lambda *_: None,
            "_try": lambda *_: None,
            "_start_proxies": lambda *_: None,
            "_remember": lambda settings: self.did.append(f"remember {settings and settings.models[0]}"),
            "_roll": self._roll,
        }.items():
            monkeypatch.setattr(rollout, name, fake)

    def _roll(self, settings: Settings, *_: object) -> None:
        self.did.append(f"roll {settings.models[0]}")
        error, self._error = self._error, None
        if error is not None:
            raise error


@pytest.mark.parametrize(
    ("before", "error", "did"),
    [
        (None, None, ["remember a@2", "roll a@2"]),
        ("a@1", None, ["remember a@2", "roll a@2"]),
        ("a@1", DeployError("no"), ["remember a@2", "roll a@2", "remember a@1", "roll a@1"]),
        (None, DeployError("no"), ["remember a@2", "roll a@2", "remember None"]),
        ("a@1", KeyboardInterrupt(), ["remember a@2", "roll a@2"]),  # Serve goes on with it
    ],
)
def test_what_the_cluster_was_told_last_is_what_it_serves(
    monkeypatch: pytest.MonkeyPatch, before: str | None, error: BaseException | None, did: list[str]
) -> None:
    cluster = Cluster(monkeypatch, None if before is None else Settings(models=(before,)), error)
    said: list[str] = []
    with contextlib.nullcontext() if error is None else pytest.raises(type(error)):
        deploy(Settings(models=("a",)), 1.0, False, said.append)
    assert cluster.did == did
    assert any("goes on with this change by itself" in line for line in said) == isinstance(error, KeyboardInterrupt)


@pytest.mark.parametrize("port", [None, 8000])
def test_a_port_in_use_is_told_and_a_first_deploy_leaves_no_proxies(
    monkeypatch: pytest.MonkeyPatch, port: int | None
) -> None:
    def start(**_: object) -> None:
        raise RuntimeError(
            "[ALERT] a: cannot bind socket (Address already in use) for [10.0.0.1:8000]\n[ALERT] Exiting."
        )

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(serve=SimpleNamespace(start=start)))
    monkeypatch.setitem(sys.modules, "ray.serve.config", SimpleNamespace(HTTPOptions=dict))
    monkeypatch.setattr(rollout, "proxies_port", lambda: port)
    ended: list[bool] = []
    monkeypatch.setattr(rollout, "shut_serve_down", lambda: ended.append(True))
    told = r"HAProxy does not start on a machine: cannot bind socket \(Address already in use\) for \[10.0.0.1:8000\]$"
    with pytest.raises(DeployError, match=told):
        rollout._start_proxies(Settings())
    assert ended == ([True] if port is None else [])
