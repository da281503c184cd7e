"""The papers of the house are true: documents name every room, the Makefile documents itself, paths are real."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
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


SOURCES = [file for house in ("service", "model_store") for file in sorted((ROOT / house).rglob("*.py"))]
LONGEST_FILE, LONGEST_FUNCTION = 300, 60


def test_one_name_is_one_class() -> None:
    places = defaultdict[str, list[str]](list)
    for file in SOURCES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(file.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_are_short_enough_to_read(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {n.name: size for n in functions if (size := (n.end_lineno or 0) - n.lineno + 1) > LONGEST_FUNCTION}
    assert long == {}


def test_published_bundles_fit_into_a_clone() -> None:
    folders = [path.parent for path in (ROOT / "model_store/bundles").glob("*/*/manifest.json")]
    sizes = {str(folder): sum(file.stat().st_size for file in folder.iterdir()) for folder in folders}
    assert max(sizes.values()) <= 10_000_000
    assert sum(sizes.values()) <= 90_000_000


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
