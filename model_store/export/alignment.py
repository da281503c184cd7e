"""Choose the attention slice that aligns best, and measure how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from model_store.architectures.base import Architecture
from model_store.contract.manifest import Alignment
from model_store.contract.state import AttentionSlice
from model_store.contract.tokenizer import BEGIN_ID, Tokenizer
from model_store.data.batching import pad, source_arrays
from model_store.data.corpus import normalise
from model_store.data.gold import GoldPair, Link, alignment_error_rate, read_gold
from model_store.training.recipe import AlignmentPart

Head = int | Literal["mean"]


@dataclass(frozen=True)
class _Encoded:
    """A gold side as subwords: ids, and for each id the number of the word that it belongs to."""

    ids: list[int]
    words: np.ndarray


def _encode(tokenizer: Tokenizer, words: Sequence[str]) -> _Encoded:
    ids, owners = [], []
    for number, word in enumerate(words):
        pieces = tokenizer.encode(normalise(word))
        ids += pieces
        owners += [number] * len(pieces)
    return _Encoded(ids, np.array(owners, dtype=np.int64))


def word_weights(weights: np.ndarray, target_words: np.ndarray, source_words: np.ndarray) -> np.ndarray:
    """Subword weights [T, S] to words: summed over a word's source subwords, averaged over its target subwords."""
    columns = np.zeros((source_words.max() + 1, weights.shape[1]))
    columns[source_words, np.arange(len(source_words))] = 1.0
    rows = np.zeros((target_words.max() + 1, weights.shape[0]))
    rows[target_words, np.arange(len(target_words))] = 1.0
    rows /= np.maximum(rows.sum(axis=1, keepdims=True), 1.0)
    merged: np.ndarray = rows @ weights @ columns.T
    return merged


def best_links(weights: np.ndarray) -> frozenset[Link]:
    """Link each target word to the source word that it attends to most; `weights` [target words, source words]."""
    return frozenset((int(source), target) for target, source in enumerate(weights.argmax(axis=1)))


@torch.inference_mode()
def forced_attention(model: Architecture, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
    """Weights [A, T, S] while the model is made to write `target`, without the end token's row and column."""
    source_ids, source_mask = source_arrays([source])
    target_ids = pad([[BEGIN_ID, *target]])
    out = model.eval().teacher_forced(*(torch.from_numpy(a) for a in (source_ids, source_mask, target_ids)))
    attention: np.ndarray = out.attention[0, :, : len(target), : len(source)].numpy()
    return attention


def candidates(slices: Sequence[AttentionSlice]) -> list[tuple[int, Head]]:
    """Every layer and head, and every layer's mean."""
    single: list[tuple[int, Head]] = [(s.layer, s.head) for s in slices]
    return single + [(layer, "mean") for layer in sorted({s.layer for s in slices})]


def select(attention: np.ndarray, slices: Sequence[AttentionSlice], layer: int, head: Head) -> np.ndarray:
    """One candidate's weights [T, S] out of all slices [A, T, S]."""
    chosen = [i for i, s in enumerate(slices) if s.layer == layer and head in ("mean", s.head)]
    weights: np.ndarray = attention[chosen].mean(axis=0)
    return weights


def error_rates(model: Architecture, tokenizer: Tokenizer, gold: list[GoldPair]) -> dict[tuple[int, Head], float]:
    """The alignment error rate of every candidate slice on `gold`."""
    slices = model.attention_slices()
    predicted: dict[tuple[int, Head], list[frozenset[Link]]] = {c: [] for c in candidates(slices)}
    for pair in gold:
        source, target = _encode(tokenizer, pair.source), _encode(tokenizer, pair.target)
        attention = forced_attention(model, source.ids, target.ids)
        for candidate, links in predicted.items():
            weights = select(attention, slices, *candidate)
            links.append(best_links(word_weights(weights, target.words, source.words)))
    return {candidate: alignment_error_rate(links, gold) for candidate, links in predicted.items()}


def choose_alignment(model: Architecture, tokenizer: Tokenizer, part: AlignmentPart | None, data: Path) -> Alignment:
    """The slice with the lowest error rate on the file to choose by, with its error rate on the test file.

    Without gold files: the mean of the middle layer, not measured.
    """
    slices = model.attention_slices()
    if part is None:
        layers = sorted({s.layer for s in slices})
        return Alignment(layer=layers[len(layers) // 2], head="mean")
    rates = error_rates(model, tokenizer, read_gold(data / part.choose))
    layer, head = min(rates, key=lambda candidate: rates[candidate])
    rate = error_rates(model, tokenizer, read_gold(data / part.test))[layer, head]
    return Alignment(layer=layer, head=head, alignment_error_rate=round(rate, 4), test_set=part.name)
