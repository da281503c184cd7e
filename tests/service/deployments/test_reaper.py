"""What a killed process had started ends, and its folders go; who ends by itself is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.deployments import processes, reaper
from service.deployments.processes import processes_of

OWNER = """
import os, subprocess, sys
from pathlib import Path
from service.deployments.reaper import reaped
private, shared = map(Path, sys.argv[1:3])
with reaped(private, shared):
    environment = {**os.environ, "FILE": f"{private}/x", "SHARED": f"{shared}/x"}
    begun = subprocess.Popen(["sleep", "60"], env=environment, stdout=subprocess.DEVNULL)
    print(begun.pid, flush=True)
    sys.stdin.read()
begun.kill()
"""
"""Starts a process of its private folder, which uses the shared one, and ends when its input does."""


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """A private folder and a shared one."""
    made = [tmp_path / "private", tmp_path / "shared"]
    for folder in made:
        folder.mkdir()
        (folder / "file").touch()
    return made


def owner(folders: list[Path]) -> subprocess.Popen[str]:
    """A process that has started another one."""
    command = [sys.executable, "-c", OWNER, *map(str, folders)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def test_the_processes_and_folders_of_a_killed_one_go(folders: list[Path]) -> None:
    with owner(folders) as process:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    while any(processes_of(folders[0])) or any(folder.exists() for folder in folders):
        time.sleep(0.05)  # pytest's limit ends it


def test_a_shared_folder_stays_as_long_as_others_use_it(folders: list[Path]) -> None:
    other = subprocess.Popen(["sleep", "60"], env={**os.environ, "SHARED": f"{folders[1]}/x"})
    try:
        with owner(folders) as process:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        while folders[0].exists():
            time.sleep(0.05)
        assert (folders[1] / "file").exists()
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_who_ends_by_itself_cleans_up_by_itself(folders: list[Path]) -> None:
    with owner(folders) as process:
        process.communicate()
        assert process.returncode == 0
    assert all((folder / "file").exists() for folder in folders)


def test_another_one_takes_the_place_of_a_killed_one(folders: list[Path]) -> None:
    reaper_here = reaper.Reaper(*folders)
    first = reaper_here._process
    reaper_here.look()
    assert reaper_here._process is first
    first.kill()
    first.wait()
    reaper_here.look()
    assert reaper_here._process.poll() is None
    reaper_here.stop()
    assert reaper_here._process.returncode == 0
    assert all((folder / "file").exists() for folder in folders)


def test_what_was_killed_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, killed = [[7, 8], [8], []], []
    monkeypatch.setattr(processes, "processes_of", lambda folder: [(pid, []) for pid in left.pop(0)])
    monkeypatch.setattr(processes, "kill", killed.extend)
    processes.end_all(tmp_path)
    assert (left, killed) == ([], [7, 8, 8])
