"""One bundle's road from texts to translations: segments, engine, detokenise, attention map."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from model_store.contract.bundle import Bundle
from model_store.contract.tokenizer import Span
from service.attention.reading import AttentionReader, Side
from service.messages import (
    AttentionOptions,
    FinishReason,
    Hypothesis,
    Segment,
    SegmentResult,
    Timings,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationRequest,
    TranslationResult,
    Usage,
)
from service.text.alternatives import alternatives, mean_log_prob
from service.text.segments import SegmentedText, Segmenter, TextSegment
from service.text.words import words

Item = TypeVar("Item")
Result = TypeVar("Result")
Translate = Callable[[Sequence[Segment]], Awaitable[list[SegmentResult]]]
"""The engine's own `translate`: one result for each segment, in order."""
_Decoded = tuple[str, Sequence[Span]]
"""The text of a hypothesis, and what each subword covers of it when that is wanted."""
TURN_S = 0.001
"""Seconds after which a request of many sentences lets others go on. A turn at every sentence would cost the event
loop's round, and a race for the interpreter's lock, each time."""


class Translator:
    """Translates requests with one bundle. It keeps nothing of a request."""

    def __init__(self, bundle: Bundle, translate: Translate, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is the engine's: deadlines of segments are on it."""
        self.manifest = bundle.manifest
        self._tokenizer = bundle.tokenizer
        self._translate = translate
        self._clock = clock
        longest = self.manifest.limits.max_source_tokens - 1  # the end token takes one
        self._readers: dict[AttentionOptions, AttentionReader] = {}
        tokenizer = bundle.tokenizer
        self._segmenter = Segmenter(self.manifest.source, tokenizer.encode, longest, tokenizer.encode_with_spans)

    def check(self, request: TranslationRequest) -> None:
        """Refuse what this bundle cannot do, before any work. Raises AttentionNotAvailableError."""
        self._reader(request)

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        """Translate every text of `request`, all segments at once. Raises what `check` and the engine do."""
        started = self._clock()
        reader = self._reader(request)
        turn = _Turn()
        segment = partial(self._segmenter.segment, want_spans=reader is not None)
        texts = await turn.each(segment, request.texts)
        deadline = None if request.timeout_s is None else started + request.timeout_s
        segments = [
            Segment(segment.token_ids, request.search, reader is not None, deadline)
            for text in texts
            for segment in text.segments
        ]
        results = await self._translate(segments) if segments else []
        rest = iter(results)
        shares = [(text, list(islice(rest, len(text.segments)))) for text in texts]
        turn = _Turn()
        answers = [await self._assemble(*share, request, reader, turn) for share in shares]
        return TranslationResult(
            translations=tuple(answers),
            usage=_usage(request, segments, results),
            timings=_longest(results),
            total_s=self._clock() - started,
        )

    def _reader(self, request: TranslationRequest) -> AttentionReader | None:
        """The reader of what `request` asks for. They are kept: there are only as many as a bundle's maps allow."""
        options = request.attention
        if options is None:
            return None
        reader = self._readers.get(options)
        if reader is None:
            reader = self._readers[options] = AttentionReader(self.manifest, options)
        return reader

    async def _assemble(
        self,
        text: SegmentedText,
        results: Sequence[SegmentResult],
        request: TranslationRequest,
        reader: AttentionReader | None,
        turn: _Turn,
    ) -> Translation:
        """One text's answer from its segments' results."""
        best = [result.hypotheses[0] for result in results]
        decoded = [self._decoded(hypothesis, reader is not None) for hypothesis in best]
        whole, starts = text.join([part for part, _ in decoded])
        rows = list(zip(text.segments, best, decoded, starts, strict=True))
        segments = await turn.each(lambda row: self._segment(*row, reader), rows)
        cut = any(hypothesis.finish_reason is FinishReason.LENGTH for hypothesis in best)
        return Translation(
            text=whole,
            score=mean_log_prob(best),
            finish_reason=FinishReason.LENGTH if cut else FinishReason.EOS,
            segments=tuple(segments),
            alternatives=tuple(alternatives(text, results, request.search, self._tokenizer.decode)),
        )

    def _decoded(self, hypothesis: Hypothesis, want_spans: bool) -> _Decoded:
        if want_spans:
            return self._tokenizer.decode_with_spans(hypothesis.token_ids)
        return self._tokenizer.decode(hypothesis.token_ids), ()

    def _segment(
        self,
        source: TextSegment,
        hypothesis: Hypothesis,
        decoded: _Decoded,
        start: int,
        reader: AttentionReader | None,
    ) -> TranslatedSegment:
        part, pieces = decoded
        if reader is None or hypothesis.attention is None:
            reading = None
            source_tokens = tuple(words(source.text, self.manifest.source, source.start))
            target_tokens = tuple(words(part, self.manifest.target, start))
        else:
            sides = self._source_side(source), self._target_side(part, pieces, start)
            reading = reader.read(hypothesis.attention, *sides)
            source_tokens, target_tokens = reading.source_tokens, reading.target_tokens
        return TranslatedSegment(
            source=TokenizedText(source.text, source.start, source.end, source_tokens),
            target=TokenizedText(part, start, start + len(part), target_tokens),
            score=hypothesis.score,
            token_scores=hypothesis.token_log_probs,
            finish_reason=hypothesis.finish_reason,
            attention=reading.attention if reading else None,
            alignment=reading.alignment if reading else None,
        )

    def _source_side(self, source: TextSegment) -> Side:
        assert source.spans is not None
        spans = _shifted(source.normalised.original_spans(source.spans), source.start)
        return Side(source.text, source.start, self.manifest.source, spans)

    def _target_side(self, part: str, pieces: Sequence[Span], start: int) -> Side:
        return Side(part, start, self.manifest.target, _shifted(pieces, start))


def _shifted(spans: Sequence[Span], offset: int) -> Sequence[Span]:
    """`spans`, `offset` further on."""
    return [(offset + start, offset + end) for start, end in spans] if offset else spans


class _Turn:
    """What one request may do at once, so that others get their turn."""

    def __init__(self) -> None:
        """The turn begins now."""
        self._ends = time.monotonic() + TURN_S

    async def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """`work` of every item; between two of them others get their turn, once this one is over."""
        results = []
        for item in items:
            if time.monotonic() >= self._ends:
                await asyncio.sleep(0)
                self._ends = time.monotonic() + TURN_S
            results.append(work(item))
        return results


def _usage(request: TranslationRequest, segments: Sequence[Segment], results: Sequence[SegmentResult]) -> Usage:
    """Tokens of the winners; alternatives are not counted."""
    return Usage(
        source_characters=sum(map(len, request.texts)),
        source_tokens=sum(len(segment.source_ids) + 1 for segment in segments),
        target_tokens=sum(len(result.hypotheses[0].token_log_probs) for result in results),
    )


def _longest(results: Sequence[SegmentResult]) -> Timings:
    """The times of the segment that took longest, since segments run side by side; so their sum is within the total."""
    times = [result.timings for result in results] or [Timings(0.0, 0.0, 0.0)]
    return max(times, key=lambda t: t.queue_s + t.encode_s + t.decode_s)
