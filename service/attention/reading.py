"""What a client sees of one hypothesis' attention: tokens, maps and links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from model_store.contract.manifest import Manifest
from service.attention.alignment import Anchored, are_words, pharaoh, with_copies
from service.attention.grouping import Grouping, Span, by_subword
from service.attention.kernel import with_leftovers
from service.attention.maps import MergedMap, Merging
from service.attention.selection import SelectedMap, leftover_map, links_map, select
from service.exchanged import AttentionMap, AttentionOptions, SliceMap, Token
from service.messages import Level
from service.text.words import words

MARKED = re.compile(r"[<\[*_~]")
"""A source without any of these has no marks, so that the model has read all of its words."""


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
    """The map that links come from, at word level whatever was asked for."""
    source_words: np.ndarray
    """[source words], bool: which of them the model has read and are no punctuation."""


class Wanted(NamedTuple):
    """The maps of one request."""

    options: AttentionOptions
    shown: Sequence[SelectedMap]
    """The maps that were asked for."""
    read: Sequence[SelectedMap]
    """Of target over source: the same, and behind them those of alignments unless they are among them."""


class AttentionReader:
    """Reads the raw attention of one bundle, as each request wants it."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._aligned, self._leftover = links_map(manifest), leftover_map(manifest)
        self.for_links = None if self._aligned is None else self.wanted(AttentionOptions())
        """For a request that asks for no map: links come from the same one whichever was asked for. None for a bundle
        without attention."""

    def wanted(self, options: AttentionOptions) -> Wanted:
        """What `options` ask for. Raises AttentionNotAvailableError when the bundle does not export it."""
        shown = tuple(self._with_least(chosen) for chosen in select(self._manifest, options))
        also = [chosen for chosen in (self._aligned, self._leftover) if chosen is not None]
        crossing = shown if options.kind == "cross" else ()
        return Wanted(options, shown, list(dict.fromkeys((*crossing, *also))))

    def _with_least(self, chosen: SelectedMap) -> SelectedMap:
        """The map that alignments come from where it is the chosen one: both are read at once."""
        aligned = self._aligned
        return aligned if aligned is not None and replace(chosen, least=aligned.least) == aligned else chosen

    def read(
        self,
        attention: np.ndarray,
        wanted: Wanted,
        source: Side,
        target: Side,
        own: np.ndarray | None = None,
        copies: Sequence[str] = (),
    ) -> AttentionReading:
        """Read raw attention [T, A, S+1]: rows are the target's subwords, columns the source's and its end token.

        `own` are the maps of the one side over itself, where the kind that is wanted is not `cross`: `Forced.maps`.
        `copies` are what was protected in the source, in its order.
        """
        options = wanted.options
        sources, targets = source.grouping(options.level), target.grouping(options.level)
        merging = Merging(sources, targets)
        assert self._aligned is not None, "a bundle without attention has nothing to read"
        merged = {chosen: merging.merge(attention, chosen) for chosen in wanted.read}
        shown = merged if own is None else _itself(own, sources if options.kind == "encoder" else targets, wanted.shown)
        linked, source_words = merged[self._aligned].linked, are_words(sources.tokens)
        if self._leftover is not None:
            weights, least = merged[self._leftover].weights, self._leftover.least or 0.0
            linked = with_leftovers(linked, weights, source_words, are_words(targets.tokens), least)
        here = Anchored(source.text, source.start, sources.tokens)
        linked = with_copies(linked, here, Anchored(target.text, target.start, targets.tokens), copies)
        words_map, by_word = merged[self._aligned], sources
        if options.level == "token":
            by_word = source.grouping("word")
            words_map = Merging(by_word, target.grouping("word")).merge(attention, self._aligned)
            source_words = are_words(by_word.tokens)
        if MARKED.search(source.text):
            source_words = source_words & by_word.are_read()
        return AttentionReading(
            source_tokens=sources.tokens,
            target_tokens=targets.tokens,
            attention=AttentionMap(options.kind, options.level, _slices(shown, wanted.shown)),
            alignment=pharaoh(linked),
            links_map=words_map,
            source_words=source_words,
        )


def _itself(own: np.ndarray, side: Grouping, wanted: Sequence[SelectedMap]) -> dict[SelectedMap, MergedMap]:
    """The maps that are `wanted` of a side over itself."""
    merging, among = Merging(side, side), _of_subwords(own, len(side.spans))
    return {chosen: merging.merge(among, chosen) for chosen in wanted}


def _slices(maps: Mapping[SelectedMap, MergedMap], wanted: Sequence[SelectedMap]) -> tuple[SliceMap, ...]:
    found = ((chosen, maps[chosen]) for chosen in wanted)
    return tuple(SliceMap(one.layer, one.head, each.weights, each.end_token, one.shift) for one, each in found)


def _of_subwords(own: np.ndarray, count: int) -> np.ndarray:
    """Maps [rows, heads, columns + 1] without the columns of subwords that the text does not show: a full stop that was
    added for the model. Their last column, of begin or end token, stays."""
    if own.shape[2] == count + 1:
        return own
    return np.concatenate([own[:, :, :count], own[:, :, -1:]], axis=2)
