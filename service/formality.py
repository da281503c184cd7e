"""How translations address their reader: as a request asks, or alike in all sentences of a text.

A model that has learnt it (`tokenizer.formality` of its manifest) reads a mark behind a source,
`model_store/contract/formality.py`. Marks are no text: whoever made a segment neither sees one nor has a column of it
in a map; its share of attention counts with the end token's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from model_store.contract.formality import FORMALITY_MARKS, Formality, formality_of
from model_store.contract.manifest import Manifest
from model_store.contract.tokenizer import Tokenizer
from service.errors import FieldFault, InvalidRequestError, OverloadedError
from service.messages import Segment, SegmentResult
from service.repair import Repairer, Translate, Work

REASON = "formality"


class Formalities:
    """Marks and reads the formality of one model's translations."""

    def __init__(self, tokenizer: Tokenizer, manifest: Manifest, translate: Translate) -> None:
        """`translate` is the engine's, which knows ids alone."""
        self._translate_ids, self._tokenizer, self._target = translate, tokenizer, manifest.target
        self._marks: dict[Formality, tuple[int, ...]] = {}
        if manifest.tokenizer.formality:
            self._marks = {name: tuple(tokenizer.encode(f"a{mark}")[-1:]) for name, mark in FORMALITY_MARKS.items()}
        self._reference = manifest.reference

    def check(self, wanted: Formality | None) -> None:
        """Raise InvalidRequestError where a request wants what the model has not learnt."""
        if wanted is not None and not self._marks:
            fault = FieldFault("formality", "needs a model that has learnt it; /v1/models says which have")
            raise InvalidRequestError(f"{self._reference} has not learnt formality", [fault])

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """What the engine makes of `segments`, each with the mark of its formality."""
        if not any(segment.formality for segment in segments):
            return await self._translate_ids(segments)
        marked = [replace(segment, source_ids=self.ids(segment)) for segment in segments]
        results = await self._translate_ids(marked)
        return [_folded(*each) if each[0].formality else each[1] for each in zip(segments, results, strict=True)]

    def ids(self, segment: Segment) -> tuple[int, ...]:
        """What the model reads: the ids of `segment`, and its mark."""
        return (
            segment.source_ids if segment.formality is None else (*segment.source_ids, *self._marks[segment.formality])
        )

    async def agree(self, texts: Sequence[Sequence[Work]], repairer: Repairer) -> None:
        """Where sentences of one of the `texts` address the reader in both ways, search the rarer way's again in the
        other one. Raises what the engine does, but for a full queue: then the first results answer."""
        if not self._marks or not any(works[1:] for works in texts):
            return
        again = [pair for works in texts if works[1:] for pair in self._other_way(works)]
        if not again:
            return
        try:
            results = await self.translate([replace(work.segment, formality=wanted) for work, wanted in again])
        except OverloadedError:
            return
        for (work, wanted), result in zip(again, results, strict=True):
            if self._way(work, result) in (wanted, None):
                repairer.take_as_good(work, replace(work.segment, formality=wanted), result, REASON)

    def _other_way(self, works: Sequence[Work]) -> Iterator[tuple[Work, Formality]]:
        """The segments of a text that address the reader as few of its segments do, and how the most do it, the first
        where as many do either."""
        if works[0].segment.formality is not None or not any("you" in work.text.text.lower() for work in works):
            return
        ways = [self._way(work, work.result) for work in works]
        found = Counter(way for way in ways if way is not None)
        if len(found) > 1:
            usual = found.most_common(1)[0][0]
            yield from ((work, usual) for work, way in zip(works, ways, strict=True) if way not in (usual, None))

    def _way(self, work: Work, result: SegmentResult) -> Formality | None:
        text = self._tokenizer.decode(result.hypotheses[0].token_ids)
        return formality_of(text, self._target, work.text.normalised.text)


def _folded(_: Segment, result: SegmentResult) -> SegmentResult:
    """A result without the column of the mark, which is the last but one: its attention counts as the end token's."""
    found = []
    for hypothesis in result.hypotheses:
        weights = hypothesis.attention
        if weights is not None:
            last = weights[:, :, -2:].sum(axis=2, keepdims=True)
            hypothesis = replace(hypothesis, attention=np.concatenate([weights[:, :, :-2], last], axis=2))
        found.append(hypothesis)
    return replace(result, hypotheses=tuple(found))
