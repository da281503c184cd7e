"""From texts to translations with one bundle: segments, engine, second searches, text, attention maps."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import nullcontext
from itertools import islice

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.tokenizer import Span
from service.attention.grouping import shifted
from service.attention.reading import AttentionReader, Side, Wanted
from service.errors import AttentionNotAvailableError, FieldFault, InvalidRequestError, ScoresNotAvailableError
from service.exchanged import (
    Alternative,
    ScoreRequest,
    Token,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationRequest,
    TranslationResult,
    Usage,
)
from service.messages import (
    FinishReason,
    Hypothesis,
    Kind,
    Pair,
    Segment,
    Timings,
)
from service.text.alternatives import alternatives, mean_log_prob
from service.text.protection import Protector
from service.text.segmented import SegmentedText, TextSegment
from service.text.segments import Segmenter
from service.text.sentences.splitting import about_num_sentences
from service.text.words import words
from service.translation.formality import Formalities
from service.translation.prefixes import Prefixes
from service.translation.repair import Repairer, Translate, Work
from service.translation.scorer import Rescore, Scorer
from service.translation.signals import SignalReader, attention_signals, doubts, source_words
from service.translation.streaming import Room, TextDone, one_by_one
from service.translation.turns import Turn
from service.translation.writing import Decoded, Writer


class Translator:
    """Translates requests with one bundle. No state is kept from one request to the next."""

    def __init__(
        self,
        bundle: Bundle,
        translate: Translate,
        clock: Callable[[], float] = time.monotonic,
        rescore: Rescore | None = None,
        room: Room = lambda client, num_segments, was_admitted: nullcontext(),
    ) -> None:
        """`clock` is the engine's; deadlines of segments are times of this clock. `rescore` runs the teacher-forced
        graph; None for a bundle that has none. `room` refuses segments of a client when the engine is overloaded,
        before they are made."""
        self.manifest = bundle.manifest
        self._tokenizer = bundle.tokenizer
        self._clock = clock
        self._formalities = Formalities(bundle.tokenizer, self.manifest, translate)
        self._translate = translate = self._formalities.translate
        has_formality = self.manifest.tokenizer.formality
        longest = self.manifest.limits.max_source_tokens - 1 - has_formality  # the end token takes one, a mark another
        tokenizer = bundle.tokenizer
        placeholders = tokenizer.placeholders
        languages = self.manifest.source, self.manifest.target
        protector = Protector(placeholders, tokenizer.knows, languages, bundle.known_words) if placeholders else None
        self._reader = AttentionReader(self.manifest)
        self._segmenter = Segmenter(
            self.manifest.source, tokenizer.encode, longest, tokenizer.encode_with_spans, placeholders, protector,
            self.manifest.limits.most_words, bundle.known_words, self._reader.for_links is not None,
        )  # fmt: skip
        self._prefixes = Prefixes(tokenizer)
        self._writer = Writer(bundle)
        self._signals = SignalReader(bundle.manifest.confidence, bundle.known_words)
        self._repairer = Repairer(translate, self._segmenter, tokenizer, self.manifest.target, bundle.known_words)
        self._rescore, self._room = rescore, room
        self._scorer = Scorer(bundle, self._segmenter, self._reader, rescore, clock) if rescore is not None else None

    def check(self, request: TranslationRequest) -> None:
        """Refuse what this bundle cannot do, before any work.

        Raises AttentionNotAvailableError, or InvalidRequestError for a prefix or a least length that is too long.
        """
        self._maps_of(request)
        self._formalities.check(request.formality)
        if request.search.coverage_penalty and self._reader.for_links is None:
            fault = FieldFault("coverage_penalty", "needs a model with attention", 0, request.search.coverage_penalty)
            raise AttentionNotAvailableError(f"{self.manifest.reference} has no attention to cover words with", [fault])
        most, fewest = self.manifest.limits.max_target_tokens, request.search.min_output_tokens
        if fewest > most:
            fault = FieldFault("min_output_tokens", "is more than the model writes", most, fewest)
            told = (
                f"`min_output_tokens` is {fewest}, but {self.manifest.reference} writes at most {most} tokens a segment"
            )
            raise InvalidRequestError(told, [fault])
        if request.search.max_output_tokens is not None:
            most = min(most, request.search.max_output_tokens)
        longest = max(map(len, map(self._prefixes.read, set(request.target_prefixes))), default=0)
        if longest >= most:
            fault = FieldFault.too_many("target_prefix", "subwords", longest, most - 1, "shorten it")
            raise InvalidRequestError(f"`target_prefix` {fault.message}", [fault])

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        """Translate every text of `request`, all segments at once. Raises what `check` and the engine do."""
        started = self._clock()
        maps = self._maps_of(request)
        wants_attention = maps is not None or (request.signals and self._reader.for_links is not None)
        num_promised = sum(map(about_num_sentences, request.texts))
        with self._room(request.client, num_promised, request.was_admitted):
            turn = Turn()
            texts = [await turn.through(self._segmenter.steps(text, wants_attention)) for text in request.texts]
            readings = await turn.each(self._segmenter.readings, [each for text in texts for each in text.segments])
        was_admitted = request.was_admitted or sum(map(len, readings)) <= num_promised
        deadline = None if request.timeout_s is None else started + request.timeout_s
        searches = self._prefixes.searches(request, texts)
        segments = [
            Segment(
                reading.token_ids,
                search,
                wants_attention or bool(reading.marks),
                deadline,
                request.client,
                request.formality,
                was_admitted,
            )
            for found, search in zip(readings, searches, strict=True)
            for reading in found
        ]
        results = await self._translate(segments) if segments else []
        works = self._repairer.chosen(readings, segments, results)
        await self._repairer.repair(works)
        rest = iter(works)
        shares = [(text, list(islice(rest, len(text.segments)))) for text in texts]
        await self._formalities.agree([found for _, found in shares], self._repairer)
        turn = Turn()
        answers = [await self._assemble(*share, request, maps, turn) for share in shares]
        return TranslationResult(
            translations=tuple(answers),
            usage=_usage(request, works),
            timings=Timings.longest([work.result.timings for work in works]),
            total_s=self._clock() - started,
        )

    def stream(self, request: TranslationRequest) -> AsyncGenerator[TextDone, None]:
        """The texts of `request` as they are done. Raises what `translate` does."""
        return one_by_one(self.translate, self._room, request, self._clock)

    def check_score(self, request: ScoreRequest) -> None:
        """Refuse what this bundle cannot do, before any work. Raises ScoresNotAvailableError or
        AttentionNotAvailableError."""
        if self._scorer is None:
            fault = FieldFault("model", "has no teacher-forced graph; `attendant upgrade` adds one to a bundle")
            raise ScoresNotAvailableError(f"{self.manifest.reference} {fault.message}", [fault])
        self._scorer.check(request)

    async def score(self, request: ScoreRequest) -> TranslationResult:
        """The translations of `request` with their scores. Raises what `check_score` and `Scorer.score` do."""
        self.check_score(request)
        assert self._scorer is not None
        return await self._scorer.score(request)

    def _maps_of(self, request: TranslationRequest) -> Wanted | None:
        """The maps that `request` asks for. Raises AttentionNotAvailableError."""
        return None if request.attention is None else self._reader.wanted(request.attention)

    async def _assemble(
        self,
        text: SegmentedText,
        works: Sequence[Work],
        request: TranslationRequest,
        maps: Wanted | None,
        turn: Turn,
    ) -> Translation:
        """One text's answer from its segments' results."""
        best = [work.best for work in works]
        answer = await self._written(text, works, best, maps, request, turn)
        cut = any(hypothesis.finish_reason is FinishReason.LENGTH for hypothesis in best)
        others = list(alternatives([work.result for work in works], request.search))
        wants_segments = maps is not None or request.signals
        return Translation(
            text=answer.text,
            score=mean_log_prob(best),
            finish_reason=FinishReason.LENGTH if cut else FinishReason.EOS,
            segments=answer.segments,
            alternatives=tuple(
                [await self._written(text, works, chosen, maps, request, turn, wants_segments) for chosen in others]
            ),
            searched_again=tuple(work.searched_again for work in works if work.searched_again),
        )

    async def _written(
        self,
        text: SegmentedText,
        works: Sequence[Work],
        chosen: Sequence[Hypothesis],
        maps: Wanted | None,
        request: TranslationRequest,
        turn: Turn,
        wants_segments: bool = True,
    ) -> Alternative:
        """A whole text, with the `chosen` hypothesis of each of its segments."""
        wants_spans, locale = maps is not None or request.signals, request.locale_numbers
        decoded = [self._writer.write(*each, wants_spans, locale) for each in zip(works, chosen, strict=True)]
        whole, starts = text.join([part for part, _ in decoded])
        owns: list[np.ndarray | None] = [None] * len(works)
        if maps is not None and maps.options.kind != "cross" and wants_segments:
            owns = await self._own_maps(works, chosen, maps.options.kind)
        rows = list(zip(works, chosen, decoded, starts, owns, strict=True))
        segments = await turn.each(lambda row: self._segment(*row, maps, request), rows if wants_segments else [])
        pairs = () if wants_segments else zip(works, chosen, strict=True)
        faults = dict.fromkeys(fault for pair in pairs for fault in self._repairer.warnings(*pair))
        return Alternative(whole, mean_log_prob(chosen), tuple(segments), tuple(faults))

    async def _own_maps(
        self, works: Sequence[Work], chosen: Sequence[Hypothesis], kind: Kind
    ) -> list[np.ndarray | None]:
        """Maps of one side over itself, which decoding does not compute."""
        assert self._rescore is not None, "a bundle that exports such maps has the graph"
        if not works:
            return []
        pairs = [Pair(self._formalities.ids(w.segment), h.token_ids) for w, h in zip(works, chosen, strict=True)]
        first = works[0].segment
        return [found.maps[kind] for found in await self._rescore(pairs, (kind,), first.deadline, first.client)]

    def _segment(
        self,
        work: Work,
        hypothesis: Hypothesis,
        decoded: Decoded,
        start: int,
        own: np.ndarray | None,
        maps: Wanted | None,
        request: TranslationRequest,
    ) -> TranslatedSegment:
        """`own` are the maps of one side over itself, when those are wanted."""
        source, (part, pieces) = work.text, decoded
        reading = looked = None
        wanted = maps or (self._reader.for_links if request.signals else None)
        if hypothesis.attention is not None and wanted is not None:
            sides = self._source_side(work), self._target_side(part, pieces, start)
            copies = [copy for _, copy in source.copies]
            reading = self._reader.read(hypothesis.attention, wanted, *sides, own, copies)
            looked = attention_signals(reading.links_map, reading.source_words)
        are_words = reading is not None and (maps is None or maps.options.level == "word")
        tokens = reading.source_tokens if reading and are_words else self._words(source)
        if reading is None or maps is None:
            reading, source_tokens = None, tokens
            target_tokens = tuple(words(part, self.manifest.target, start))
        else:
            source_tokens, target_tokens = reading.source_tokens, reading.target_tokens
        lost = len(self._repairer.moved_copies(source, hypothesis))
        read = source_words(source, self.manifest.source, tokens)
        found = self._signals.read(len(work.segment.source_ids), hypothesis, read, part, lost)
        faults, doubtful = self._repairer.warnings(work, hypothesis), doubts(found, looked)
        return TranslatedSegment(
            source=TokenizedText(source.text, source.start, source.end, source_tokens),
            target=TokenizedText(part, start, start + len(part), target_tokens),
            score=hypothesis.score,
            token_scores=hypothesis.token_log_probs,
            finish_reason=hypothesis.finish_reason,
            attention=reading.attention if reading else None,
            alignment=reading.alignment if reading else None,
            signals=found,
            attention_signals=looked,
            warnings=(*faults, *(doubtful if request.signals else ())),
            doubts=tuple(doubtful),
        )

    def _words(self, source: TextSegment) -> tuple[Token, ...]:
        return tuple(words(source.text, self.manifest.source, source.start))

    def _source_side(self, work: Work) -> Side:
        source = work.text
        spans = source.spans
        if spans is None:  # searched again by somebody who did not ask for attention
            _, spans = self._tokenizer.encode_with_spans(source.normalised.text)
        spans = shifted(source.normalised.original_spans(spans), source.start)
        return Side(source.text, source.start, self.manifest.source, spans)

    def _target_side(self, part: str, pieces: Sequence[Span], start: int) -> Side:
        return Side(part, start, self.manifest.target, shifted(pieces, start))


def _usage(request: TranslationRequest, works: Sequence[Work]) -> Usage:
    """Tokens of the winners; neither alternatives nor searches that were given up are counted."""
    return Usage(
        source_characters=sum(map(len, request.texts)),
        source_tokens=sum(len(work.segment.source_ids) + 1 for work in works),
        target_tokens=sum(len(work.best.token_log_probs) for work in works),
    )
