"""`attendant upgrade` and `attendant prune` on bundles that the distribution carries."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from model_store.commands.prune import prune
from model_store.commands.upgrade import upgrade
from model_store.contract.bundle import Bundle, open_bundle, read_verified
from model_store.training.finished import open_run
from tests.bundles import published

PAIRS = [
    ("The black cat sleeps.", "Le chat noir dort."),
    ("I have seen the cat.", "J'ai vu le chat."),
    ("Where is my book?", "Où est mon livre ?"),
    ("Thank you very much.", "Merci beaucoup."),
] * 4


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that recipes of the gallery name, with a few pairs."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tatoeba-en-fr").mkdir()
    for name in ("train", "valid"):
        with gzip.open(folder / "tatoeba-en-fr" / f"{name}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines(f"{source}\t{target}\n" for source, target in PAIRS)
    return folder


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return published("en-fr-transformer-small")


def test_upgrade_adds_the_words_of_the_training_text_and_leaves_the_graphs(
    bundle: Bundle, data: Path, tmp_path: Path
) -> None:
    assert bundle.known_words is None
    out = tmp_path / "upgraded"
    result = CliRunner().invoke(upgrade, [str(bundle.path), "--out", str(out), "--data", str(data)])
    assert result.exit_code == 0, result.output
    found = open_bundle(out)
    assert found.known_words is not None
    assert found.known_words.unknown_and_count(["Black", "cat", "settings"], "")[0] == [2]
    assert "unknown_share" in found.manifest.confidence.weights  # type: ignore[union-attr]
    (_, before), (_, after) = read_verified(bundle.path), read_verified(out)
    assert {name: after[name] for name in before} == before
    again = CliRunner().invoke(upgrade, [str(out), "--out", str(tmp_path / "twice"), "--data", str(data)])
    assert again.exit_code == 1
    assert again.output == f"Error: {bundle.manifest.reference} knows its words already\n"


def test_upgrade_without_data_names_what_would_be_added(bundle: Bundle, tmp_path: Path) -> None:
    result = CliRunner().invoke(upgrade, [str(bundle.path), "--out", str(tmp_path / "upgraded")])
    assert result.exit_code == 1
    assert result.output.endswith(
        "has a teacher-forced graph and no character map of its own already; --data adds the words that it knows\n"
    )


def test_upgrade_names_a_corpus_that_is_missing(bundle: Bundle, tmp_path: Path) -> None:
    result = CliRunner().invoke(upgrade, [str(bundle.path), "--out", str(tmp_path / "x"), "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "train.tsv.gz does not exist" in result.output


def test_a_bundle_is_pruned_without_its_run(bundle: Bundle, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "pruned"
    arguments = [str(bundle.path), "--share", "0.25", "--out", str(out), "--data", str(data), "--batches", "1"]
    result = CliRunner().invoke(prune, arguments)
    assert result.exit_code == 0, result.output
    assert result.output.count("  removed\n") == 7
    assert "7 of 28 heads removed\n" in result.output
    smaller = open_run(out)
    assert smaller.recipe.name == "en-fr-transformer-small-pruned"
    assert sum(p.numel() for p in smaller.model.parameters()) < bundle.manifest.num_parameters
    assert smaller.progress["tokens"] == bundle.manifest.training.num_tokens
