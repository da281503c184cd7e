"""Texts through the server's own road, from segments to the JSON of an answer, in this process."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sacrebleu
from tqdm import tqdm

from model_store.contract.manifest import Manifest
from model_store.contract.store import Store
from service.commands.asking import TRANSLATE, this_process

TEXTS_PER_REQUEST = 128
LISTS = Path(__file__).parent / "lists"


def answers(store: Path, model: str, texts: Sequence[str], **options: Any) -> list[dict[str, Any]]:
    """The answer's `translations` entry of every text, beam 4 unless `options` of the request say otherwise."""
    body: dict[str, Any] = {"beam_size": 4, "length_penalty": 1.0, "num_alternatives": 0, **options}
    found: list[dict[str, Any]] = []
    with this_process(store, [model], None, None) as ask:
        for first in tqdm(range(0, len(texts), TEXTS_PER_REQUEST), desc=model, unit="request"):
            found += ask(TRANSLATE, {**body, "text": list(texts[first : first + TEXTS_PER_REQUEST])})["translations"]
    return found


def written(store: Path, model: str, texts: Sequence[str], **options: Any) -> list[str]:
    """The translation of every text."""
    return [answer["text"] for answer in answers(store, model, texts, **options)]


def pairs(path: Path, count: int | None = None) -> list[tuple[str, str]]:
    """Source and first reference of a test set's lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [line.rstrip("\n").split("\t")[:2] for line in lines]
    return [(source, target) for source, target in found[:count]]


def corpus_pairs(data: Path, manifest: Manifest, part: str) -> list[tuple[str, str]]:
    """Source and first reference of the lines of `part` (`test`, `valid`) of the corpus of a model's language pair."""
    pair = manifest.source, manifest.target
    found = pairs(data / f"tatoeba-{'-'.join(sorted(pair, key=lambda code: (code != 'en', code)))}/{part}.tsv.gz")
    return found if manifest.source == "en" else [(target, source) for source, target in found]


def manifest_of(store: Path, model: str) -> Manifest:
    """The manifest of a model of the store."""
    return Store(store).open(model).manifest


def bleu(texts: Sequence[str], references: Sequence[str], ignore_case: bool = False) -> float:
    """sacreBLEU of `texts`."""
    return float(sacrebleu.corpus_bleu(list(texts), [list(references)], lowercase=ignore_case).score)


def listed(name: str) -> list[list[str]]:
    """The rows of a list that was written for a measurement."""
    return [line.split("\t") for line in (LISTS / name).read_text(encoding="utf-8").splitlines() if line.strip()]
