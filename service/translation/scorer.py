"""Scores and maps of translations that a client brings, with one bundle's teacher-forced graph."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import islice

from model_store.contract.bundle import Bundle
from service.attention.grouping import shifted
from service.attention.reading import AttentionReader, AttentionReading, Side, Wanted
from service.errors import FieldFault, InvalidRequestError
from service.exchanged import (
    ScoreRequest,
    Token,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationResult,
    Usage,
)
from service.messages import (
    FinishReason,
    Forced,
    Hypothesis,
    Kind,
    Pair,
    Timings,
)
from service.text.pairing import Pairing, SegmentPair, UnpairedError
from service.text.segmented import TextSegment
from service.text.segments import Segmenter
from service.text.words import words
from service.translation.signals import SignalReader, attention_signals, source_words
from service.translation.turns import Turn

Rescore = Callable[[Sequence[Pair], Collection[Kind], float | None, str], Awaitable[list[Forced]]]
"""Teacher-forces pairs, with the maps of some kinds, until a deadline."""


class Scorer:
    """Scores translations with one bundle. No state is kept from one request to the next."""

    def __init__(
        self,
        bundle: Bundle,
        segmenter: Segmenter,
        reader: AttentionReader,
        rescore: Rescore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`segmenter` and `reader` are those that translations of the bundle use; deadlines are times of `clock`."""
        self._manifest, self._reader, self._rescore, self._clock = bundle.manifest, reader, rescore, clock
        self._signals = SignalReader(bundle.manifest.confidence, bundle.known_words)
        longest = bundle.manifest.limits.max_target_tokens - 1  # the end token takes one
        self._pairing = Pairing(segmenter, bundle.manifest.target, bundle.tokenizer.encode_with_spans, longest)

    def check(self, request: ScoreRequest) -> None:
        """Raises AttentionNotAvailableError when the bundle lacks the maps that are asked for."""
        self._maps_of(request)

    async def score(self, request: ScoreRequest) -> TranslationResult:
        """The translations of `request`, as if the model had written them.

        Raises InvalidRequestError for a pair whose sentences do not fit, and what rescoring does.
        """
        started = self._clock()
        maps = self._maps_of(request)
        deadline = None if request.timeout_s is None else started + request.timeout_s
        turn = Turn()
        paired = [await self._paired(turn, *numbered) for numbered in enumerate(request.pairs)]
        pairs = [Pair(p.source.token_ids, p.target.token_ids) for segments in paired for p in segments]
        begun = self._clock()
        kinds: set[Kind] = set() if maps is None else {"cross", maps.options.kind}
        forced = iter(await self._rescore(pairs, kinds, deadline, request.client) if pairs else [])
        scored_s = self._clock() - begun
        turn, answers = Turn(), []
        for (_, translation), segments in zip(request.pairs, paired, strict=True):
            rows = list(zip(segments, islice(forced, len(segments)), strict=True))
            found = await turn.each(lambda row: self._segment(*row, maps), rows)
            answers.append(_translation(translation, found))
        return TranslationResult(
            translations=tuple(answers),
            usage=_usage(request, pairs),
            timings=Timings(queue_s=0.0, encode_s=0.0, decode_s=scored_s),
            total_s=self._clock() - started,
        )

    def _maps_of(self, request: ScoreRequest) -> Wanted | None:
        return None if request.attention is None else self._reader.wanted(request.attention)

    async def _paired(self, turn: Turn, number: int, pair: tuple[str, str]) -> list[SegmentPair]:
        """The segments of a pair. Raises InvalidRequestError, which names the pair."""
        try:
            return await turn.through(self._pairing.steps(*pair))
        except UnpairedError as error:
            fault = FieldFault(f"pairs[{number}]", str(error))
            raise InvalidRequestError(f"`{fault.field}` {fault.message}", [fault]) from None

    def _segment(self, pair: SegmentPair, forced: Forced, maps: Wanted | None) -> TranslatedSegment:
        log_probs: tuple[float, ...] = tuple(forced.log_probs.tolist())
        hypothesis = Hypothesis(pair.target.token_ids, log_probs, FinishReason.EOS, forced.maps.get("cross"))
        reading = None if maps is None else self._read(pair, forced, maps)
        languages = self._manifest.source, self._manifest.target
        words = [_words(segment, language) for segment, language in zip(pair, languages, strict=True)]
        tokens = (reading.source_tokens, reading.target_tokens) if reading else words
        read = source_words(pair.source, languages[0], words[0])
        source, target = (_shown(segment, found) for segment, found in zip(pair, tokens, strict=True))
        return TranslatedSegment(
            source=source,
            target=target,
            score=hypothesis.score,
            token_scores=log_probs,
            finish_reason=FinishReason.EOS,
            attention=reading.attention if reading else None,
            alignment=reading.alignment if reading else None,
            signals=self._signals.read(len(pair.source.token_ids), hypothesis, read, pair.target.text),
            attention_signals=attention_signals(reading.links_map, reading.source_words) if reading else None,
            warnings=(),
        )

    def _read(self, pair: SegmentPair, forced: Forced, maps: Wanted) -> AttentionReading:
        kind = maps.options.kind
        own = None if kind == "cross" else forced.maps[kind]
        source, target = _side(pair.source, self._manifest.source), _side(pair.target, self._manifest.target)
        return self._reader.read(forced.maps["cross"], maps, source, target, own)


def _side(segment: TextSegment, language: str) -> Side:
    assert segment.spans is not None, "pairs are read with spans"
    spans = shifted(segment.normalised.original_spans(segment.spans), segment.start)
    return Side(segment.text, segment.start, language, spans)


def _words(segment: TextSegment, language: str) -> tuple[Token, ...]:
    return tuple(words(segment.text, language, segment.start))


def _shown(segment: TextSegment, tokens: tuple[Token, ...]) -> TokenizedText:
    return TokenizedText(segment.text, segment.start, segment.end, tokens)


def _translation(text: str, segments: Sequence[TranslatedSegment]) -> Translation:
    scores = [score for segment in segments for score in segment.token_scores]
    mean = sum(scores) / len(scores) if scores else 0.0
    return Translation(text, mean, FinishReason.EOS, tuple(segments), ())


def _usage(request: ScoreRequest, pairs: Sequence[Pair]) -> Usage:
    return Usage(
        source_characters=sum(map(len, request.texts)),
        source_tokens=sum(len(pair.source_ids) + 1 for pair in pairs),
        target_tokens=sum(len(pair.target_ids) + 1 for pair in pairs),
    )
