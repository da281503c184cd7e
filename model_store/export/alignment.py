"""Which attention links words, and how well: every slice is measured, the default map and the links are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import torch

from model_store.architectures.base import Architecture
from model_store.contract.normalisation import normalise
from model_store.contract.parts import Alignment, LeftoverLinks, Links, SliceQuality
from model_store.contract.state import AttentionSlice
from model_store.contract.tokenizer import BEGIN_ID, Span, Tokenizer
from model_store.data.batching import pad, source_arrays
from model_store.data.gold import GoldPair, Link, alignment_error_rate, read_gold, reversed_pair
from model_store.training.recipe import AlignmentPart, GuidedPart, Recipe

Head = int | Literal["mean"]
Candidate = tuple[int, Head, int]
"""Layer, head, shift."""

LEAST_WEIGHTS = tuple(round(0.05 * step, 2) for step in range(11))
"""Least weights of a link that are tried."""
GUIDED_LEAST_WEIGHT = 0.4
"""Least weight of a link of a guided head that nothing was measured for."""
LEFTOVER_WEIGHTS = (0.3, 0.4, 0.5)
LEFTOVER_TOLERANCE = 0.012
"""By how much more alignment error rate than the best one a slice for left-over words may have."""
CONFIDENT = 0.5
"""A target word's link is confident from this weight on."""
CLOSING = frozenset(".,;:!?)]}\u2026\u00bb\u201d%")
OPENING = frozenset("([{\u00ab\u201c")
SPACED_IN_FRENCH = frozenset(";:!?\u00bb%")


class WordMap(NamedTuple):
    """Weights between words: subwords of a source word summed, those of a target word averaged."""

    weights: np.ndarray
    """[target words, source words]"""
    end_token: np.ndarray
    """[target words]: what each gives to the source's end token."""


@dataclass(frozen=True)
class EncodedSide:
    """Gold words as they stand in a sentence: its subwords, and where words and subwords lie in it."""

    ids: list[int]
    spans: list[Span]
    words: list[Span]

    def shares(self) -> np.ndarray:
        """[subwords, words]: the share of each subword that lies in each word; rows sum to 1."""
        shares = np.zeros((len(self.ids), len(self.words)))
        for row, (start, end) in zip(shares, self.spans, strict=True):
            overlaps = [max(0, min(end, b) - max(start, a)) for a, b in self.words]
            if any(overlaps):
                row[:] = overlaps
            else:
                row[min(sum(b <= start for _, b in self.words), len(self.words) - 1)] = 1.0
        return shares / shares.sum(axis=1, keepdims=True)


def encode_words(tokenizer: Tokenizer, words: Sequence[str], language: str) -> EncodedSide:
    """The sentence that gold `words` make, with spaces where the language puts them."""
    text, spans, glued = "", [], True
    for word in map(normalise, words):
        french = language == "fr"
        is_closing = word in CLOSING and not (french and word in SPACED_IN_FRENCH)
        text += "" if glued or is_closing or word in ("'s", "n't") else " "
        spans.append((len(text), len(text) + len(word)))
        text += word
        glued = word in OPENING or (french and word.endswith("'"))
    ids, places = tokenizer.encode_with_spans(text)
    return EncodedSide(ids, list(places), spans)


@torch.inference_mode()
def forced_attention(model: Architecture, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
    """Weights [A, T + 1, S + 1] while the model is made to write `target`; last are the end tokens."""
    source_ids, source_mask = source_arrays([source])
    target_ids = pad([[BEGIN_ID, *target]])
    out = model.eval().teacher_forced(*(torch.from_numpy(a) for a in (source_ids, source_mask, target_ids)))
    attention: np.ndarray = out.attention[0].numpy()
    return attention


def word_map(rows: np.ndarray, source: EncodedSide, target: EncodedSide, shift: int) -> WordMap:
    """One slice's `rows` [T + 1, S + 1] between words; a target subword's row is `shift` further on."""
    rows = rows[shift : shift + len(target.ids)]
    shares = target.shares()
    shares = shares / np.maximum(shares.sum(axis=0), 1e-9)
    merged = shares.T @ rows
    return WordMap(merged[:, :-1] @ source.shares(), merged[:, -1])


def word_links(found: WordMap, least_weight: float) -> frozenset[Link]:
    """Each target word with the source word of the largest weight, if that is at least `least_weight` and more than the
    end token's: what the server's alignments are."""
    best = found.weights.argmax(axis=1)
    largest = found.weights[np.arange(len(best)), best]
    is_linked = (largest >= least_weight) & (largest > found.end_token)
    return frozenset((int(best[t]), int(t)) for t in np.flatnonzero(is_linked))


def with_leftovers(links: frozenset[Link], weights: np.ndarray, pair: GoldPair, least_weight: float) -> frozenset[Link]:
    """`links`, and each target word without one to the source word without one that it looks at most: as the server's
    `service.attention.kernel.with_leftovers`."""
    sources, targets = {s for s, _ in links}, {t for _, t in links}
    free = np.array([s not in sources and _is_word(word) for s, word in enumerate(pair.source)])
    more = set()
    for target, word in enumerate(pair.target):
        row = np.where(free, weights[target], -1.0)
        if target not in targets and _is_word(word) and row.max() >= least_weight:
            more.add((int(row.argmax()), target))
    return links | more


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


@dataclass(frozen=True)
class ForcedMaps:
    """The word maps of every candidate slice on gold pairs."""

    gold: list[GoldPair]
    maps: dict[Candidate, list[WordMap]]

    @classmethod
    def of(
        cls, model: Architecture, tokenizer: Tokenizer, gold: list[GoldPair], languages: tuple[str, str]
    ) -> ForcedMaps:
        """Run `model` over the gold pairs once."""
        slices = model.attention_slices()
        maps: dict[Candidate, list[WordMap]] = {candidate: [] for candidate in candidates(slices)}
        for pair in gold:
            source = encode_words(tokenizer, pair.source, languages[0])
            target = encode_words(tokenizer, pair.target, languages[1])
            attention = forced_attention(model, source.ids, target.ids)
            for (layer, head, shift), found in maps.items():
                found.append(word_map(select(attention, slices, layer, head), source, target, shift))
        return cls(gold, maps)

    def error_rate(self, candidate: Candidate, least_weight: float) -> float:
        """Alignment error rate of a candidate's links."""
        return alignment_error_rate([word_links(found, least_weight) for found in self.maps[candidate]], self.gold)

    def leftover_links(
        self, main: Candidate, least: float, other: Candidate, other_least: float
    ) -> list[frozenset[Link]]:
        """The links of `main`, and those of words that it leaves alone from the weights of `other`."""
        return [
            with_leftovers(word_links(one, least), two.weights, pair, other_least)
            for one, two, pair in zip(self.maps[main], self.maps[other], self.gold, strict=True)
        ]

    def best_leftover(self, main: Candidate, least: float) -> tuple[Candidate, float]:
        """Of the heads that add next to no errors to the links of `main`, the one that links most words rightly."""
        tried = []
        for candidate in self.maps:
            if candidate[1] != "mean" and candidate[2] == 0:
                for weight in LEFTOVER_WEIGHTS:
                    found = self.leftover_links(main, least, candidate, weight)
                    tried.append((alignment_error_rate(found, self.gold), sum(map(len, found)), candidate, weight))
        lowest = min(rate for rate, *_ in tried)
        able = [one for one in tried if one[0] <= lowest + LEFTOVER_TOLERANCE]
        _, _, candidate, weight = max(able, key=lambda one: one[1] * (1.0 - one[0]))
        return candidate, weight

    def best(self, shifts: Sequence[int], least_weights: Sequence[float]) -> tuple[Candidate, float]:
        """The candidate of one of `shifts`, and the least weight, with the fewest errors."""
        tried = [(c, least) for c in self.maps if c[2] in shifts for least in least_weights]
        return min(tried, key=lambda one: self.error_rate(*one))


def candidates(slices: Sequence[AttentionSlice]) -> list[Candidate]:
    """Every layer and head, and every layer's mean, as they write a word and after they have read it."""
    single: list[tuple[int, Head]] = [(s.layer, s.head) for s in slices]
    means: list[tuple[int, Head]] = [(layer, "mean") for layer in sorted({s.layer for s in slices})]
    return [(layer, head, shift) for shift in (0, 1) for layer, head in (*single, *means)]


def select(attention: np.ndarray, slices: Sequence[AttentionSlice], layer: int, head: Head) -> np.ndarray:
    """One candidate's weights [T, S] out of all slices [A, T, S]."""
    chosen = [i for i, s in enumerate(slices) if s.layer == layer and head in ("mean", s.head)]
    weights: np.ndarray = attention[chosen].mean(axis=0)
    return weights


class ChosenAlignment(NamedTuple):
    """What the manifest says of attention as alignment."""

    alignment: Alignment | None
    links: Links | None
    slices: tuple[SliceQuality, ...]


def choose_alignment(
    model: Architecture, tokenizer: Tokenizer, recipe: Recipe, data: Path, measure: bool = True
) -> ChosenAlignment:
    """The default map, the links, and what every slice is worth; chosen on one gold file, measured on another.

    Both may be of the step that writes a word or of the one that has read it (shift 1).
    Without gold files, or unless `measure`: the recipe's guided heads, else the mean of the middle layer, not measured.
    Nothing for an architecture without attention.
    """
    if not model.attention_slices():
        return ChosenAlignment(None, None, ())
    part = recipe.alignment if measure else None
    if part is None:
        return unmeasured_alignment(model, recipe.guided)
    languages = recipe.source, recipe.target
    choose, test = (
        ForcedMaps.of(model, tokenizer, _gold(data / file, part), languages) for file in (part.choose, part.test)
    )
    shown, _ = choose.best((0, 1), (0.0,))
    linked, least = choose.best((0, 1), LEAST_WEIGHTS)
    other, other_least = choose.best_leftover(linked, least)
    with_others = alignment_error_rate(test.leftover_links(linked, least, other, other_least), test.gold)
    rates = test.error_rate(shown, 0.0), with_others
    return ChosenAlignment(
        Alignment(
            layer=shown[0],
            head=shown[1],
            shift=1 if shown[2] else 0,
            alignment_error_rate=round(rates[0], 4),
            test_set=part.name,
        ),
        Links(
            layer=linked[0],
            head=linked[1],
            shift=1 if linked[2] else 0,
            least_weight=least,
            leftover=LeftoverLinks(layer=other[0], head=int(other[1]), least_weight=other_least),
            alignment_error_rate=round(rates[1], 4),
            test_set=part.name,
        ),
        tuple(_slice_qualities(test)),
    )


def unmeasured_alignment(model: Architecture, guided: GuidedPart | None) -> ChosenAlignment:
    """The first guided head that has read words for map and links; without one the first that writes for the map."""
    layers = sorted({s.layer for s in model.attention_slices()})
    by_shift = sorted(guided.heads, key=lambda head: -head.shift) if guided else []
    shown, links = Alignment(layer=layers[len(layers) // 2], head="mean"), None
    if by_shift:
        best = by_shift[0]
        shown = Alignment(layer=best.layer, head=best.head, shift=best.shift)
        if best.shift:
            links = Links(layer=best.layer, head=best.head, shift=1, least_weight=GUIDED_LEAST_WEIGHT)
    return ChosenAlignment(shown, links, ())


def _gold(path: Path, part: AlignmentPart) -> list[GoldPair]:
    found = read_gold(path)
    return list(map(reversed_pair, found)) if part.reverse else found


def _slice_qualities(test: ForcedMaps) -> Iterator[SliceQuality]:
    for candidate, maps in test.maps.items():
        layer, head, shift = candidate
        if head == "mean":
            continue
        rows = [np.column_stack(found) for found in maps]
        entropies = [-(row * np.log(np.clip(row, 1e-12, 1))).sum(axis=1) / np.log(row.shape[1]) for row in rows]
        largest = np.concatenate([found.weights.max(axis=1) for found in maps])
        yield SliceQuality(
            layer=layer,
            head=head,
            shift=1 if shift else 0,
            alignment_error_rate=round(test.error_rate(candidate, 0.0), 4),
            entropy=round(float(np.concatenate(entropies).mean()), 4),
            confident_share=round(float((largest >= CONFIDENT).mean()), 4),
        )
