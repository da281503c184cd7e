"""What a client sees of one hypothesis' attention: tokens, maps and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model_store.contract.manifest import Manifest
from service.attention.alignment import links, pharaoh, with_leftovers
from service.attention.grouping import Grouping, Span, by_subword
from service.attention.maps import MergedMap, Merging
from service.attention.selection import leftover_map, links_map, select
from service.messages import AttentionMap, AttentionOptions, Level, SliceMap, Token
from service.text.words import words


class Side(NamedTuple):
    """One side of a segment: where its text starts in the whole text, and its subwords' code points in that."""

    text: str
    start: int
    language: str
    spans: Sequence[Span]

    def grouping(self, level: Level) -> Grouping:
        """The tokens of this side at `level`, with the subwords that make them up."""
        if level == "token":
            return by_subword(self.spans, self.text, self.start)
        return Grouping(tuple(words(self.text, self.language, self.start)), self.spans)


class AttentionReading(NamedTuple):
    """Tokens, maps and links of one segment."""

    source_tokens: tuple[Token, ...]
    target_tokens: tuple[Token, ...]
    attention: AttentionMap
    alignment: str
    """Pharaoh links, from the bundle's alignment map whichever maps were asked for."""
    links_map: MergedMap
    """The map that links come from."""


class AttentionReader:
    """Reads raw attention as one request wants it."""

    def __init__(self, manifest: Manifest, options: AttentionOptions) -> None:
        """Raises AttentionNotAvailableError when the bundle does not export what `options` ask for."""
        self._options = options
        self._selected = select(manifest, options)
        alignment = links_map(manifest)
        leftover = self._leftover = leftover_map(manifest)
        also = (alignment,) if leftover is None else (alignment, leftover)
        self._wanted = list(dict.fromkeys((*self._selected, *also)))
        """The maps that were asked for, and behind them that of alignments unless it is one of them."""
        self._aligned = self._wanted.index(alignment)

    def read(self, attention: np.ndarray, source: Side, target: Side) -> AttentionReading:
        """Read raw attention [T, A, S+1]: rows are the target's subwords, columns the source's and its end token."""
        sources, targets = source.grouping(self._options.level), target.grouping(self._options.level)
        merging = Merging(sources, targets)
        merged = [merging.merge(attention, chosen) for chosen in self._wanted]
        maps = [
            SliceMap(chosen.layer, chosen.head, each.weights, each.end_token)
            for chosen, each in zip(self._selected, merged, strict=False)
        ]
        return AttentionReading(
            source_tokens=sources.tokens,
            target_tokens=targets.tokens,
            attention=AttentionMap(self._options.kind, self._options.level, tuple(maps)),
            alignment=pharaoh(self._links(merged, sources.tokens, targets.tokens)),
            links_map=merged[self._aligned],
        )

    def _links(
        self, merged: Sequence[MergedMap], sources: Sequence[Token], targets: Sequence[Token]
    ) -> list[tuple[int, int]]:
        found = links(merged[self._aligned])
        if self._leftover is None:
            return found
        other = merged[self._wanted.index(self._leftover)]
        return with_leftovers(found, other.weights, sources, targets, self._leftover.least or 0.0)
