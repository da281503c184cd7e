"""What faults of a cluster make of what they see. Machines are made by one run at a time, and gone after SIGTERM."""

from __future__ import annotations

import asyncio
import fcntl
import math
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from loadtests.client import WRONG_ANSWER
from loadtests.faults import machines, nodes, spoilt
from loadtests.faults.machines import Cluster
from loadtests.faults.overload import BODY, long_texts
from loadtests.faults.seen import Seen, within
from loadtests.faults.spoilt import SPOILT, bad_bundles
from loadtests.server import ServerError
from model_store.contract.bundle import open_bundle
from model_store.contract.errors import ContractError
from model_store.contract.manifest import CONTRACT_VERSION
from model_store.contract.store import EMBEDDED_STORE
from tests.loadtests.conftest import TRANSLATED, Answer

NOWHERE = Cluster([], Path("/nowhere"))
LOAD = nodes.Load(100.0, long_texts(8), BODY)


def row(serve: Callable[[Answer], str], answer: Answer, seen: Seen) -> Seen:
    """Of a short load through a real server, beside a fault that sees this."""

    async def fault(of: Cluster) -> Seen:
        return seen

    return asyncio.run(nodes.under_load(fault, NOWHERE, [serve(answer)], LOAD, 0.1))


def test_a_row_is_right_when_nothing_failed_and_the_fault_was_mended(serve: Callable[[Answer], str]) -> None:
    found = row(serve, lambda body: TRANSLATED, Seen("all back"))
    assert not found.is_wrong
    assert "10 requests, 0 failed" in found.told
    assert found.told.endswith("; all back")


def test_a_row_is_wrong_when_the_fault_says_so_although_no_request_failed(serve: Callable[[Answer], str]) -> None:
    assert row(serve, lambda body: TRANSLATED, Seen("DEPLOYED", True)).is_wrong


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ((503, b'{"code": "not_ready"}'), "10 failed (10 not_ready; asked for "),
        ((200, TRANSLATED[1].replace(b"chat", b"chien")), f"10 failed (10 {WRONG_ANSWER}; asked for "),
    ],
)
def test_a_row_is_wrong_when_a_request_failed_or_had_another_answer(
    serve: Callable[[Answer], str], after: tuple[int, bytes], told: str
) -> None:
    seen: list[object] = []

    def answer(body: Any) -> tuple[int, bytes]:
        seen.append(body)
        return TRANSLATED if len(seen) <= len(long_texts(1)) else after  # each text once, before the fault

    found = row(serve, answer, Seen("all back"))
    assert found.is_wrong
    assert told in found.told


def test_a_row_beside_a_link_is_wrong_when_it_was_slow(
    serve: Callable[[Answer], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def mended(of: Cluster) -> Seen:
        return Seen("all back")

    monkeypatch.setattr(nodes, "link_down", mended)
    for bar_s, is_wrong in ((60.0, False), (1e-6, True)):
        monkeypatch.setattr(nodes, "SLOWEST_BESIDE_LINK_S", bar_s)
        through = [serve(lambda body: TRANSLATED)]
        assert asyncio.run(nodes.under_load(mended, NOWHERE, through, LOAD, 0.1)).is_wrong is is_wrong


def test_what_never_came_back_is_wrong() -> None:
    assert within("back after {:.0f} s", 6.2) == Seen("back after 6 s")
    assert within("back after {:.0f} s", math.nan) == Seen("back after nan s", True)
    assert within("back after {:.0f} s", 6.0, 6.0) == Seen("back after 6 s")
    assert within("back after {:.0f} s", 6.2, 6.0) == Seen("back after 6 s", True)


@pytest.mark.parametrize(("num_answers", "is_wrong"), [(0, False), (1, True)])
def test_sums_that_are_not_equal_are_wrong(num_answers: int, is_wrong: bool) -> None:
    assert asyncio.run(nodes.Sums().compared(NOWHERE, num_answers)).is_wrong == is_wrong


class Deploying:
    """A cluster whose `attendant deploy` ends with this status, whatever it is given."""

    def __init__(self, status: int) -> None:
        self._status = status

    def deploy(self, *options: str, **settings: str) -> Any:
        return subprocess.CompletedProcess([], self._status, "", "the reason\n" if self._status else "")


@pytest.mark.parametrize(("status", "is_wrong"), [(0, True), (1, False)])
def test_a_bad_bundle_that_is_deployed_is_wrong(status: int, is_wrong: bool) -> None:
    of: Any = Deploying(status)
    seen = asyncio.run(bad_bundles(of))
    assert seen.is_wrong == is_wrong
    assert seen.told.count("refused, the reason" if status else "DEPLOYED") == len(SPOILT) + 1


def test_a_change_that_cannot_be_deployed_is_wrong() -> None:
    of: Any = Deploying(1)
    assert asyncio.run(nodes.changed(of)).is_wrong


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a flipped bit", "decoder_step.onnx"),
        ("another contract", str(CONTRACT_VERSION + 91)),
        ("a pipe for a file", "encoder.onnx"),
    ],
)
def test_a_spoilt_bundle_does_not_open(name: str, reason: str, tmp_path: Path) -> None:
    (bundle,) = (EMBEDDED_STORE / spoilt.MODEL).iterdir()
    shutil.copytree(bundle, tmp_path / "1")
    SPOILT[name](tmp_path / "1")
    with pytest.raises(ContractError, match=reason):
        open_bundle(tmp_path / "1")


def test_a_bundle_of_another_language_opens_and_serves_another_pair(tmp_path: Path) -> None:
    (bundle,) = (EMBEDDED_STORE / spoilt.MODEL).iterdir()
    shutil.copytree(bundle, tmp_path / "1")
    SPOILT["another language"](tmp_path / "1")
    assert open_bundle(tmp_path / "1").manifest.target == "it"


# ---- machines -------------------------------------------------------------------------------------------------------


def test_a_second_run_leaves_the_machines_of_the_first_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[tuple[str, ...]] = []

    def ip(*words: str) -> str:
        commands.append(words)
        return ""

    monkeypatch.setattr(machines, "LOCK", tmp_path / "lock")
    monkeypatch.setattr(machines, "_ip", ip)
    with (tmp_path / "lock").open("a") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        with pytest.raises(ServerError, match="another run has the machines"), machines.machines(1):
            pass
    assert commands == []
    with machines.machines(1):
        assert commands
    assert commands[-1] == ("link", "del", machines.BRIDGE)


ENDED = """
import sys, time
from pathlib import Path
from loadtests.faults import machines

machines.LOCK = Path(sys.argv[1])
machines._ip = lambda *words: print(*words, flush=True) or ""
with machines.machines(1):
    print("made", flush=True)
    time.sleep(60)
"""


def test_a_run_that_is_ended_takes_its_machines_along(tmp_path: Path) -> None:
    run = subprocess.Popen([sys.executable, "-c", ENDED, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    while (line := run.stdout.readline().strip()) != "made":
        assert line
    run.send_signal(signal.SIGTERM)
    said, _ = run.communicate(timeout=60)
    assert said.splitlines()[-2:] == ["netns del att1", "link del att-br"]
    assert run.returncode == 128 + signal.SIGTERM


def test_what_deploys_models_has_none_over_a_runtime_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "why_not", lambda: "")
    result = CliRunner().invoke(nodes.main, ["--waiting", "node-killed", "changed"])
    assert result.exit_code == 2
    assert "changed deploys models, which --waiting does not have" in result.output
