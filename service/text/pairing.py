"""A text and a translation of it that a client brings, as pairs of segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model_store.contract.tokenizer import Span
from service.text.formats.markup import without_marks
from service.text.formats.parts import as_read, parts_of
from service.text.formats.surroundings import inner_stretches
from service.text.protection import protect_alike, translatable
from service.text.segmented import TextSegment
from service.text.segments import Segmenter
from service.text.sentences.splitting import sentence_spans
from service.text.spans.kept import with_words_for_kept
from service.text.spans.normalise import normalise
from service.text.steps import Steps, finished
from service.text.typed.capitals import is_capitals, without_capitals
from service.text.typed.mnemonics import without_any_mnemonic
from service.text.typed.signs import with_hyphens, with_own_quotation_marks


class SegmentPair(NamedTuple):
    """A segment of the source and the segment that translates it."""

    source: TextSegment
    target: TextSegment


class UnpairedError(ValueError):
    """A translation whose sentences cannot be paired with those of its source; the message says why."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Pairs sentences in their order. Where the two sides have different numbers of them, the texts are one pair."""

    segmenter: Segmenter
    """That of the source."""
    language: str
    """Of translations."""
    encode_with_spans: Callable[[str], tuple[Sequence[int], Sequence[Span]]]
    max_tokens: int
    """The longest segment of a translation, in subwords, without the end token."""

    def pairs(self, text: str, translation: str) -> list[SegmentPair]:
        """The pairs of segments; none for two texts without anything to translate. Raises UnpairedError."""
        return finished(self.steps(text, translation))

    def steps(self, text: str, translation: str) -> Steps[list[SegmentPair]]:
        """`pairs`, with a step for each sentence of either side."""
        sources = (yield from self.segmenter.steps(text, want_spans=True, in_parts=False)).segments
        all_spans = self._sentences(translation)
        spans: list[tuple[int, int]] = []
        for start, end in all_spans:
            spans += [(start, end)] if self._is_translated(translation[start:end]) else []
            yield
        if len(sources) == len(spans):
            found: list[SegmentPair] = []
            for span, source in zip(spans, sources, strict=True):
                found.append(SegmentPair(source, self._read(translation, *span, source)))
                yield
            return found
        if not sources or not all_spans:
            raise UnpairedError("has nothing to translate" if not sources else "has no translation")
        whole = self.segmenter.whole(text)
        if whole is None:
            raise UnpairedError(
                f"has {len(sources)} sentences for {len(spans)} of the translation, and is too long to be one; "
                "send it sentence by sentence"
            )
        return [SegmentPair(whole, self._read(translation, all_spans[0][0], all_spans[-1][1], whole))]

    def _sentences(self, translation: str) -> list[tuple[int, int]]:
        read = with_words_for_kept(translation)
        spans = sentence_spans(read, self.language, parts_of(translation).stretches)
        if self.segmenter.protector is not None:
            spans = [inner for start, end in spans for inner in inner_stretches(read, start, end)]
        return [(start, end) for start, end in spans if start < end]

    def _is_translated(self, sentence: str) -> bool:
        """Whether a sentence of a translation has a segment in its source: that has none for numbers and addresses."""
        normalised, protector = normalise(sentence), self.segmenter.protector
        if protector is None:
            return bool(self.encode_with_spans(normalised.text)[0])
        return translatable(protector.protect(normalised, sentence).normalised.text, self.segmenter.placeholders)

    def _read(self, translation: str, start: int, end: int, source: TextSegment) -> TextSegment:
        """The segment `start`..`end`, with placeholders for what is protected in its `source`."""
        original = translation[start:end]
        plain = with_hyphens(with_own_quotation_marks(as_read(original, source.quote), self.language))
        if source.marks:
            plain = without_marks(without_any_mnemonic(plain, original), original).normalised
        read = protect_alike(plain, source.copies)
        capitals = source.in_capitals and is_capitals(read.normalised.text)
        normalised = without_capitals(read.normalised, self.language) if capitals else read.normalised
        token_ids, spans = self.encode_with_spans(normalised.text)
        if len(token_ids) > self.max_tokens:
            raise UnpairedError(
                f"has a translation of {len(token_ids)} subwords in one segment, more than {self.max_tokens}; "
                "send it sentence by sentence"
            )
        return TextSegment(original, start, end, normalised, tuple(token_ids), spans, read.copies, in_capitals=capitals)
