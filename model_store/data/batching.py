"""Length-bucketed batches by token count, in an order that depends on nothing but seed and epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID

Ids = Sequence[int]


NOT_LINKED = 0.5
"""How much a target word without a link counts: it should look at the end token."""


class SubwordLinks(NamedTuple):
    """The words that subwords belong to, and links between words."""

    source_words: Sequence[int]
    """S of them: the word of each source subword, from 0."""
    target_words: Sequence[int]
    """T of them."""
    links: tuple[tuple[int, int, float], ...]
    """Source word, target word, strength."""

    def weights(self) -> np.ndarray:
        """[T + 1, S + 1] float32: where each target subword should look; last are the end tokens.

        A word with sure links looks at those words alike; one with weaker links half at them and half at the end token;
        one without any at the end token, which counts NOT_LINKED. A word's share is spread over its subwords.
        """
        num_sources, num_targets = (max(words, default=-1) + 1 for words in (self.source_words, self.target_words))
        words = np.zeros((num_targets + 1, num_sources + 1), dtype=np.float32)
        for source, target, strength in self.links:
            if source < num_sources and target < num_targets:
                words[target, source] = strength
        sure = np.greater_equal(words, 1.0)
        has_sure = sure.any(axis=1, keepdims=True)
        words[has_sure & ~sure] = 0.0
        words /= np.maximum(words.sum(axis=1, keepdims=True) / words.max(axis=1, keepdims=True, initial=1e-9), 1.0)
        linked = words.sum(axis=1)
        words[:, -1] = np.where(linked > 0.0, 1.0 - linked, NOT_LINKED)
        pieces = np.array([*self.source_words, num_sources])
        spread = words / np.maximum(np.bincount(pieces, minlength=num_sources + 1), 1)
        chosen: np.ndarray = spread[[*self.target_words, num_targets]][:, pieces]
        return chosen


@dataclass(frozen=True)
class TokenPairs:
    """Encoded sentence pairs, without special tokens."""

    sources: list[list[int]]
    targets: list[list[int]]
    links: list[SubwordLinks] | None = None
    """Links of each pair, where an aligner found some."""

    def __len__(self) -> int:
        return len(self.sources)

    def shorter_than(self, max_tokens: int) -> TokenPairs:
        """Only the pairs whose two sides have at most `max_tokens` tokens."""
        return self.take(self.numbers_shorter_than(max_tokens))

    def numbers_shorter_than(self, max_tokens: int) -> list[int]:
        """The numbers of those pairs."""
        return [i for i in range(len(self)) if max(len(self.sources[i]), len(self.targets[i])) <= max_tokens]

    def take(self, chosen: Sequence[int]) -> TokenPairs:
        """The pairs numbered `chosen`."""
        links = [self.links[i] for i in chosen] if self.links is not None else None
        return TokenPairs([self.sources[i] for i in chosen], [self.targets[i] for i in chosen], links)


@dataclass(frozen=True)
class Batch:
    """Padded ids: `source_ids` [B, S] (with end token), `source_mask` [B, S], `target_ids` [B, T] (shifted right),
    `labels` [B, T] (PAD_ID = none)."""

    source_ids: np.ndarray
    source_mask: np.ndarray
    target_ids: np.ndarray
    labels: np.ndarray
    links: np.ndarray | None = None
    """[B, T, S] float32: where each target token should look, rows summing to 1 (linked), to less (not linked, the end
    token's column) or to 0 (padding)."""

    @property
    def num_tokens(self) -> int:
        """Real source and target tokens, end tokens included."""
        return int(self.source_mask.sum() + (self.labels != PAD_ID).sum())


def pad(rows: Sequence[Ids]) -> np.ndarray:
    """Rows of ids as one array [len(rows), longest], filled with PAD_ID."""
    array = np.full((len(rows), max(map(len, rows))), PAD_ID, dtype=np.int64)
    for row, ids in zip(array, rows, strict=True):
        row[: len(ids)] = ids
    return array


def source_arrays(sources: Sequence[Ids]) -> tuple[np.ndarray, np.ndarray]:
    """`source_ids` [B, S] with end tokens, and `source_mask` [B, S] (True = real token)."""
    source_ids = pad([[*ids, END_ID] for ids in sources])
    return source_ids, source_ids != PAD_ID


def make_batch(pairs: TokenPairs, chosen: Sequence[int]) -> Batch:
    """The padded batch of the pairs numbered `chosen`."""
    source_ids, source_mask = source_arrays([pairs.sources[i] for i in chosen])
    target_ids = pad([[BEGIN_ID, *pairs.targets[i]] for i in chosen])
    labels = pad([[*pairs.targets[i], END_ID] for i in chosen])
    links = (
        None if pairs.links is None else link_labels([pairs.links[i] for i in chosen], labels.shape, source_ids.shape)
    )
    return Batch(source_ids, source_mask, target_ids, labels, links)


def link_labels(links: Sequence[SubwordLinks], targets: tuple[int, ...], sources: tuple[int, ...]) -> np.ndarray:
    """`Batch.links` of padded shapes `targets` [B, T] and `sources` [B, S]."""
    array = np.zeros((len(links), targets[1], sources[1]), dtype=np.float32)
    for rows, found in zip(array, links, strict=True):
        wanted = found.weights()
        rows[: wanted.shape[0], : wanted.shape[1]] = wanted
    return array


def join_pairs(pairs: TokenPairs, fraction: float, seed: int, epoch: int) -> TokenPairs:
    """Join about `fraction` of the pairs, in random groups of 2 to 5, into longer ones; the others stay as they are.

    Short sentences teach nothing about later positions; joined ones do (Nguyen et al. 2021, arXiv:2105.01691).
    The same arguments give the same pairs.
    """
    if fraction <= 0.0:
        return pairs
    random = np.random.default_rng([seed, epoch, 1])
    order = random.permutation(len(pairs)).tolist()
    groups: list[list[int]] = []
    joined = int(fraction * len(pairs))
    while joined > 0 and len(order) >= 5:
        size = int(random.integers(2, 6))
        groups.append([order.pop() for _ in range(size)])
        joined -= size
    groups += [[i] for i in sorted(order)]
    return TokenPairs(
        [[token for i in group for token in pairs.sources[i]] for group in groups],
        [[token for i in group for token in pairs.targets[i]] for group in groups],
    )


def plan_epoch(pairs: TokenPairs, batch_tokens: int, seed: int, epoch: int) -> list[list[int]]:
    """Split all pairs into batches of at most `batch_tokens` padded tokens (source + target), like lengths together.

    A pair that is longer than that on its own gets a batch of its own.
    The same arguments give the same plan, so a resumed run goes on where it stopped.
    """
    random = np.random.default_rng([seed, epoch])
    source_lengths = np.array([len(ids) + 1 for ids in pairs.sources])
    target_lengths = np.array([len(ids) + 1 for ids in pairs.targets])
    order = _like_lengths_together(source_lengths, target_lengths, random.random(len(pairs)))
    batches: list[list[int]] = []
    current: list[int] = []
    longest_source = longest_target = 0
    for i in order.tolist():
        source, target = max(longest_source, source_lengths[i]), max(longest_target, target_lengths[i])
        if current and (source + target) * (len(current) + 1) > batch_tokens:
            batches.append(current)
            current, source, target = [], source_lengths[i], target_lengths[i]
        current.append(i)
        longest_source, longest_target = source, target
    batches.append(current)
    return [batches[i] for i in random.permutation(len(batches))]


def _like_lengths_together(source_lengths: np.ndarray, target_lengths: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Numbers of the pairs, so that neighbours are alike: classes of source lengths that differ by a tenth, and within
    these target lengths, rising in one class and falling in the next. 96% of what batches hold are then real tokens,
    instead of 93% where pairs are sorted by source length, then by target length."""
    if not len(source_lengths):
        return np.array([], dtype=np.int64)
    _, classes = np.unique(np.floor(np.log(source_lengths) / np.log(1.1)), return_inverse=True)
    rising = np.where(classes % 2 == 0, target_lengths, -target_lengths)
    return np.lexsort((chance, source_lengths, rising, classes))
