"""Linked pairs as subwords. No piece of sentencepiece crosses a space, so stretches between spaces are encoded once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from model_store.contract.tokenizer import Tokenizer
from model_store.data.batching import SubwordLinks, TokenPairs
from model_store.data.linked import LinkedPair

_Stretch = tuple[list[int], list[int]]
"""Subword ids, and the word of the stretch, from 0, that each belongs to."""
MAX_KEPT = 400_000


class StretchEncoder:
    """Encodes linked pairs and remembers the stretches that it has seen."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._kept: dict[tuple[str, ...], _Stretch] = {}

    def encode(self, pairs: Sequence[LinkedPair], max_tokens: int) -> TokenPairs:
        """Both sides as ids with their links; pairs with more than `max_tokens` on a side, or none, are left out."""
        sources, targets, links = [], [], []
        for pair in pairs:
            source, source_words = self._side(pair.source)
            target, target_words = self._side(pair.target)
            if 0 < len(source) <= max_tokens and 0 < len(target) <= max_tokens:
                sources.append(source)
                targets.append(target)
                links.append(SubwordLinks(source_words, target_words, pair.links))
        return TokenPairs(sources, targets, links)

    def _side(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Ids of the words joined, and the word that each belongs to."""
        ids: list[int] = []
        owners: list[int] = []
        for first, last in _between_spaces(words):
            found, inner = self._stretch(tuple(words[first:last]))
            ids += found
            owners += [first + number for number in inner] if first else inner
        return ids, owners

    def _stretch(self, words: tuple[str, ...]) -> _Stretch:
        found = self._kept.get(words)
        if found is None:
            stripped = [word.strip() for word in words]
            ids, spans = self._tokenizer.encode_with_spans("".join(stripped))
            ends = list(accumulate(map(len, stripped)))
            found = ids, [min(bisect_right(ends, start), len(words) - 1) for start, _ in spans]
            if len(self._kept) < MAX_KEPT:
                self._kept[words] = found
        return found


def _between_spaces(words: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of words with no space between them."""
    starts = [i for i, word in enumerate(words) if i == 0 or word.startswith(" ") or words[i - 1].endswith(" ")]
    return list(zip(starts, [*starts[1:], len(words)], strict=True))
