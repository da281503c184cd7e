"""The sentences of the bench."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from loadtests.peers.sentences import Pair, first, load


@pytest.fixture
def data(tmp_path: Path) -> Path:
    sets = {
        "tatoeba-en-fr/test.tsv.gz": [f"everyday {i}\tjour {i}\tautre {i}" for i in range(20)],
        "multi30k/test_2016_flickr.en-de-fr-cs.tsv.gz": [f"caption {i}\tx\timage {i}\ty" for i in range(10)],
    }
    for name, lines in sets.items():
        (tmp_path / name).parent.mkdir()
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))
    return tmp_path


def test_both_test_sets_are_there_with_their_french_references(data: Path) -> None:
    pairs = load(data)
    assert len(pairs) == 30
    assert {Pair("everyday 3", "jour 3"), Pair("caption 7", "image 7")} < set(pairs)


def test_the_order_is_mixed_and_always_the_same(data: Path) -> None:
    assert load(data) == load(data)
    assert len({pair.source.split()[0] for pair in load(data)[:15]}) == 2


def test_the_first_sentences_do_not_depend_on_how_many_are_asked_for(data: Path) -> None:
    assert first(data, 12)[:5] == first(data, 5)


def test_more_sentences_than_there_are_are_refused(data: Path) -> None:
    with pytest.raises(ValueError, match="holds 30"):
        first(data, 31)


def test_a_missing_test_set_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="--data"):
        load(tmp_path)
