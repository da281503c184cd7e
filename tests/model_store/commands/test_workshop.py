"""`attendant train` and `attendant export`: what they say when something is missing, and that help is quick."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from model_store.commands import options
from model_store.commands.export import export
from model_store.commands.models import models
from model_store.commands.publish import publish
from model_store.commands.train import ALLOCATOR, train


def test_train_without_the_extra_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(options, "TRAINING_PACKAGES", ("torch_that_is_not_there",))
    result = CliRunner().invoke(train, ["en-fr-transformer", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "`make .venv-dev/.installed`" in result.output
    assert "pip install -e '.[train]'" in result.output


def test_export_without_the_extra_names_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(options, "TRAINING_PACKAGES", ("torch_that_is_not_there",))
    result = CliRunner().invoke(export, [str(tmp_path), "--out", str(tmp_path / "b"), "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "`make .venv-dev/.installed`" in result.output
    assert "pip install -e '.[train]'" in result.output


def test_an_unknown_recipe_lists_those_there_are(tmp_path: Path) -> None:
    result = CliRunner().invoke(train, ["nope", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "en-fr-transformer" in result.output


def test_a_missing_corpus_is_named(tmp_path: Path) -> None:
    arguments = ["en-fr-transformer", "--data", str(tmp_path), "--runs", str(tmp_path / "runs")]
    result = CliRunner().invoke(train, arguments)
    assert result.exit_code == 1
    assert "train.tsv.gz does not exist" in result.output


def test_exporting_an_unfinished_run_names_the_remedy(tmp_path: Path) -> None:
    result = CliRunner().invoke(export, [str(tmp_path), "--out", str(tmp_path / "b"), "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "finish the run with `attendant train` first" in result.output


def test_export_never_writes_over_anything(tmp_path: Path) -> None:
    result = CliRunner().invoke(export, [str(tmp_path), "--out", str(tmp_path), "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "exists; remove it or name another folder" in result.output


@pytest.mark.parametrize("command", [train, export, publish, models, *models.commands.values()])
def test_help_has_an_example(command: click.Command) -> None:
    result = CliRunner().invoke(command, ["--help"])
    assert result.exit_code == 0
    assert "attendant " in result.output or isinstance(command, click.Group)


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
for name in ("torch", "numpy", "onnx", "onnxruntime", "pydantic", "sacrebleu", "matplotlib", "ray"):
    sys.modules[name] = None
from model_store.commands import export, models, publish, train
for module in (export.export, train.train, publish.publish, models.models):
    module.main(["--help"], standalone_mode=False)
"""
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, timeout=60)


def test_training_starts_itself_again_with_the_allocator_that_suits_it(tmp_path: Path) -> None:
    script = tmp_path / "attendant"
    script.write_text(
        "import os, sys\n"
        "from model_store.commands.train import ALLOCATOR, _tune_allocator\n"
        "_tune_allocator()\n"
        "print(sys.argv[1:], [os.environ.get(name) for name in ALLOCATOR])\n"
    )
    command = [sys.executable, str(script), "train", "a b"]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env={}, timeout=60, cwd=Path.cwd())
    expected = list(ALLOCATOR.values()) if sys.platform == "linux" else [None] * len(ALLOCATOR)
    assert result.stdout == f"{['train', 'a b']} {expected}\n"
