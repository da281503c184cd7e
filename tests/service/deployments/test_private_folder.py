"""The private folder goes with its process, and what a killed process left goes at the next start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.deployments import cluster
from service.deployments.cluster import OWNER, PREFIX, StartError, private_folder

HOLD = """
import sys
from service.deployments.cluster import private_folder
with private_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files with a name that is short enough."""
    folder = tempfile.mkdtemp(prefix="a", dir="/tmp")
    monkeypatch.setenv("TMPDIR", folder)
    monkeypatch.setattr(tempfile, "tempdir", folder)
    yield Path(folder)
    shutil.rmtree(folder)


def test_it_is_gone_afterwards(base: Path) -> None:
    with private_folder() as folder:
        assert folder.parent == base
        assert folder.stat().st_mode & 0o077 == 0
    assert list(base.iterdir()) == []


def test_what_a_killed_process_left_is_removed_once_nothing_of_it_runs(base: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=pipe, stdout=pipe, text=True) as owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().strip())
        with private_folder():
            assert folder.exists()
        owner.kill()
    with subprocess.Popen(["sleep", "600"], env={**os.environ, "RAY_X": f"{folder}/x"}) as left:
        with private_folder():
            assert folder.exists()
        left.kill()
    with private_folder():
        assert not folder.exists()


def test_folders_of_others_stay(base: Path) -> None:
    unowned, target = base / f"{PREFIX}cluster", base / "elsewhere"
    for one in (unowned, target):
        one.mkdir()
    (target / OWNER).touch()
    (base / f"{PREFIX}link").symlink_to(target)
    with private_folder():
        assert unowned.exists()
        assert (target / OWNER).exists()


def test_a_disk_without_room_is_told_before_anything_starts(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LEAST_FREE_BYTES", 1 << 62)
    told = rf"{base} has \d+ KiB free, and a server writes .*; make room, or set TMPDIR to"
    with pytest.raises(StartError, match=told), private_folder():
        pytest.fail("it starts")
    assert list(base.iterdir()) == []
