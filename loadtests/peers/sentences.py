"""The sentences of the bench: everyday ones of Tatoeba and captions of Multi30k, shuffled together."""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass
from pathlib import Path

SEED = 20170612
"""Of the shuffle."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An English sentence and its first French reference."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class _TestSet:
    """A tab-separated file below the data folder, and which column, counted from 0, is which."""

    file: str
    source_column: int
    target_column: int


_TEST_SETS = (
    _TestSet("tatoeba-en-fr/test.tsv.gz", 0, 1),
    _TestSet("multi30k/test_2016_flickr.en-de-fr-cs.tsv.gz", 0, 2),
)


def load(data: Path) -> list[Pair]:
    """All 3,000 pairs, always in the same order. Raises FileNotFoundError that names the remedy."""
    pairs = [pair for test_set in _TEST_SETS for pair in _read(data, test_set)]
    random.Random(SEED).shuffle(pairs)
    return pairs


def first(data: Path, count: int) -> list[Pair]:
    """The first `count` pairs. Raises ValueError when there are fewer, FileNotFoundError without the test sets."""
    pairs = load(data)
    if count > len(pairs):
        raise ValueError(f"{count} sentences are asked for; {data} holds {len(pairs)}")
    return pairs[:count]


def _read(data: Path, test_set: _TestSet) -> list[Pair]:
    path = data / test_set.file
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; name the folder of the test sets with --data")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        columns = [line.rstrip("\n").split("\t") for line in lines]
    return [Pair(row[test_set.source_column], row[test_set.target_column]) for row in columns]
