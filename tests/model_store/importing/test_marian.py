"""A MarianMT checkpoint, imported: it computes what `transformers` computes, cuts text alike, and is served.

`make_opus_mt.py` made the checkpoint and `expected.json`, with `transformers` itself.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from model_store.architectures.transformer import Transformer
from model_store.commands.export import export
from model_store.commands.importing import import_model
from model_store.contract.bundle import open_bundle
from model_store.contract.tokenizer import BEGIN_ID, END_ID, Tokenizer
from model_store.data.batching import source_arrays
from model_store.importing.marian import NEVER, CheckpointFormatError, MarianCheckpoint
from model_store.training.finished import open_run

OPUS = Path(__file__).parent / "opus-mt-tiny"
EXPECTED = json.loads((OPUS / "expected.json").read_text("utf-8"))
PAIRS = [("The cat ate the mouse.", "Le chat a mangé la souris."), ("Where is the dog?", "Où est le chien ?")] * 20


@pytest.fixture(scope="module")
def checkpoint() -> MarianCheckpoint:
    return MarianCheckpoint.open(OPUS)


def test_text_is_cut_as_marian_cuts_it(checkpoint: MarianCheckpoint) -> None:
    tokenizer = Tokenizer(checkpoint.vocabulary.model)
    assert tokenizer.has_byte_fallback
    for source in EXPECTED["sources"]:
        pieces = [tokenizer.pieces[i] for i in tokenizer.encode(source["text"])]
        read = [("<unk>" if piece.startswith("<0x") else piece) for piece in pieces]
        assert [*read, "</s>"] == source["pieces"]


def test_translations_are_read_back(checkpoint: MarianCheckpoint) -> None:
    tokenizer = Tokenizer(checkpoint.vocabulary.model)
    ids = [tokenizer.pieces.index(piece) for piece in EXPECTED["target"][1:]]
    assert tokenizer.decode([*ids, END_ID]) == EXPECTED["translation"]


def test_logits_are_those_of_transformers(checkpoint: MarianCheckpoint) -> None:
    model = Transformer.from_config({"vocabulary_size": len(checkpoint.vocabulary.places), **checkpoint.network})
    model.load_state_dict(checkpoint.state())
    tokenizer, places = Tokenizer(checkpoint.vocabulary.model), checkpoint.vocabulary.places
    target = [BEGIN_ID, *(tokenizer.pieces.index(piece) for piece in EXPECTED["target"][1:])]
    written = [i for i, piece in enumerate(tokenizer.pieces) if not piece.startswith("<0x") and i not in (0, BEGIN_ID)]
    for source in EXPECTED["sources"]:
        ids, mask = map(torch.from_numpy, source_arrays([tokenizer.encode(source["text"])]))
        with torch.inference_mode():
            out = model.eval().teacher_forced(ids, mask, torch.tensor([target]))
            logits = model.logits(out.hidden)[0]
        theirs = torch.tensor(source["logits"])[:, [places[i] for i in written]]
        torch.testing.assert_close(logits[:, written], theirs, rtol=1e-4, atol=1e-4)
    assert (model.bias[[0, BEGIN_ID, *checkpoint.vocabulary.byte_ids]] == NEVER).all()


def test_the_older_file_of_weights_is_read_alike(checkpoint: MarianCheckpoint, tmp_path: Path) -> None:
    folder = _changed(tmp_path / "older", "config.json")
    torch.save(dict(checkpoint.weights), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    torch.testing.assert_close(MarianCheckpoint.open(folder).state(), checkpoint.state(), rtol=0, atol=0)


def test_an_imported_model_is_exported_and_opened(tmp_path: Path) -> None:
    for name in ("valid.tsv", "test.tsv"):
        (tmp_path / name).write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    run = tmp_path / "run"
    bundle = run / "bundle"
    told = CliRunner().invoke(import_model, [str(OPUS), "--name", "en-fr-opus", "--valid", str(tmp_path / "valid.tsv"),
        "--test", str(tmp_path / "test.tsv"), "--licence", "CC-BY-4.0", "--out", str(run)])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert f"next: attendant export {run} --out {bundle} --data {tmp_path}" in told.output
    assert (open_run(run).recipe.source, open_run(run).recipe.target) == ("en", "fr")
    told = CliRunner().invoke(export, [str(run), "--out", str(bundle), "--data", str(tmp_path)])
    assert told.exit_code == 0, told.output
    opened = open_bundle(bundle)
    assert opened.manifest.training.started_from == "opus-mt-tiny"
    assert opened.manifest.known_words_file is None
    assert {quality.test_set for quality in opened.manifest.quality} == {"test"}
    assert opened.manifest.alignment is not None


def _changed(folder: Path, file: str, **values: Any) -> Path:
    shutil.copytree(OPUS, folder)
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "values", "reason"),
    [
        ("config.json", {"model_type": "bart"}, "model_type is 'bart', only 'marian' can be imported"),
        ("config.json", {"scale_embedding": False}, "scale_embedding is False, only True can be imported"),
        (
            "config.json",
            {"activation_function": "tanh"},
            "activation_function 'tanh' is none of swish, silu, relu, gelu",
        ),
        ("vocab.json", {">>fra<<": 3, ">>spa<<": 4}, r"the model translates into several languages \(>>fra<<, >>spa<<"),
    ],
)
def test_what_cannot_be_imported_is_refused(tmp_path: Path, file: str, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(CheckpointFormatError, match=reason):
        MarianCheckpoint.open(_changed(tmp_path / "other", file, **values))


@pytest.mark.parametrize("file", ["config.json", "vocab.json", "source.spm", "model.safetensors"])
def test_files_that_are_missing_or_damaged_are_named(tmp_path: Path, file: str) -> None:
    folder = _changed(tmp_path / "other", "config.json")
    (folder / file).write_bytes(b"\xff\xff nothing")
    with pytest.raises(CheckpointFormatError, match=file):
        MarianCheckpoint.open(folder)
    (folder / file).unlink()
    with pytest.raises(CheckpointFormatError, match=file):
        MarianCheckpoint.open(folder)
