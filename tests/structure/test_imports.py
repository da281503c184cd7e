"""Who may import whom: the rules of docs/structure.md, read from the source files themselves."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(file for house in ("service", "model_store") for file in (ROOT / house).rglob("*.py"))

ONLY_IN = {
    "torch": ("model_store/architectures/", "model_store/layers/", "model_store/data/", "model_store/training/",
              "model_store/importing/", "model_store/export/"),
    "onnxruntime": ("service/runtime/", "model_store/export/"),
    "ray": ("service/app.py", "service/deployments/"),
    "fastapi": (),
}  # fmt: skip
"""Rooms and files that may import a package; none may import FastAPI, which is there for Ray Serve."""

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}


def place(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def imports(source: str, package: str) -> Iterator[str]:
    """Full names of all that a source file of `package` imports, wherever in the file, by whatever spelling."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                yield from (f"{module}.{name.name}" for name in names)
            case ast.ImportFrom(level=level, module=module, names=names):
                above = package.split(".")[: len(package.split(".")) - level + 1]
                yield from (".".join([*above, *([module] if module else []), name.name]) for name in names)
            case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__")):
                yield from (
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                )


def imports_of(file: Path) -> list[str]:
    return list(imports(file.read_text(encoding="utf-8"), ".".join(file.relative_to(ROOT).parent.parts)))


def top(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize("file", FILES, ids=place)
def test_a_file_imports_only_what_its_room_may(file: Path) -> None:
    here = place(file)
    for name in imports_of(file):
        assert here.startswith(ONLY_IN.get(top(name), (here,))), f"{here} may not import {name}"
        if here.startswith("service/") and top(name) == "model_store":
            assert name.startswith("model_store.contract."), (
                f"{here} imports {name}; only model_store.contract is for it"
            )
        if here.startswith("model_store/"):
            assert top(name) != "service", f"{here} imports {name}; the training side knows nothing of the server"
        if here.startswith("model_store/contract/"):
            other_room = top(name) == "model_store" and not name.startswith("model_store.contract.")
            assert not other_room, f"{here} imports {name}; the contract stands alone"


@pytest.mark.parametrize("file", FILES, ids=place)
def test_no_module_has_a_name_that_says_nothing(file: Path) -> None:
    assert not VAGUE & {file.stem, *file.relative_to(ROOT).parts}


def test_the_reader_of_imports_sees_every_spelling() -> None:
    source = """
import a.b, c as d
from e.f import g
from . import h
from .i import j
from ..k import m
def late():
    import n
    import importlib
    importlib.import_module("o.p")
    __import__("q")
"""
    found = set(imports(source, "x.y"))
    assert found == {"a.b", "c", "e.f.g", "x.y.h", "x.y.i.j", "x.k.m", "n", "importlib", "o.p", "q"}


def test_all_of_the_service_imports_where_there_is_no_torch() -> None:
    code = """
import importlib, pkgutil, sys
sys.modules["torch"] = None
import service
names = [module.name for module in pkgutil.walk_packages(service.__path__, "service.")]
for name in names:
    importlib.import_module(name)
assert sys.modules["torch"] is None
print(len(names))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[-1]) > 20


def test_rooms_of_the_text_stand_in_the_order_of_the_structure_page() -> None:
    rows = re.findall(r"^\| `(service/text/\w+/)`", (ROOT / "docs/structure.md").read_text(encoding="utf-8"), re.M)
    assert set(rows) == {f"{place(file.parent)}/" for file in (ROOT / "service/text").glob("*/__init__.py")}
    for file in (file for row in rows for file in (ROOT / row).glob("*.py")):
        allowed = rows[: rows.index(f"{place(file.parent)}/") + 1]
        for name in imports_of(file):
            if name.startswith("service.text."):
                assert "/".join(name.split(".")[:3]) + "/" in allowed, f"{place(file)} imports {name}"
