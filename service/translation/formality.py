"""How translations address their reader: as a request asks, or alike in all sentences of a text.

A model that has learnt it (`tokenizer.formality` of its manifest) reads a mark behind a source,
`model_store/contract/formality.py`. Marks are no text: whoever made a segment neither sees one nor has a column of it
in a map; its share of attention counts with the end token's. Of another model a wider beam is searched where a request
asks for formality, and the best hypothesis that addresses the reader as wanted answers; where none does, the words of
the other formality are forbidden. Sentences agree the other way round: words are forbidden first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from model_store.contract.formality import (
    FORMALITY_MARKS,
    MARKED_LANGUAGES,
    Formality,
    pieces_of,
    ways_of,
)
from model_store.contract.manifest import Manifest
from model_store.contract.tokenizer import Tokenizer
from service.errors import FieldFault, InvalidRequestError, OverloadedError
from service.messages import Hypothesis, Segment, SegmentResult
from service.text.mending.registers import with_one_register
from service.translation.repair import Repairer, Translate, Work

REASON = "formality"
WIDE_BEAM = 8
"""Least beam size of a model that reads no marks."""


class Formalities:
    """Asks one model for formality, and reads that of its translations."""

    def __init__(self, tokenizer: Tokenizer, manifest: Manifest, translate: Translate) -> None:
        """`translate` is the engine's, which knows ids alone."""
        self._translate_ids, self._tokenizer, self._target = translate, tokenizer, manifest.target
        self._marks: dict[Formality, tuple[int, ...]] = {}
        if manifest.tokenizer.formality:
            self._marks = {name: tuple(tokenizer.encode(f"a{mark}")[-1:]) for name, mark in FORMALITY_MARKS.items()}
        self._others: dict[Formality, tuple[int, ...]] = {}
        self._has_choice = self._target in MARKED_LANGUAGES
        self._reference = manifest.reference

    def check(self, wanted: Formality | None) -> None:
        """Raise InvalidRequestError where a request wants what the target language has not."""
        if wanted is not None and not self._has_choice:
            fault = FieldFault("formality", f"is for translations into {' and '.join(sorted(MARKED_LANGUAGES))}")
            raise InvalidRequestError(f"{self._reference} translates into {self._target}, which has one *you*", [fault])

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """What the engine makes of `segments`, those with a formality as the model can be asked for it."""
        if not any(segment.formality for segment in segments):
            return await self._translate_ids(segments)
        results = await self._translate_ids([self._asked(segment) for segment in segments])
        found = [
            self._answered(*each) if each[0].formality else each[1] for each in zip(segments, results, strict=True)
        ]
        if not self._marks:
            await self._search_without(segments, found)
        return found

    async def _search_without(self, segments: Sequence[Segment], found: list[SegmentResult]) -> None:
        """Search again where a translation has the wrong formality, without the words of that; take what has none of
        it into `found`. Raises what the engine does, but for a full queue."""
        wrong = [i for i, segment in enumerate(segments) if segment.formality and self._is_wrong(segment, found[i])]
        try:
            asked = [replace(self._without_others(self._asked(segments[i])), was_admitted=True) for i in wrong]
            results = await self._translate_ids(asked) if wrong else []
        except OverloadedError:
            return
        for i, result in zip(wrong, results, strict=True):
            answered = self._answered(segments[i], result)
            if not self._is_wrong(segments[i], answered):
                found[i] = answered

    def _is_wrong(self, segment: Segment, result: SegmentResult) -> bool:
        """Whether the best hypothesis addresses the reader otherwise than the segment asks for, or in both ways."""
        text, source = (self._tokenizer.decode(ids) for ids in (result.hypotheses[0].token_ids, segment.source_ids))
        return bool(ways_of(text, self._target, source) - {segment.formality})

    def ids(self, segment: Segment) -> tuple[int, ...]:
        """What the model reads: the ids of `segment`, and its mark."""
        mark = () if segment.formality is None else self._marks.get(segment.formality, ())
        return (*segment.source_ids, *mark)

    def _asked(self, segment: Segment) -> Segment:
        """The segment as the engine gets it."""
        if segment.formality is None or self._marks:
            return replace(segment, source_ids=self.ids(segment))
        beam_size = max(segment.options.beam_size, WIDE_BEAM)
        return replace(segment, options=replace(segment.options, beam_size=beam_size, num_hypotheses=beam_size))

    def _without_others(self, segment: Segment) -> Segment:
        """The segment with the words of the formality that it does not ask for forbidden."""
        assert segment.formality is not None
        forbidden = self._words_of_others(segment.formality)
        return replace(segment, options=replace(segment.options, forbidden=forbidden))

    def _words_of_others(self, wanted: Formality) -> tuple[int, ...]:
        """Subwords that make a translation of the other formality; looked up once."""
        if wanted not in self._others:
            other: Formality = "informal" if wanted == "formal" else "formal"
            self._others[wanted] = tuple(pieces_of(other, self._target, self._tokenizer.pieces))
        return self._others[wanted]

    def _answered(self, segment: Segment, result: SegmentResult) -> SegmentResult:
        """The result as whoever asked gets it: without columns of marks, the best of the wanted kind first."""
        if self._marks:
            return replace(result, hypotheses=tuple(map(_folded, result.hypotheses)))
        found = list(result.hypotheses)
        if self._is_wrong(segment, result):
            source = self._tokenizer.decode(segment.source_ids)
            found.sort(key=lambda each: self._ways(each, source) != {segment.formality})
        return replace(result, hypotheses=tuple(found[: segment.options.num_hypotheses]))

    async def agree(self, texts: Sequence[Sequence[Work]], repairer: Repairer) -> None:
        """Where one of the `texts` addresses the reader in both ways, search its sentences of the rarer way, and those
        of both, again in the other one. Raises what the engine does, but for a full queue: then the first results
        answer."""
        again = [pair for works in texts if works for pair in self._other_way(works)] if self._has_choice else []
        if not again:
            return
        try:
            results = await self._in_other_way(
                [replace(work.segment, formality=wanted, was_admitted=True) for work, wanted in again]
            )
        except OverloadedError:
            return
        found = sorted(zip(again, results, strict=True), key=lambda each: -each[1].hypotheses[0].score)
        taken = set[int]()
        for (work, wanted), result in found:
            if id(work) not in taken and self._ways(result.hypotheses[0], work.text.normalised.text) <= {wanted}:
                taken.add(id(work))
                repairer.take_as_good(work, replace(work.segment, formality=wanted), result, REASON)

    async def _in_other_way(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """What the engine makes of `segments`, whose best hypotheses have the other formality. A model without marks
        first searches in the request's own beam, with the words of that formality forbidden, which costs less than a
        wide beam."""
        if self._marks:
            return await self.translate(segments)
        results = await self._translate_ids([self._without_others(segment) for segment in segments])
        left = [i for i, segment in enumerate(segments) if self._is_wrong(segment, results[i])]
        try:
            wider = await self.translate([segments[i] for i in left]) if left else []
        except OverloadedError:
            return results
        for i, result in zip(left, wider, strict=True):
            results[i] = result
        return results

    def _other_way(self, works: Sequence[Work]) -> Iterator[tuple[Work, Formality]]:
        """The segments of a text that address the reader in both ways, or as few of its segments do, and how the most
        do it, the first where as many do either; both, where none does it in one way: the likelier one is taken."""
        if works[0].segment.formality is not None or not any("you" in work.text.text.lower() for work in works):
            return
        ways = [self._ways(work.best, work.text.normalised.text) for work in works]
        found = Counter(way for (way, *others) in filter(None, ways) if not others)
        usual: Sequence[Formality] = [found.most_common(1)[0][0]] if found else ("formal", "informal")
        yield from ((work, wanted) for work, way in zip(works, ways, strict=True) for wanted in usual if way - {wanted})

    def _ways(self, hypothesis: Hypothesis, source: str) -> set[Formality]:
        """How a translation will address its reader, once its possessives go with its pronouns."""
        written, _ = with_one_register(self._tokenizer.decode(hypothesis.token_ids), (), ("en", self._target), source)
        return ways_of(written, self._target, source)


def _folded(hypothesis: Hypothesis) -> Hypothesis:
    """A hypothesis without the column of the mark, the last but one: its attention counts as the end token's."""
    weights = hypothesis.attention
    if weights is None:
        return hypothesis
    last = weights[:, :, -2:].sum(axis=2, keepdims=True)
    return replace(hypothesis, attention=np.concatenate([weights[:, :, :-2], last], axis=2))
