"""The papers of the house are true: documents name every room, the Makefile documents itself, paths are real."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parents[2]
ROOMS = sorted(
    file.parent.relative_to(ROOT).as_posix()
    for house in ("service", "model_store")
    for file in (ROOT / house).rglob("__init__.py")
)
TARGETS = ["help", "serve", "test", "test-slow", "check", "train", "bench", "clean"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_described_in_the_structure_page(room: str) -> None:
    assert f"`{room}/`" in (ROOT / "docs" / "structure.md").read_text(encoding="utf-8")


def test_the_structure_page_describes_no_room_that_is_not_there() -> None:
    text = (ROOT / "docs" / "structure.md").read_text(encoding="utf-8")
    named = {name.rstrip("/") for name in re.findall(r"`((?:service|model_store)/[a-z_/]*)`", text)}
    others = {"model_store/recipes", "model_store/bundles"}  # folders without modules
    assert named - others == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_folder_of_modules_is_a_package(room: str) -> None:
    folders = {file.parent for file in (ROOT / room).glob("*/*.py")}
    assert all((folder / "__init__.py").exists() for folder in folders)


@pytest.mark.parametrize("target", TARGETS)
def test_make_help_names_every_target(target: str) -> None:
    text = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
    assert re.search(rf"^\W*{target}\b +\w", text, re.MULTILINE)


def commands() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, str] = project["entry-points"]["attendant.commands"]
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_of_pyproject_is_there(name: str) -> None:
    command = EntryPoint(name, commands()[name], "attendant.commands").load()
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help


def test_ci_runs_the_same_targets_as_people() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    text = script.read_text(encoding="utf-8")
    assert "make check\n" in text
    assert "make test\n" in text
    assert '["make", "serve"]' in (ROOT / ".ci" / "smoke.py").read_text(encoding="utf-8")
