"""A second search for results with a fault: loops, lost copies, changed numbers, garbled names, misspelt words, lost
facts.

Most results have none, and cost only a scan of their ids. A fault that the second search leaves becomes a warning.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass, replace

from model_store.contract.tokenizer import Tokenizer
from service.errors import OverloadedError
from service.messages import (
    FinishReason,
    Hypothesis,
    Segment,
    SegmentResult,
    Warned,
)
from service.search.degenerate import is_empty_or_endless, loops, loops_alone, may_loop, words_loop
from service.text.mending.facts import NEGATION, facts_in, lost_facts
from service.text.mending.numbers import lost_numbers
from service.text.names.garbled import NameFinder, stretches_of
from service.text.protection import Finder, number_stretches
from service.text.segmented import TextSegment
from service.text.segments import Segmenter
from service.text.spans.patterns import DIGIT
from service.translation.turns import Turn

Translate = Callable[[Sequence[Segment]], Awaitable[list[SegmentResult]]]
"""The engine's own `translate`: one result for each segment, in order."""

DOUBT = -0.7
"""A log-probability. Where every token is at least as likely, a changed name is a translation, not a fault, unless
somebody is addressed by it or it is certainly a name."""
MOST_GROWTH, LEAST_LABEL = 3, 4
"""How many times as long as a label its translation may be while another reading's is not; shorter labels count as of
so many code points."""
UNSURE, COST_OF_A_PIECE = -0.15, 0.2
"""Log-probabilities a token. A capital may break a word that the vocabulary knows into pieces (`Big` is B, i, g, `big`
one subword); a less likely translation of pieces than UNSURE counts as so much less likely for each piece too many, by
the number of words. Chosen on single words: docs/measurements.md, words."""
COST_OF_A_FULL_STOP = 0.2
"""What a label in lower case must gain, a token, when it is read with a full stop: that makes a sentence of some."""
SPELLING = "spelling"
GAIN = 0.2
"""Log-probability a token that the translation of a corrected text must gain: a frequent word in place of a rare one
gains something, too."""
NO_REPEAT_NGRAM = 3
"""n of the n-grams that may not repeat in the second search after a loop."""
MOST_LOOPED = 40
"""Subwords of a source that loops itself and is searched again. What people repeat is shorter; of more, a translation
without repetition is none, and takes as long as it is allowed to."""
COVERAGE_PENALTY, BEAM_OF_FACTS = 0.2, 4
"""Of the second search for a lost fact (Wu et al. 2016, equation 14), and its least beam size: greedy search has no
second hypothesis for a penalty to prefer. As a default the penalty cost 0.3 to 1.9 BLEU."""


@dataclass(slots=True)
class Work:
    """One segment on its way: its text, the engine's task, and the result."""

    text: TextSegment
    segment: Segment
    result: SegmentResult
    searched_again: str = ""
    """Why it was searched again, if it was: loop, copies, numbers, names, spelling, facts or formality."""
    is_sound: bool = False
    """Whether nothing was found wrong with the best hypothesis."""

    @property
    def is_limited(self) -> bool:
        """Whether the client set the limit of tokens."""
        return self.segment.options.max_output_tokens is not None

    @property
    def best(self) -> Hypothesis:
        """The hypothesis that answers."""
        return self.result.hypotheses[0]


class Repairer:
    """Makes second searches with one model."""

    def __init__(
        self,
        translate: Translate,
        segmenter: Segmenter,
        tokenizer: Tokenizer,
        target: str,
        known: Container[str] | None = None,
    ) -> None:
        """`target` is the language of translations. `known` has the words that the model was trained on; None where a
        bundle does not say."""
        self._translate, self._segmenter, self._tokenizer = translate, segmenter, tokenizer
        self._names = NameFinder(tokenizer.encode, (segmenter.language, target), known)
        self._placeholders = segmenter.placeholders
        self._has_attention = segmenter.takes_marks  # a coverage penalty needs it
        self._languages = segmenter.language, target

    def chosen(
        self,
        readings: Sequence[Sequence[TextSegment]],
        segments: Sequence[Segment],
        results: Sequence[SegmentResult],
    ) -> list[Work]:
        """For each segment the reading with the most likely translation, one that fits where the label stood if there
        is any; `segments` and `results` are those of all readings, in order."""
        rest = zip(segments, results, strict=True)
        works = [[Work(reading, *next(rest)) for reading in found] for found in readings]
        return [self._likeliest(found) if found[1:] else found[0] for found in works]

    def _likeliest(self, found: Sequence[Work]) -> Work:
        """That of the readings of one label, its own first, whose translation fits and is the most likely one."""
        label = found[0].text
        whole = next((work.text for work in found if work.text.is_decapitalised), None)
        return max(found, key=lambda work: (self._fits(work, label), _likelihood(work, whole)))

    def _fits(self, work: Work, label: TextSegment) -> bool:
        most = MOST_GROWTH * max(len(label.text), LEAST_LABEL)
        return len(self._tokenizer.decode(work.best.token_ids)) <= most

    async def repair(self, works: Sequence[Work]) -> None:
        """Search the faulty ones of `works` again, and keep the better results. Raises what the engine does, but for a
        full queue: then the first results answer, with their warnings."""
        searches = await Turn().each(self.second_search, works)
        again = [(work, search) for work, search in zip(works, searches, strict=True) if search is not None]
        if not again:
            return
        try:
            results = await self._translate([replace(segment, was_admitted=True) for _, (_, _, segment) in again])
        except OverloadedError:
            return
        for (work, (reason, text, segment)), result in zip(again, results, strict=True):
            work.searched_again = reason
            self._take(work, text, segment, result)

    def warnings(self, work: Work, hypothesis: Hypothesis) -> list[Warned]:
        """The faults that are left in one hypothesis of `work`."""
        if work.is_sound and hypothesis is work.best:
            return []
        warned = []
        if self.is_degenerate(work, work.text, hypothesis):
            warned.append(Warned.TOO_LONG if hypothesis.finish_reason is FinishReason.LENGTH else Warned.LOOP)
        if self.moved_copies(work.text, hypothesis):
            warned.append(Warned.COPY_MOVED)
        if self._placeholders and self._lost_numbers(work.text, hypothesis):
            warned.append(Warned.NUMBER_CHANGED)
        if NEGATION in self._lost_facts(work.text, hypothesis):
            warned.append(Warned.NEGATION_LOST)
        return warned

    def second_search(self, work: Work) -> tuple[str, TextSegment, Segment] | None:
        """Why and for what to search a second time; None where the result has no fault."""
        segment, options = work.segment, work.segment.options
        if self.is_degenerate(work, work.text, work.best):
            if len(work.text.token_ids) > MOST_LOOPED and loops(work.text.token_ids):
                return None
            return "loop", work.text, replace(segment, options=replace(options, no_repeat_ngram=NO_REPEAT_NGRAM))
        if work.text.copies and self.lost_copies(work.text, work.best):
            return "copies", work.text, _with_all(segment)
        is_in_doubt = min(work.best.token_log_probs) < DOUBT
        reason, further = self._to_protect(work, is_in_doubt)
        lost = self._lost_facts(work.text, work.best) if further is None else []
        work.is_sound = further is None and NEGATION not in lost
        text = self._segmenter.with_protected(work.text, further) if further else None
        if is_in_doubt and (corrected := self._segmenter.corrected(text or work.text)) is not None:
            reason, text = reason if text else SPELLING, corrected
        if text is not None:
            return reason, text, replace(_with_all(segment), source_ids=text.token_ids)
        may_cover = self._has_attention and not options.coverage_penalty
        if not may_cover or not lost:
            return None
        options = replace(options, beam_size=max(options.beam_size, BEAM_OF_FACTS), coverage_penalty=COVERAGE_PENALTY)
        return "facts", work.text, _with_all(replace(segment, options=options))

    def _to_protect(self, work: Work, is_in_doubt: bool) -> tuple[str, Finder | None]:
        """The reason to protect more of the text, and what finds it: changed numbers, or names garbled in doubt."""
        if not self._placeholders:
            return "", None
        if self._lost_numbers(work.text, work.best):
            return "numbers", number_stretches
        garbled = self._garbled_names(work.text, work.best, is_in_doubt)
        if not garbled:
            return "", None
        names = {*garbled, *self._names.sure(_read(work.text))}  # else the second search may garble what was right
        return "names", stretches_of(names, self._segmenter.language)

    def _take(self, work: Work, text: TextSegment, segment: Segment, result: SegmentResult) -> None:
        """Take the new result of a changed `segment` where it is better than the old one."""
        found = sorted(result.hypotheses, key=lambda hypothesis: self._num_faults(work, text, hypothesis))
        after, before = self._num_faults(work, text, found[0]), self._num_faults(work, work.text, work.best)
        is_likelier = work.searched_again == SPELLING and found[0].score > work.best.score + GAIN
        if after < before or (after == before and is_likelier):
            wanted = work.segment.options.num_hypotheses
            others = work.result.hypotheses if text is work.text else ()
            work.text, work.segment, work.is_sound = text, segment, False
            work.result = replace(result, hypotheses=(*found, *others)[:wanted])

    def take_as_good(self, work: Work, segment: Segment, result: SegmentResult, reason: str) -> None:
        """Take the result of the same text searched again for some `reason`, unless it has more faults."""
        best = result.hypotheses[0]
        if self._num_faults(work, work.text, best) <= self._num_faults(work, work.text, work.best):
            work.segment, work.result, work.is_sound = segment, result, False
            work.searched_again = work.searched_again or reason

    def _num_faults(self, work: Work, text: TextSegment, hypothesis: Hypothesis) -> int:
        lost = len(self.lost_copies(text, hypothesis)) + self._lost_numbers(text, hypothesis)
        lost += len(self._garbled_names(text, hypothesis)) + len(self._lost_facts(text, hypothesis))
        return 100 * self.is_degenerate(work, text, hypothesis) + lost

    def is_degenerate(self, work: Work, text: TextSegment, hypothesis: Hypothesis) -> bool:
        """Whether `hypothesis`, a translation of `text`, loops, is empty or never ends."""
        ids = hypothesis.token_ids
        if is_empty_or_endless(hypothesis, work.is_limited):
            return True
        if not may_loop(ids):
            return False  # as most
        return loops_alone(ids, text.token_ids) or words_loop(self._tokenizer.decode(ids), text.normalised.text)

    def lost_copies(self, text: TextSegment, hypothesis: Hypothesis) -> list[int]:
        """Numbers of the copies of `text` whose placeholder comes more or less often in `hypothesis` than in `text`."""
        if not text.copies:
            return []
        written = [c for c in self._tokenizer.decode(hypothesis.token_ids) if c in self._placeholders]
        signs = [sign for sign, _ in text.copies]
        return [number for number, sign in enumerate(signs) if written.count(sign) != signs.count(sign)]

    def moved_copies(self, text: TextSegment, hypothesis: Hypothesis) -> list[int]:
        """Those of them that the model did not write, so that they are put back where attention says. What it wrote
        too often is dropped."""
        if not self.lost_copies(text, hypothesis):
            return []
        written = self._tokenizer.decode(hypothesis.token_ids)
        signs = [sign for sign, _ in text.copies]
        return [number for number, sign in enumerate(signs) if written.count(sign) < signs.count(sign)]

    def _garbled_names(self, text: TextSegment, hypothesis: Hypothesis, in_doubt: bool = True) -> list[str]:
        """The names of `text` that are garbled in `hypothesis`; only the sure ones where it is not `in_doubt`."""
        source = _read(text)
        suspects = self._names.suspects(source)
        if not suspects:
            return []  # most texts have none, and their translation need not be decoded
        target = self._tokenizer.decode(hypothesis.token_ids)
        if not self._names.may_be_garbled(suspects, target):
            return []  # all are there, as in most translations
        names = self._names.names(source) if in_doubt else self._names.sure(source)
        return self._names.garbled(names, source, target)

    def _lost_facts(self, text: TextSegment, hypothesis: Hypothesis) -> list[str]:
        """Numbers in words, months, negations and the like of `text` that `hypothesis` has nothing for."""
        found = facts_in(text.normalised.text, *self._languages)
        if not found:
            return []  # the translation of most texts need not be decoded
        return lost_facts(found, self._tokenizer.decode(hypothesis.token_ids), *self._languages)

    def _lost_numbers(self, text: TextSegment, hypothesis: Hypothesis) -> bool:
        """Whether the numbers that the model read and wrote in digits differ."""
        source = text.normalised.text
        return DIGIT.search(source) is not None and lost_numbers(source, self._tokenizer.decode(hypothesis.token_ids))


def _with_all(segment: Segment) -> Segment:
    """The segment with all hypotheses of the beam, of which the least faulty answers, and what places lost copies."""
    options = segment.options
    return replace(segment, options=replace(options, num_hypotheses=options.beam_size), want_attention=True)


def _read(text: TextSegment) -> str:
    """What the model read of `text`, with its first capital."""
    read = text.normalised.text
    return read[:1].upper() + read[1:] if text.is_decapitalised else read


def _likelihood(work: Work, whole: TextSegment | None) -> float:
    """The log-probability a token of a label's translation, less what pieces cost that the reading `whole`, without the
    capital, does not have."""
    score, text = work.best.score, work.text
    if text.has_full_stop and text.text[:1].islower():
        score -= COST_OF_A_FULL_STOP
    if whole is None or score > UNSURE:
        return score
    too_many = max(len(text.token_ids) - text.has_full_stop - len(whole.token_ids), 0)
    return score - COST_OF_A_PIECE * too_many / len(text.text.split())
