"""A bundle is opened only when every promise holds; what breaks one is said, all of it, at once."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from model_store.contract import bundle as bundle_module
from model_store.contract.bundle import Bundle, open_bundle, write_bundle
from model_store.contract.errors import ContractError
from model_store.contract.manifest import CONTRACT_VERSION

Json = dict[str, Any]
SLOW_FIXTURES_ARE_FINE = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def faults_of(path: Path) -> list[str]:
    with pytest.raises(ContractError) as caught:
        open_bundle(path)
    return caught.value.faults


def edit(bundle: Bundle, change: Callable[[Json], object]) -> None:
    """Change the manifest on disk."""
    file = bundle.path / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


def test_an_untouched_bundle_opens_with_the_bytes_that_were_written(
    bundle: Bundle, bundle_files: dict[str, bytes]
) -> None:
    opened = open_bundle(bundle.path)
    assert (opened.encoder, opened.decoder_step) == (bundle_files["encoder.onnx"], bundle_files["decoder_step.onnx"])
    assert opened.manifest == bundle.manifest
    assert opened.manifest.reference == "xx-yy-toy@1"
    assert opened.tokenizer.decode(opened.tokenizer.encode("abc")) == "abc"


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    assert faults_of(tmp_path / "nothing") == [
        f"folder {tmp_path / 'nothing'} cannot be opened: No such file or directory"
    ]


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert "cannot be opened: Not a directory" in faults_of(tmp_path / "file")[0]


def test_a_linked_folder_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(bundle.path)
    assert "is a symbolic link" in faults_of(tmp_path / "link")[0]


@pytest.mark.parametrize("name", ["manifest.json", "encoder.onnx", "decoder_step.onnx", "tokenizer.model"])
class TestEveryFile:
    def test_is_needed(self, bundle: Bundle, name: str) -> None:
        (bundle.path / name).unlink()
        assert faults_of(bundle.path) == [f"{name} is missing"]

    def test_may_not_be_a_symbolic_link(self, bundle: Bundle, name: str, tmp_path: Path) -> None:
        (bundle.path / name).rename(tmp_path / "real")
        (bundle.path / name).symlink_to(tmp_path / "real")
        assert faults_of(bundle.path) == [f"{name} is a symbolic link; replace it by a copy of the file"]

    def test_may_not_be_a_hard_link(self, bundle: Bundle, name: str, tmp_path: Path) -> None:
        os.link(bundle.path / name, tmp_path / "other-name")
        assert faults_of(bundle.path) == [f"{name} has 2 hard links; replace it by a copy of the file"]

    def test_may_not_be_a_pipe_and_opening_one_does_not_hang(self, bundle: Bundle, name: str) -> None:
        (bundle.path / name).unlink()
        os.mkfifo(bundle.path / name)
        assert faults_of(bundle.path) == [f"{name} is no regular file"]

    def test_may_not_be_a_folder(self, bundle: Bundle, name: str) -> None:
        (bundle.path / name).unlink()
        (bundle.path / name).mkdir()
        assert faults_of(bundle.path) == [f"{name} is no regular file"]

    def test_may_not_be_over_the_size_limit(self, bundle: Bundle, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        limit = "MAX_MANIFEST_BYTES" if name == "manifest.json" else "MAX_FILE_BYTES"
        monkeypatch.setattr(bundle_module, limit, 50)
        size = (bundle.path / name).stat().st_size
        assert f"{name} has {size} bytes; at most 50 are read" in faults_of(bundle.path)


def test_a_truncated_file_is_refused(bundle: Bundle) -> None:
    file = bundle.path / "encoder.onnx"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert faults_of(bundle.path) == [f"encoder.onnx has {len(whole) - 1} bytes; the manifest promises {len(whole)}"]


def test_a_grown_file_is_refused(bundle: Bundle) -> None:
    with (bundle.path / "encoder.onnx").open("ab") as file:
        file.write(b"\0")
    assert "the manifest promises" in faults_of(bundle.path)[0]


@SLOW_FIXTURES_ARE_FINE
@given(data=st.data())
def test_any_flipped_bit_of_any_listed_file_is_refused(bundle: Bundle, data: st.DataObject) -> None:
    file = bundle.path / data.draw(st.sampled_from(sorted(bundle.manifest.files)))
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    file.write_bytes(flipped)
    try:
        assert [f.split()[:3] for f in faults_of(bundle.path)] == [[file.name, "has", "SHA-256"]]
    finally:
        file.write_bytes(whole)


@pytest.mark.parametrize("name", ["notes.txt", "encoder.onnx.data", ".hidden"])
def test_a_file_that_the_manifest_does_not_list_is_refused(bundle: Bundle, name: str) -> None:
    (bundle.path / name).write_bytes(b"")
    assert faults_of(bundle.path) == [f"{name!r} is not listed in the manifest; remove it"]


def test_a_folder_beside_the_files_is_refused(bundle: Bundle) -> None:
    (bundle.path / "more").mkdir()
    assert faults_of(bundle.path) == ["'more' is not listed in the manifest; remove it"]


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname", "sub/file", "..", ".", "", "a\\b", "a\0b", "x" * 256])
def test_a_listed_name_that_leaves_the_folder_is_refused(bundle: Bundle, name: str) -> None:
    (bundle.path.parent / "secret").write_bytes(b"")
    empty = {"sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "size_bytes": 0}
    edit(bundle, lambda m: m["files"].update({name: empty}))
    assert faults_of(bundle.path) == [f"{name!r} is no plain file name; a bundle's files lie in its own folder"]


def test_a_graph_file_outside_the_folder_is_refused(bundle: Bundle) -> None:
    shutil.copy(bundle.path / "encoder.onnx", bundle.path.parent / "encoder.onnx")

    def escape(manifest: Json) -> None:
        manifest["encoder"]["file"] = "../encoder.onnx"
        manifest["files"]["../encoder.onnx"] = manifest["files"].pop("encoder.onnx")

    edit(bundle, escape)
    assert "'../encoder.onnx' is no plain file name; a bundle's files lie in its own folder" in faults_of(bundle.path)


def test_the_manifest_may_not_list_itself(bundle: Bundle) -> None:
    edit(bundle, lambda m: m["files"].update({"manifest.json": {"sha256": "0" * 64, "size_bytes": 1}}))
    assert faults_of(bundle.path) == ["manifest.json lists itself; it cannot hold its own digest"]


@pytest.mark.parametrize("version", range(3, CONTRACT_VERSION + 1))
def test_every_version_since_the_third_opens(bundle: Bundle, version: int) -> None:
    edit(bundle, lambda m: m.update(contract_version=version))
    assert open_bundle(bundle.path).manifest.contract_version == version


@pytest.mark.parametrize("version", [0, 1, 2, 99, "1", "x" * 1000, [], {"a": 1}, 1.5])
def test_an_unknown_contract_version_is_named_with_the_remedy(bundle: Bundle, version: object) -> None:
    edit(bundle, lambda m: m.update(contract_version=version))
    (fault,) = faults_of(bundle.path)
    assert fault.startswith("contract version ")
    assert fault.endswith("install a release that opens it, or export the model again")
    assert len(fault) < 250


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"null", b"[]", b'"text"', b"[" * 100_000, b'{"a": NaN}', b'{"a": "\\ud800"}', b"\0" * 64],
)
def test_a_manifest_that_is_no_manifest_is_a_fault_and_no_crash(bundle: Bundle, content: bytes) -> None:
    (bundle.path / "manifest.json").write_bytes(content)
    assert all(fault.startswith("manifest.json") or "not listed" in fault for fault in faults_of(bundle.path))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda m: m.update(surprise=1), "manifest.json, surprise"),
        (lambda m: m.pop("licence"), "manifest.json, licence"),
        (lambda m: m.update(name="../evil"), "manifest.json, name"),
        (lambda m: m.update(version="1.0"), "manifest.json, version"),
        (lambda m: m.update(num_parameters="4"), "manifest.json, num_parameters"),
        (lambda m: m["limits"].update(max_source_tokens=0), "manifest.json, limits.max_source_tokens"),
        (lambda m: m["files"]["encoder.onnx"].update(sha256="no"), "manifest.json, files.encoder.onnx.sha256"),
        (lambda m: m["decoder_step"].update(logits="nothing"), "tensor nothing is not among the decoder outputs"),
        (lambda m: m["state"][0].update(step_input="nothing"), "tensor nothing is not among the decoder inputs"),
        (lambda m: m["state"][0].update(lifetime="carried"), "static arrays, and only they, have no step_output"),
        (lambda m: m["state"][0].update(lifetime="growing"), "growing arrays, and only they, have no encoder_output"),
        (lambda m: m.update(alignment={"layer": 2, "head": 1}), "layer 2 head 1 is no attention slice"),
        (lambda m: m["encoder"].update(file="other.onnx"), "other.onnx is not listed under files"),
        (lambda m: m["tokenizer"].update(vocabulary_size=7), "tokenizer.model has 320 pieces"),
        (lambda m: m["special_tokens"].update(end=9), "has special ids"),
        (lambda m: m.pop("contract_version"), "manifest.json, contract_version: Field required"),
        (
            lambda m: m["encoder"]["inputs"].append(m["encoder"]["inputs"][0] | {"name": "more"}),
            "encoder.onnx has the inputs source_ids, source_mask; the manifest promises more, source_ids, source_mask",
        ),
        (
            lambda m: m["decoder_step"]["outputs"][0].update(axes=["R", 7]),
            "output logits has 7 on axis -1, but tokenizer.vocabulary_size is 320",
        ),
        (
            lambda m: m["decoder_step"]["outputs"][1].update(axes=["R", 3, "S"]),
            "output attention has 3 on axis 1, but the number of attention_slices is 1",
        ),
    ],
)
def test_a_broken_promise_is_named(bundle: Bundle, change: Callable[[Json], object], expected: str) -> None:
    edit(bundle, change)
    assert any(expected in fault for fault in faults_of(bundle.path))


def test_every_fault_is_reported_at_once(bundle: Bundle) -> None:
    (bundle.path / "encoder.onnx").unlink()
    (bundle.path / "decoder_step.onnx").write_bytes(b"short")
    (bundle.path / "extra").symlink_to("/etc/hostname")
    edit(bundle, lambda m: (m.pop("paper"), m.update(source="English")))
    text = "\n".join(faults_of(bundle.path))
    for part in (
        "encoder.onnx is missing",
        "decoder_step.onnx has 5 bytes",
        "'extra' is not listed",
        "paper",
        "source",
    ):
        assert part in text
    assert len(faults_of(bundle.path)) == 5


leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just([]) | st.just({})


@SLOW_FIXTURES_ARE_FINE
@given(data=st.data())
def test_a_mutated_manifest_opens_or_is_refused_and_nothing_else_happens(bundle: Bundle, data: st.DataObject) -> None:
    file = bundle.path / "manifest.json"
    whole = file.read_bytes()
    manifest = json.loads(whole)
    place: Any = manifest
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not place[key] or not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            break
        place = place[key]
    if data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(leaves)
    file.write_text(json.dumps(manifest))
    try:
        with contextlib.suppress(ContractError):
            assert set(open_bundle(bundle.path).manifest.files) == set(bundle.manifest.files)
    finally:
        file.write_bytes(whole)


@SLOW_FIXTURES_ARE_FINE
@given(data=st.data())
def test_a_flipped_byte_of_the_manifest_opens_or_is_refused(bundle: Bundle, data: st.DataObject) -> None:
    file = bundle.path / "manifest.json"
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    file.write_bytes(flipped)
    try:
        with contextlib.suppress(ContractError):
            open_bundle(bundle.path)
    finally:
        file.write_bytes(whole)


def external_graph(where: str) -> bytes:
    """A model with a tensor whose data lies in another file, as an initializer or inside a node's subgraph."""
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="../../secret")
    if where == "constant":
        graph = helper.make_graph([helper.make_node("Constant", [], ["y"], value=weight)], "g", [], [])
    else:
        graph = helper.make_graph([], "inner", [], [], [weight])
    if where == "subgraph":
        graph = helper.make_graph(
            [helper.make_node("If", ["c"], ["y"], then_branch=graph, else_branch=graph)], "g", [], []
        )
    data: bytes = helper.make_model(graph).SerializeToString()
    return data


@pytest.mark.parametrize("where", ["initializer", "constant", "subgraph"])
def test_weights_in_another_file_are_refused(
    tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes], where: str
) -> None:
    bundle_files["encoder.onnx"] = external_graph(where)
    with pytest.raises(ContractError, match="keeps weights in another file"):
        write_bundle(tmp_path / "b", bundle_values, bundle_files)


def test_graphs_in_each_others_place_are_refused(
    tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes]
) -> None:
    names = ("encoder.onnx", "decoder_step.onnx")
    swapped = {name: bundle_files[other] for name, other in zip(names, reversed(names), strict=True)}
    with pytest.raises(ContractError) as caught:
        write_bundle(tmp_path / "b", bundle_values, bundle_files | swapped)
    assert "encoder.onnx has the outputs attention, logits; the manifest promises memory" in caught.value.faults


def test_an_empty_graph_is_refused(tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes]) -> None:
    with pytest.raises(ContractError, match=r"encoder\.onnx has the inputs none; the manifest promises source_ids, "):
        write_bundle(tmp_path / "b", bundle_values, bundle_files | {"encoder.onnx": b""})


def test_a_tokenizer_without_byte_fallback_is_refused(
    tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes]
) -> None:
    model = io.BytesIO()
    sentences = [f"{a}{b} {b}{a}" for a in string.ascii_letters for b in string.ascii_letters]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, vocab_size=320, pad_id=0, unk_id=1, bos_id=2, eos_id=3,
        hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    bundle_files["tokenizer.model"] = model.getvalue()
    with pytest.raises(ContractError, match="has no byte fallback; some texts would be untranslatable"):
        write_bundle(tmp_path / "b", bundle_values, bundle_files)


def test_bytes_that_are_no_tokenizer_are_refused(
    tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes]
) -> None:
    bundle_files["tokenizer.model"] = b"nonsense"
    with pytest.raises(ContractError, match=r"tokenizer\.model is no sentencepiece model"):
        write_bundle(tmp_path / "b", bundle_values, bundle_files)


def test_a_refused_bundle_leaves_nothing_behind(
    tmp_path: Path, bundle_values: Json, bundle_files: dict[str, bytes]
) -> None:
    del bundle_values["paper"]
    with pytest.raises(ContractError):
        write_bundle(tmp_path / "b", bundle_values, bundle_files)
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_is_never_written_over(bundle: Bundle, bundle_values: Json, bundle_files: dict[str, bytes]) -> None:
    with pytest.raises(FileExistsError):
        write_bundle(bundle.path, bundle_values, bundle_files)


def test_later_changes_on_disk_do_not_reach_an_open_bundle(bundle: Bundle, bundle_files: dict[str, bytes]) -> None:
    opened = open_bundle(bundle.path)
    (bundle.path / "encoder.onnx").write_bytes(b"evil")
    assert opened.encoder == bundle_files["encoder.onnx"]


def test_the_first_axis_of_a_steps_inputs_says_what_segments_share(bundle: Bundle) -> None:
    def swap(manifest: dict[str, Any]) -> None:
        for tensor in manifest["decoder_step"]["inputs"]:
            tensor["axes"][0] = {"B": "R", "R": "B"}[tensor["axes"][0]]

    edit(bundle, swap)
    (fault,) = faults_of(bundle.path)
    for name in ("token_ids must have rows, R,", "source_mask must have segments, B,", "memory must have segments, B,"):
        assert name in fault
