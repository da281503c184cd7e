"""Whoever leaves no sign of life is killed, and nobody else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.deployments.heartbeat import BEAT_S, LOST_S, MISSED_S, Heartbeat, Siblings, Watchdog
from service.lifetimes import started_at

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc (Linux)")
BEATING = """
import asyncio, sys
from pathlib import Path
from service.deployments.heartbeat import Heartbeat
async def main():
    Heartbeat(Path(sys.argv[1])).start(lambda: float(sys.argv[2]))
    print("beating", flush=True)
    await asyncio.sleep(120)
asyncio.run(main())
"""


@pytest.fixture
def beating(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A process with a heartbeat in `tmp_path`, whose engines have been silent for `param` seconds."""
    command = [sys.executable, "-c", BEATING, str(tmp_path), getattr(request, "param", "0")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "beating\n"
        yield process
        process.kill()


def test_a_stopped_process_is_killed_and_one_that_beats_is_not(tmp_path: Path, beating: subprocess.Popen[str]) -> None:
    (path,) = tmp_path.iterdir()
    begun = path.stat().st_mtime
    while path.stat().st_mtime < begun + 2 * BEAT_S:  # pytest's own limit ends what hangs
        time.sleep(0.05)
    assert Watchdog(tmp_path, silent_s=3600.0).look() == []
    os.kill(beating.pid, signal.SIGSTOP)
    watchdog, killed = Watchdog(tmp_path, silent_s=2.0), list[int]()
    while not killed:
        killed = watchdog.look()
        time.sleep(0.05)
    assert killed == [beating.pid]
    assert beating.wait() == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("beating", ["30", "inf"], indirect=True)
def test_a_process_whose_engine_hangs_is_killed(tmp_path: Path, beating: subprocess.Popen[str]) -> None:
    watchdog, killed = Watchdog(tmp_path, silent_s=20.0), list[int]()
    while not killed:  # pytest's own limit ends what hangs
        killed = watchdog.look()
        time.sleep(0.05)
    assert killed == [beating.pid]


@pytest.mark.parametrize("beating", ["10"], indirect=True)
def test_a_process_whose_engine_is_slow_is_not_killed(tmp_path: Path, beating: subprocess.Popen[str]) -> None:
    (path,) = tmp_path.iterdir()
    while time.time() - path.stat().st_mtime < 9.0:
        time.sleep(0.05)
    assert Watchdog(tmp_path, silent_s=20.0).look() == []
    assert beating.poll() is None


def test_a_watchdog_kills_by_itself(tmp_path: Path, beating: subprocess.Popen[str]) -> None:
    watchdog = Watchdog(tmp_path, silent_s=1.0)
    watchdog.start()
    try:
        os.kill(beating.pid, signal.SIGSTOP)
        assert beating.wait() == -signal.SIGKILL  # pytest's own limit ends what hangs
    finally:
        watchdog.stop()


def test_a_process_that_has_the_number_of_one_that_ended_is_left_alone(
    tmp_path: Path, beating: subprocess.Popen[str]
) -> None:
    (old,) = tmp_path.iterdir()
    other = tmp_path / f"{beating.pid}.{started_at(beating.pid) + 1}"
    other.touch()
    os.utime(other, (0, 0))
    assert Watchdog(tmp_path).look() == []
    assert beating.poll() is None
    assert list(tmp_path.iterdir()) == [old]


def test_a_process_that_ends_by_itself_leaves_nothing(tmp_path: Path) -> None:
    async def live() -> None:
        heartbeat = Heartbeat(tmp_path)
        heartbeat.start()
        assert len(list(tmp_path.iterdir())) == 1
        heartbeat.stop()

    asyncio.run(live())
    assert list(tmp_path.iterdir()) == []


def test_replicas_that_were_lost_are_missed_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr("service.deployments.heartbeat.time.time", lambda: now)
    monkeypatch.setattr("service.deployments.heartbeat.is_running", lambda name: name not in ended)
    ended: list[str] = []
    siblings = Siblings(tmp_path)
    assert siblings.lost() == 1.0  # nobody is ready yet
    files = [tmp_path / name for name in ("1.1", "2.2", "3.3")]
    for file in files:
        file.touch()
        os.utime(file, (now, now))
    assert siblings.lost() == 1.0
    os.utime(files[0], (now - MISSED_S, now - MISSED_S))  # it hangs; the watchdog has not looked yet
    assert siblings.lost() == 1.5
    os.utime(files[0], (now, now))
    ended.append("1.1")  # it was killed
    assert siblings.lost() == 1.5
    for file in files[:2]:
        file.unlink()
    assert siblings.lost() == 3.0
    os.utime(files[2], (now + LOST_S + 1.0, now + LOST_S + 1.0))
    now += LOST_S + 1.0
    assert siblings.lost() == 1.0
