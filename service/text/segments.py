"""A text as segments that the model can take, and the text between them, which is kept."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from model_store.contract.known_words import Words
from model_store.contract.tokenizer import Span
from service.text.expressions.day_cells import day_places
from service.text.formats.attributes import attribute_values, may_have_attributes, without_outer_tags
from service.text.formats.markup import Mark, may_have_marks, without_marks
from service.text.formats.name_columns import without_names
from service.text.formats.parts import as_read, parts_of, unfolded_for
from service.text.formats.surroundings import inner_stretches
from service.text.names.acronyms import is_acronym
from service.text.names.common_names import without_signatures
from service.text.protection import Finder, ProtectedText, Protector, also, translatable
from service.text.readings import Readings
from service.text.segmented import SegmentedText, TextSegment
from service.text.sentences.clauses import clause_spans, is_introduced
from service.text.sentences.halves import halves
from service.text.sentences.splitting import sentence_spans
from service.text.spans.kept import with_words_for_kept
from service.text.spans.normalise import NormalisedText, normalise, replaced
from service.text.spans.patterns import PLAIN_SENTENCE, SENTENCE_WITH_CAPITALS
from service.text.spans.spacing import apart
from service.text.spans.stretches import stripped
from service.text.steps import Steps, finished
from service.text.typed.antecedents import text_before, with_gender
from service.text.typed.capitals import was_capitals, without_capitals
from service.text.typed.inclusive import without_further_endings
from service.text.typed.meant import as_meant
from service.text.typed.mnemonics import without_mnemonic
from service.text.typed.sharp_s import with_sharp_s
from service.text.typed.shouted import quieted
from service.text.typed.signs import with_hyphens
from service.text.typed.spelling import corrections, with_accents

MOST_BEFORE = 200
"""Code points before a segment that may tell what its pronouns stand for."""


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Cuts texts of one language into segments of one model."""

    language: str
    encode: Callable[[str], Sequence[int]]
    """Subword ids of a normalised text."""
    max_tokens: int
    """The longest segment, in subwords, without the end token."""
    encode_with_spans: Callable[[str], tuple[Sequence[int], Sequence[Span]]] | None = None
    """`encode`, and what each subword covers of the text."""
    placeholders: str = ""
    """Those of the model's vocabulary."""
    protector: Protector | None = None
    """Finds what must not change; None where the vocabulary has no placeholders."""
    most_words: int = 0
    """Longer sentences are cut at clauses, see `clause_spans`; 0 is no limit."""
    known: Words | None = None
    """The words that the model was trained on; None where a bundle does not say."""
    takes_marks: bool = True
    """Whether marks of Markdown and HTML are taken out, to be put back where the model's attention says."""
    _readings: Readings = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_readings", Readings(self.encode, self.language))

    @property
    def _target(self) -> str:
        return self.protector.languages[1] if self.protector is not None else ""

    def segment(self, text: str, want_spans: bool = False, in_parts: bool = True) -> SegmentedText:
        """Sentences of `text`, long ones `in_parts`; one too long for the model is cut at clauses, spaces or anywhere.

        Text with nothing to translate in it belongs to the gaps, as white space does: control characters, for which the
        tokenizer has no ids. For a model with placeholders, so do list signs, emphasis and emoji around a sentence, the
        bars of a table, and sentences without letters.
        """
        return finished(self.steps(text, want_spans, in_parts))

    def steps(self, text: str, want_spans: bool = False, in_parts: bool = True) -> Steps[SegmentedText]:
        """`segment`, with a step for each sentence."""
        plain = self._plain(text, want_spans)
        if plain is not None:
            return SegmentedText(text, (plain,))
        within = parts_of(text)
        read = unfolded_for(with_words_for_kept(text), within)
        spans = sentence_spans(read, self.language, within.stretches)
        has_attributes = self.protector is not None and not within.quotes and may_have_attributes(text)
        if self.protector is not None:
            spans = [inner for start, end in spans for inner in inner_stretches(read, start, end)]
            spans = without_names(text, without_signatures(text, spans, self.language))
        if has_attributes:
            spans = [without_outer_tags(read, *span) for span in spans]
        parts = spans
        if in_parts and self.most_words:
            most, languages = self.most_words, (self.language, self._target)
            parts = [part for start, end in spans for part in clause_spans(read, start, end, most, *languages)]
        cells = [text[start:end] for start, end in parts]
        days = frozenset(day_places(cells, self.language) if self.protector else ())
        found: list[TextSegment] = []
        for at, (start, end) in enumerate(parts):
            quote, is_other = within.quote(start), at in days or not parts[1:]
            plain = None if quote or is_other else self._plain(text[start:end], want_spans, text_before(text, start))
            if plain is not None:
                found.append(replace(plain, start=start, end=end, before=_before(text, start)))
            else:
                for each in (self._day if at in days else self._fit)(text, start, end, want_spans, quote=quote):
                    found.append(each)
                    yield
            yield  # for what has nothing to translate, too
        if has_attributes:
            found = self._with_attributes(text, read, found, want_spans, spans)
        if len(found) > len(spans):
            begins = {start for start, _ in spans}
            found = [s if s.start in begins else replace(s, goes_on=True) for s in found]
            found = [found[0], *map(partial(_introduced, begins), pairwise(found))] if self.language == "en" else found
        return SegmentedText(text, tuple(found))

    def _plain(self, text: str, want_spans: bool, before: str = "") -> TextSegment | None:
        """The only segment of a plain sentence that stands behind `before`; None where `text` is none, or a rule may
        change it."""
        has_capitals = PLAIN_SENTENCE.fullmatch(text) is None
        if has_capitals and SENTENCE_WITH_CAPITALS.fullmatch(text) is None:
            return None
        if 0 < self.most_words <= text.count(" "):
            return None
        if self.protector is not None and not self.protector.leaves(text, has_capitals):
            return None
        typed, _ = as_meant(normalise(text), self.language, self.known, self.encode, self.protector is not None)
        typed = apart(typed, self.language)
        if before and self.protector is not None:
            typed = with_gender(typed, before, *self.protector.languages)
        if typed.text != text:
            return None
        read, _ = self._in_usual_letters(typed, capitals=False)
        ids, spans = self._encoded(read.text, want_spans)
        return TextSegment(text, 0, len(text), read, tuple(ids), spans) if 0 < len(ids) <= self.max_tokens else None

    def _with_attributes(
        self, text: str, read: str, found: list[TextSegment], want_spans: bool, spans: list[tuple[int, int]]
    ) -> list[TextSegment]:
        """The segments `found` and those of attributes, whose places `spans` get, too. `read` is `text` with words for
        what is kept."""
        places = list(attribute_values(read, [(one.start, one.end) for one in found], self.language))
        spans += [(start, end) for start, end, _ in places]
        further = (one for start, end, quote in places for one in self._fit(text, start, end, want_spans, quote=quote))
        return sorted((*found, *further), key=lambda one: one.start)

    def whole(self, text: str) -> TextSegment | None:
        """All of `text` as one segment; None where it has nothing to translate or is too long."""
        start, end = stripped(text, 0, len(text))
        first = next(self._fit(text, start, end, True), None) if start < end else None
        return first if first is not None and (first.start, first.end) == (start, end) else None

    def readings(self, segment: TextSegment) -> list[TextSegment]:
        """The segment, and what else it may be taken for: see `service/text/readings.py`."""
        if self.protector is None:
            return [segment]
        further = [] if segment.copies else self._readings.of(segment.normalised)
        if not further:
            further = self._readings.without_first_capital(segment.normalised)
        found = [segment]
        for reading in further:
            read = self._read_as(segment, reading.normalised)
            if read is not None:
                is_small, has_full_stop = reading.is_decapitalised, reading.has_full_stop
                found.append(replace(read, is_decapitalised=is_small, has_full_stop=has_full_stop))
        return found

    def _read_as(self, segment: TextSegment, normalised: NormalisedText) -> TextSegment | None:
        """The segment with `normalised` as what the model reads; None where that is nothing or too long."""
        token_ids, spans = self._encoded(normalised.text, segment.spans is not None)
        if not 0 < len(token_ids) <= self.max_tokens:
            return None
        return replace(segment, normalised=normalised, token_ids=tuple(token_ids), spans=spans)

    def _day(self, text: str, start: int, end: int, want_spans: bool, quote: str) -> Iterator[TextSegment]:
        """A short weekday that is all of a cell, with a placeholder for it."""
        assert self.protector is not None
        original = text[start:end]
        read = self.protector.day(original)
        ids, spans = self._encoded(read.normalised.text, want_spans)
        yield TextSegment(original, start, end, read.normalised, tuple(ids), spans, read.copies, quote=quote)

    def with_protected(self, segment: TextSegment, further: Finder) -> TextSegment | None:
        """The segment with placeholders also for what `further` finds; None where that leaves nothing to translate."""
        found = next(self._fit(segment.text, 0, len(segment.text), True, further, segment.quote), None)
        whole = found is not None and found.end == len(segment.text)
        place = {
            "start": segment.start, "end": segment.end, "goes_on": segment.goes_on, "before": segment.before,
            "is_introduced": segment.is_introduced,
        }  # fmt: skip
        return replace(found, **place) if found is not None and whole else None  # type: ignore[arg-type]

    def corrected(self, segment: TextSegment) -> TextSegment | None:
        """The segment with its misspelt words as they were meant, see `service/text/typed/spelling.py`.

        None where it has none, or the vocabulary no placeholders.
        """
        if self.protector is None or self.known is None:
            return None
        found = corrections(segment.normalised.text, self.language, self.known, self.encode)
        if not found:
            return None
        spans = [(each.start, each.end) for each in found]
        return self._read_as(segment, replaced(segment.normalised, spans, [each.word for each in found]))

    def _fit(
        self,
        text: str,
        start: int,
        end: int,
        want_spans: bool,
        further: Finder | None = None,
        quote: str = "",
    ) -> Iterator[TextSegment]:
        original, has_placeholders = text[start:end], self.protector is not None
        typed, has_controls = as_meant(
            as_read(original, quote), self.language, self.known, self.encode, has_placeholders
        )
        if start and self.protector is not None:
            typed = with_gender(typed, text_before(text, start), *self.protector.languages)
        read, marks = self._protected(typed, original, further)
        if has_placeholders and not read.has_ruled and not translatable(read.normalised.text, self.placeholders):
            return
        capitals = has_placeholders and was_capitals(read.normalised.text, original)
        if capitals and is_acronym(read.normalised.text, self.encode, self.known):
            return
        normalised, shouted = self._in_usual_letters(read.normalised, capitals)
        found, spans = self._encoded(normalised.text, want_spans)
        token_ids = tuple(found)
        if not token_ids:
            return
        if len(token_ids) <= self.max_tokens:
            yield TextSegment(
                original, start, end, normalised, token_ids, spans, read.copies, (*marks, *shouted), capitals,
                has_added_marks=has_controls, quote=quote, before=_before(text, start),
            )  # fmt: skip
        elif end - start > 1:  # one code point of more tokens than the model takes stays as it is
            num_parts = -(-len(token_ids) // self.max_tokens)
            for inner_start, inner_end in halves(text, start, end, num_parts):
                yield from self._fit(text, inner_start, inner_end, want_spans, further, quote)

    def _protected(
        self, typed: NormalisedText, original: str, further: Finder | None
    ) -> tuple[ProtectedText, tuple[Mark, ...]]:
        """`original`, which is `typed` as it is meant, with placeholders and without its marks; and those."""
        plain = with_hyphens(apart(typed, self.language))
        if self.language == "fr":
            plain = without_further_endings(plain)
        marks: tuple[Mark, ...] = ()
        if self.protector is None:
            return ProtectedText(plain), marks
        finder = further
        if self.takes_marks:
            plain, mnemonics = without_mnemonic(plain, original, self.known)
            if may_have_marks(plain.text):
                stretches = partial(self.protector.stretches, further=further)
                plain, marks, kept = without_marks(plain, original, stretches)
                finder = also(further, kept)
            marks = tuple(sorted((*marks, *mnemonics), key=lambda mark: (mark.at, -mark.behind)))
        return self.protector.protect(plain, original, finder), marks

    def _in_usual_letters(self, read: NormalisedText, capitals: bool) -> tuple[NormalisedText, tuple[Mark, ...]]:
        """What is `read` with small letters for `capitals`, accents and sharp s; and marks of words in capitals."""
        shouted: tuple[Mark, ...] = ()
        if capitals:
            read = without_capitals(read, self.language)
        elif self.takes_marks and self.protector is not None:
            read, shouted = quieted(read, self.language, self.encode, self.known)
        if self.known is not None and self.protector is not None:
            read = with_accents(read, self.language, self.known, self.encode, capitals)
        if self.language == "de" and self.known is not None:
            read = with_sharp_s(read, self.known)
        return read, shouted

    def _encoded(self, text: str, want_spans: bool) -> tuple[Sequence[int], Sequence[Span] | None]:
        """Subword ids, and their spans when wanted, in one call, because each call gives the interpreter lock away."""
        if not want_spans:
            return self.encode(text), None
        assert self.encode_with_spans is not None
        return self.encode_with_spans(text)


def _before(text: str, start: int) -> str:
    """What may tell what the pronouns behind `start` stand for."""
    return text[:start] if start <= MOST_BEFORE else ""


def _introduced(begins: Container[int], pair: tuple[TextSegment, TextSegment]) -> TextSegment:
    """The second of the pair, which may be the main clause behind the first."""
    before, segment = pair
    is_main = segment.goes_on and before.start in begins and is_introduced(before.text, segment.text)
    return replace(segment, is_introduced=True) if is_main else segment
