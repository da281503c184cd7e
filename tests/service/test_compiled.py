"""Compiled functions: what their kept code depends on, and that they do without a place for it."""

from __future__ import annotations

import ast
import logging
import shutil
from pathlib import Path

import pytest

import service.compiled
from service.compiled import compiled, sources_digest

SERVICE = Path(service.compiled.__file__).parent


def test_where_nothing_can_be_kept_functions_are_compiled_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    scope: dict[str, object] = {}
    exec("def double(x):\n    return 2 * x", scope)  # of no file, so Numba has no place beside it
    with caplog.at_level(logging.WARNING):
        double = compiled()(scope["double"])  # type: ignore[arg-type, var-annotated]
    assert double(21) == 42
    assert "NUMBA_CACHE_DIR" in caplog.text


def digest_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The digest that a `service` in `folder` would have."""
    monkeypatch.setattr(service.compiled, "__file__", str(folder / "compiled.py"))
    found: str = sources_digest.__wrapped__()
    return found


def takes_part(file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether kept code is given up when this file of a `service` in `folder` changes."""
    before, source = digest_of(folder, monkeypatch), file.read_bytes()
    file.write_bytes(source + b"# changed\n")
    after = digest_of(folder, monkeypatch)
    file.write_bytes(source)
    return after != before


def modules_of(file: Path) -> set[str]:
    """Modules of the service that a file imports."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in names if name.split(".")[0] == "service"}


def test_kept_code_is_given_up_when_a_source_of_compiled_code_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "service"
    shutil.copytree(SERVICE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    compiling = [file for file in folder.rglob("*.py") if "service.compiled" in modules_of(file)]
    kernels = list((folder / "kernels").glob("*.py"))
    assert len(compiling) > 2
    assert len(kernels) > 2
    for file in {folder / "compiled.py", *compiling, *kernels}:
        assert takes_part(file, folder, monkeypatch), file
    assert not takes_part(folder / "settings.py", folder, monkeypatch)


def test_the_sources_of_another_folder_have_the_same_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that an image was built with is used wherever it is installed."""
    shutil.copytree(SERVICE, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    assert digest_of(tmp_path / "elsewhere", monkeypatch) == digest_of(SERVICE, monkeypatch)


def test_what_writes_code_or_gives_it_constants_takes_part_in_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled functions hold what they import; what Python around them uses reaches them as arguments at most, whose
    types are a key."""
    folder = tmp_path / "service"
    shutil.copytree(SERVICE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    around = {"service.memory", "service.messages", "service.runtime.buffers", "service.runtime.seam"}
    for file in folder.rglob("*.py"):
        imported = modules_of(file)
        if "service.compiled" in imported:
            for name in imported - around:
                assert takes_part(tmp_path / f"{name.replace('.', '/')}.py", folder, monkeypatch), f"{file}: {name}"
