"""A translator's engine that is told what to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.tokenizer import Tokenizer
from service.exchanged import TranslationRequest, TranslationResult
from service.messages import FinishReason, Hypothesis, SearchOptions, Segment, SegmentResult, Timings
from service.translation.translator import Translator


@dataclass
class Told:
    """An engine that answers each segment with what `answer` makes of its text and its options."""

    tokenizer: Tokenizer
    answer: Callable[[str, SearchOptions], list[str]]
    log_prob: Callable[[str, str], float] = lambda source, text: -0.5
    """The log-probability of every token, by a segment's text and its translation."""
    asked: list[Segment] = field(default_factory=list)
    reason: FinishReason = FinishReason.EOS

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        self.asked += segments
        return [self._result(segment) for segment in segments]

    def _result(self, segment: Segment) -> SegmentResult:
        text = self.tokenizer.decode(segment.source_ids)
        found = self.answer(text, segment.options)[: segment.options.num_hypotheses]
        return SegmentResult(tuple(self._hypothesis(segment, each) for each in found), Timings(0.0, 0.0, 0.0))

    def _hypothesis(self, segment: Segment, text: str) -> Hypothesis:
        ids = tuple(self.tokenizer.encode(text))
        columns = len(segment.source_ids) + 1
        weights = np.zeros((len(ids) + 1, 1, columns), np.float32)
        rows = np.arange(len(ids) + 1)
        weights[rows, 0, np.minimum(rows, columns - 1)] = 1.0
        log_prob = self.log_prob(self.tokenizer.decode(segment.source_ids), text)
        log_probs = (log_prob,) * (len(ids) + (self.reason is FinishReason.EOS))
        return Hypothesis(ids, log_probs, self.reason, weights if segment.want_attention else None)


def translate(bundle: Bundle, engine: Told, text: str, **options: Any) -> TranslationResult:
    """`text` through a translator with this engine; `options` are those of a request."""
    translator = Translator(bundle, engine.translate)
    return asyncio.run(translator.translate(TranslationRequest((text,), **options)))


def told(bundle: Bundle, answer: Callable[[str, SearchOptions], list[str]], **options: Any) -> Told:
    """An engine for `translate`; `options` are fields of Told."""
    return Told(bundle.tokenizer, answer, **options)
