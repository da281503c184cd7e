"""From the subwords of a hypothesis to the text that a client gets: capitals, copies and their separators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.tokenizer import Span
from service.attention.selection import links_map
from service.messages import Hypothesis
from service.text.formats.entities import with_ampersands
from service.text.formats.escapes import ANDROID
from service.text.formats.markup import columns_of, marked_stretch, nested, wrapped
from service.text.formats.quoting import escaped
from service.text.mending.clock import as_lost
from service.text.mending.mended import Source, mended, mended_with_copies
from service.text.mending.numbers import localised
from service.text.names.controls import without_added_marks
from service.text.readings import with_capital, without_full_stop
from service.text.restoring import Restored, put_back, restore
from service.text.segmented import TextSegment
from service.text.sentences.wrapped import with_breaks
from service.text.typed.capitals import in_capitals
from service.text.typed.mnemonics import SIGNS as MNEMONIC_SIGNS
from service.text.typed.shouted import shouting
from service.translation.repair import Work

FINAL = ".!?\u2026"
"""Signs that end a sentence."""
Decoded = tuple[str, Sequence[Span]]
"""The text of a hypothesis, and what each subword covers of it when that is wanted."""


def _lost_capital(source: TextSegment, text: str) -> bool:
    """Whether a sentence that begins with a capital has a translation that does not."""
    return text[:1].islower() and source.text.lstrip(MNEMONIC_SIGNS)[:1].isupper() and not source.goes_on


class Writer:
    """Writes translations of one bundle."""

    def __init__(self, bundle: Bundle) -> None:
        self._tokenizer = bundle.tokenizer
        self._placeholders = bundle.tokenizer.placeholders
        self._links = links_map(bundle.manifest)
        self._languages = bundle.manifest.source, bundle.manifest.target

    def write(self, work: Work, hypothesis: Hypothesis, want_spans: bool, locale_numbers: bool) -> Decoded:
        """The hypothesis as text. `locale_numbers`: numbers that were protected take the target's separators."""
        written = self._write(work, hypothesis, want_spans, locale_numbers)
        written = with_ampersands(*written, work.text.text)
        if work.text.quote:
            written = escaped(*written, work.text.quote)
        if work.text.quote not in ("", ANDROID):
            return written
        return with_breaks(*written, work.text.text) if "\n" in work.text.text else written

    def _write(self, work: Work, hypothesis: Hypothesis, want_spans: bool, locale_numbers: bool) -> Decoded:
        source = work.text
        is_other = source.is_decapitalised or source.has_full_stop or source.in_capitals or source.has_added_marks
        is_plain = not is_other and not source.copies and not source.marks
        if is_plain and not want_spans:
            text: str = self._tokenizer.decode(hypothesis.token_ids)
            if not any(map(text.__contains__, self._placeholders)):
                text, _ = self._spaced(work, text, ())
                return with_capital(text) if _lost_capital(source, text) else text, ()
        text, spans = self._spaced(work, *self._tokenizer.decode_with_spans(hypothesis.token_ids))
        if source.has_added_marks and not work.segment.options.target_prefix:
            text, spans = without_added_marks(text, spans)
        if source.has_full_stop:
            text, spans = without_full_stop(text, spans)
        if source.is_decapitalised or _lost_capital(source, text):
            text = with_capital(text)
        if source.in_capitals:
            text, spans = in_capitals(text, spans)
        if is_plain and not any(map(text.__contains__, self._placeholders)):
            return text, spans
        copies = source.copies
        if locale_numbers:
            copies = tuple(self._localised(source))
        restored = restore(text, spans, copies, self._placeholders)
        if restored.lost:
            copies = tuple(as_lost(copy, self._languages, source.normalised.text) for copy in copies)
        text, spans = put_back(restored, copies, lambda *lost: self._place(work, hypothesis, *lost))
        text, spans = mended_with_copies(
            text, spans, source.text, self._languages, may_move=bool(restored.lost) and not source.marks
        )
        return self._marked(work, hypothesis, text, spans) if source.marks else (text, spans)

    def _localised(self, source: TextSegment) -> Iterator[tuple[str, str]]:
        """The copies, numbers with the separators of the target."""
        read, at = source.normalised.text, 0
        for sign, copy in source.copies:
            at = read.find(sign, at) + 1
            yield sign, localised(copy, *self._languages, read[: at - 1])

    def _marked(self, work: Work, hypothesis: Hypothesis, text: str, spans: Sequence[Span]) -> Decoded:
        """The translation with the marks of its source round the words that attend to theirs; without them where a
        bundle has no attention."""
        if hypothesis.attention is None or self._links is None or not spans:
            return text, spans
        read = work.text.normalised
        _, covered = self._tokenizer.encode_with_spans(read.text)
        weights = self._weights(hypothesis, len(spans))
        marks = work.text.marks
        stretches = [marked_stretch(weights, columns_of(mark, read, covered), spans, text) for mark in marks]
        shown = [(mark, stretch) for mark, stretch in zip(marks, nested(marks, stretches), strict=True)]
        text = shouting(text, [stretch for mark, stretch in shown if mark.is_shouted], self._languages[1])
        return wrapped(text, spans, [each for each in shown if not each[0].is_shouted])

    def _weights(self, hypothesis: Hypothesis, num_rows: int) -> np.ndarray:
        """[target subwords, source subwords + 1]: the map that links come from."""
        assert hypothesis.attention is not None
        assert self._links is not None
        steps = np.minimum(np.arange(num_rows) + self._links.shift, len(hypothesis.attention) - 1)
        weights: np.ndarray = hypothesis.attention[steps][:, list(self._links.indices)].mean(axis=1)
        return weights

    def _spaced(self, work: Work, text: str, spans: Sequence[Span]) -> Decoded:
        """The text with the signs at the end of its source, and as the target language spaces it, unless a client said
        what it begins with."""
        if work.segment.options.target_prefix:
            return text, spans
        read = work.text
        source = Source(
            read.text, read.normalised, read.copies, read.goes_on, read.before, read.is_introduced, bool(read.marks)
        )
        return mended(text, spans, source, self._languages, self._placeholders)

    def _place(self, work: Work, hypothesis: Hypothesis, number: int, restored: Restored) -> int:
        """Where a lost copy goes: behind the subword that attends most to the source subword before the copy, but
        before the sign that ends the translation where something follows the copy in the source."""
        end = self._place_by_attention(work, hypothesis, number, restored)
        sign, read = work.text.copies[number][0], work.text.normalised.text
        before = [other for other, _ in work.text.copies[:number]].count(sign)
        rest = read.split(sign, before + 1)[-1] if read.count(sign) > before else ""
        text = restored.text.rstrip(FINAL) if rest.strip() and end == len(restored.text) else restored.text
        return min(end, len(text.rstrip()))

    def _place_by_attention(self, work: Work, hypothesis: Hypothesis, number: int, restored: Restored) -> int:
        column = self._column_before(work, number)
        if column is None:
            return 0
        if hypothesis.attention is None or self._links is None or not restored.spans:
            return len(restored.text)
        rows = self._weights(hypothesis, len(restored.spans))[:, column]
        end = restored.spans[int(rows.argmax())][1]
        while end < len(restored.text) and restored.text[end].isalnum():
            end += 1
        return end

    def _column_before(self, work: Work, number: int) -> int | None:
        """The source subword that stands before copy `number`; None when none does."""
        source_ids, copies = work.segment.source_ids, work.text.copies
        sign = copies[number][0]
        sign_id = self._tokenizer.encode(sign)[-1]
        columns = [column for column, id_ in enumerate(source_ids) if id_ == sign_id]
        column = columns[[other for other, (each, _) in enumerate(copies) if each == sign].index(number)] - 1
        while column >= 0 and not self._tokenizer.decode(source_ids[column : column + 1]).strip():
            column -= 1  # the space before it
        return column if column >= 0 else None
