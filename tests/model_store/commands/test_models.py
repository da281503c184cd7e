"""`attendant models` and `attendant publish` on real stores."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from model_store.commands.models import models
from model_store.commands.publish import publish
from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.runtime.native import NativeRuntime
from service.runtime.opening import open_runtime
from tests.bundles import published


@pytest.fixture
def store(tmp_path: Path, bundle: Bundle) -> Path:
    Store(tmp_path / "store").publish(bundle.path)
    return tmp_path / "store"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(models, [str(argument) for argument in arguments])


def test_list_shows_each_bundle_on_a_line(store: Path) -> None:
    result = run("list", "--store", store)
    assert result.exit_code == 0, result.output
    header, line = result.output.splitlines()
    assert header.split() == ["model", "pair", "architecture", "precision", "parameters", "size", "BLEU"]
    assert line.split()[:4] == ["xx-yy-toy@1", "xx-yy", "toy", "float32"]


def test_the_store_is_taken_from_the_environment(store: Path) -> None:
    result = CliRunner().invoke(models, ["list"], env={"ATTENDANT_STORE": str(store)})
    assert "xx-yy-toy@1" in result.output


def test_list_shows_a_broken_bundle_and_fails(store: Path) -> None:
    (store / "xx-yy-toy" / "1" / "encoder.onnx").write_bytes(b"evil")
    result = run("list", "--store", store)
    assert result.exit_code == 1
    assert "xx-yy-toy@1" in result.output
    assert "BROKEN: encoder.onnx has 4 bytes" in result.output


def test_show_prints_the_manifest_when_asked(store: Path) -> None:
    result = run("show", "xx-yy-toy", "--store", store, "--json")
    assert json.loads(result.output)["architecture"] == "toy"
    assert run("show", "xx-yy-toy@1", "--store", store, "--json").output == result.output


@pytest.mark.parametrize("model", ["en-fr-transformer", "en-fr-gnmt"])
def test_show_tells_what_a_bundle_is_and_what_runs_it(model: str) -> None:
    result = run("show", model)
    assert result.exit_code == 0, result.output
    manifest = published(model).manifest
    has_kernels = isinstance(open_runtime(published(model)), NativeRuntime)
    facts = dict(re.split(r" {2,}", line, maxsplit=1) for line in result.output.split("\n\n")[0].splitlines())
    assert facts["model"] == f"{manifest.reference}, en to fr"
    assert facts["runtime"].startswith("kernels of this processor" if has_kernels else "ONNX Runtime, slower")
    assert manifest.alignment is not None
    shown = manifest.alignment
    step = " once it has read the word" if shown.shift else ""
    assert facts["default map"].startswith(f"layer {shown.layer} head {shown.head}{step}, alignment error rate")
    began = manifest.training.started_from
    assert facts["training"].startswith(f"{manifest.training.num_tokens / 1e6:.1f} M tokens")
    device = manifest.training.device
    assert (f"tokens on {device}" in facts["training"]) == (device != "")
    assert (f"from the weights of {began}" in facts["training"]) == (began != "")
    table = result.output.split("\n\n")[1].splitlines()
    assert len(table) == 1 + len(manifest.slice_quality)


def test_show_says_that_a_network_has_no_attention() -> None:
    assert "attention     none: asking for a map or alignment is refused" in run("show", "en-fr-seq2seq").output


def test_show_of_an_unknown_model_lists_what_there_is(store: Path) -> None:
    result = run("show", "nope@3", "--store", store)
    assert result.exit_code == 1
    assert "nope@3 is not in store" in result.output
    assert "xx-yy-toy@1" in result.output


@pytest.mark.parametrize("what", [[], ["xx-yy-toy"], ["xx-yy-toy@1"]])
def test_verify_says_that_a_whole_bundle_is_ok(store: Path, what: list[str]) -> None:
    result = run("verify", *what, "--store", store)
    assert result.exit_code == 0, result.output
    assert result.output.endswith(": ok\n")


def test_verify_takes_the_folder_of_an_unpublished_bundle(store: Path, bundle: Bundle) -> None:
    assert run("verify", bundle.path, "--store", store).output == f"{bundle.path}: ok\n"


def test_verify_lists_every_fault_and_fails(store: Path) -> None:
    folder = store / "xx-yy-toy" / "1"
    (folder / "encoder.onnx").unlink()
    (folder / "extra").write_bytes(b"")
    result = run("verify", "--store", store)
    assert result.exit_code == 1
    assert "  - encoder.onnx is missing\n  - 'extra' is not listed in the manifest; remove it\n" in result.output
    assert "1 of 1 bundles broken" in result.output


@pytest.mark.parametrize("command", ["list", "verify"])
def test_a_missing_store_names_the_remedy(tmp_path: Path, command: str) -> None:
    result = run(command, "--store", tmp_path / "nothing")
    assert result.exit_code == 1
    assert "set --store or ATTENDANT_STORE" in result.output


@pytest.mark.parametrize("command", ["list", "verify"])
def test_an_empty_store_names_the_remedy(tmp_path: Path, command: str) -> None:
    result = run(command, "--store", tmp_path)
    assert result.exit_code == 1
    assert "`attendant publish`" in result.output


def test_publish_tells_what_was_published_and_where(store: Path, bundle: Bundle) -> None:
    result = CliRunner().invoke(publish, [str(bundle.path), "--store", str(store)])
    assert result.output == f"published xx-yy-toy@2 at {store / 'xx-yy-toy' / '2'}\n"


def test_publish_refuses_a_broken_bundle_in_one_line(store: Path, bundle: Bundle) -> None:
    (bundle.path / "encoder.onnx").unlink()
    result = CliRunner().invoke(publish, [str(bundle.path), "--store", str(store)])
    assert result.exit_code == 1
    assert result.output == f"Error: {bundle.path}: 1 fault(s): encoder.onnx is missing\n"


def test_publish_needs_to_be_told_where(bundle: Bundle) -> None:
    result = CliRunner().invoke(publish, [str(bundle.path)], env={"ATTENDANT_STORE": None})
    assert result.exit_code == 2
    assert "--store" in result.output
