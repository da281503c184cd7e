"""attendant prepare, with the tiny store."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def prepare(store: Path, kept: Path) -> str:
    """What it told; its code is kept in `kept`."""
    environment = {**os.environ, "ATTENDANT_STORE": str(store), "NUMBA_CACHE_DIR": str(kept)}
    command = [sys.executable, "-m", "service.cli", "prepare"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240.0, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def kept_code(folder: Path) -> dict[str, int]:
    """Every file of machine code, and when it was written."""
    return {file.name: file.stat().st_mtime_ns for file in folder.rglob("*.nbc")}


def test_code_is_kept_and_the_next_one_finds_it(store: Path, tmp_path: Path) -> None:
    assert "Compiled what better@1, worse@" in prepare(store, tmp_path).replace("\n", " ")
    first = kept_code(tmp_path)
    assert any("advance" in name for name in first)
    assert any("merged" in name for name in first)
    assert any("cells.count" in name for name in first)
    prepare(store, tmp_path)
    assert kept_code(tmp_path) == first
