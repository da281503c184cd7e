"""What the command line says when the machine is at fault."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from service import cli


def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `attendant` with these arguments says on its way out with status 1."""
    monkeypatch.setattr("sys.argv", ["attendant", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    return capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "nowhere" / "keys.toml"
    said = told(monkeypatch, capsys, "keys", "new", "website", "--file", str(path))
    assert said == f"attendant: {path}: No such file or directory\n"


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli.attendant, "main", _raises(OSError(errno.ENOSPC, "No space left on device")))
    assert told(monkeypatch, capsys, "models", "list") == "attendant: No space left on device\n"


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.attendant, "main", _raises(OSError(errno.EBADF, "Bad file descriptor")))
    with pytest.raises(OSError, match="Bad file descriptor"):
        cli.main()


def _raises(error: OSError) -> object:
    def main(**_: object) -> None:
        raise error

    return main
