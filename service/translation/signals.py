"""Quality estimation: signals of a translation's quality without a reference, and the warnings that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model_store.contract.confidence import (
    FEATURES,
    LABEL_INTERCEPT,
    LABEL_WEIGHTS,
    MOST_WORDS_OF_A_LABEL,
    confidence,
    features,
    ordered,
)
from model_store.contract.known_words import KnownWords
from model_store.contract.parts import Confidence
from model_store.contract.words import word_spans
from service.attention.kernel import entropy_and_columns
from service.attention.maps import MergedMap
from service.exchanged import AttentionSignals, Signals, Token
from service.messages import Hypothesis, Warned
from service.text.segmented import TextSegment

LOWEST, REPETITION = FEATURES.index("lowest_log_prob"), FEATURES.index("repetition")
LOW_CONFIDENCE = 0.3
UNIFORM_ENTROPY = 0.8
"""Normalised entropy above which a map explains nothing."""
UNSEEN_WEIGHT = 0.2
"""A source word counts as unseen when its attention, summed over all rows, is below this."""
UNSEEN_SHARE = 0.34
"""Share of unseen source words above which there is a warning."""


class SourceWords(NamedTuple):
    """Words and punctuation of a source, in order."""

    read: Sequence[str]
    """As the model read them: with the apostrophes, accents and ß of its training text, without marks of Markdown."""
    typed: Sequence[str]
    """As they stand in the source."""


def source_words(text: TextSegment, language: str, tokens: Sequence[Token]) -> SourceWords:
    """The words of `text`, a segment of that language; `tokens` are those of its source as it stands."""
    normalised = text.normalised
    if normalised.text == text.text:  # as most are
        same = [token.text for token in tokens]
        return SourceWords(same, same)
    spans = word_spans(normalised.text, language)
    typed = [text.text[start:end] for start, end in normalised.original_spans(spans)]
    return SourceWords([normalised.text[start:end] for start, end in spans], typed)


class SignalReader:
    """Reads the signals that need no attention."""

    def __init__(self, calibration: Confidence | None, known: KnownWords | None) -> None:
        """Both are the bundle's, None where it has none."""
        self._known, self._intercept = known, calibration.intercept if calibration else None
        self._weights = ordered(calibration.weights) if calibration else ()

    def read(
        self,
        num_source_ids: int,
        hypothesis: Hypothesis,
        words: SourceWords,
        written: str,
        num_lost_copies: int = 0,
    ) -> Signals:
        """The signals of a segment whose source has `words` and whose translation is `written`."""
        unknown: list[str] = []
        num_words = 0
        if self._known is not None:
            places, num_words = self._known.unknown_and_count(words.read, written)
            unknown = [words.typed[i] for i in places]
        log_probs = hypothesis.token_log_probs
        share = len(unknown) / max(num_words, 1)
        values = features(num_source_ids, hypothesis.token_ids, log_probs, share)
        found = None if self._intercept is None else self._confidence(values, words)
        lowest, repetition = values[LOWEST], values[REPETITION]
        return Signals(found, hypothesis.score, lowest, repetition, num_lost_copies, tuple(unknown), num_words)

    def _confidence(self, values: Sequence[float], words: SourceWords) -> float:
        if len(words.read) < 2 * MOST_WORDS_OF_A_LABEL and sum(map(_is_word, words.read)) <= MOST_WORDS_OF_A_LABEL:
            return confidence(values, LABEL_WEIGHTS, LABEL_INTERCEPT)
        assert self._intercept is not None
        return confidence(values, self._weights, self._intercept)


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def attention_signals(merged: MergedMap, are_words: np.ndarray) -> AttentionSignals:
    """The signals of the attention map that alignments come from; `are_words` tells source words from punctuation."""
    entropy, columns = entropy_and_columns(merged.weights, merged.end_token)
    unseen = np.flatnonzero(are_words & (columns < UNSEEN_WEIGHT))
    return AttentionSignals(entropy=entropy, unseen_words=tuple(unseen.tolist()), num_words=int(are_words.sum()))


def doubts(found: Signals, attention: AttentionSignals | None) -> list[Warned]:
    """The warnings that follow from signals, for requests that ask for signals."""
    warned = []
    if found.confidence is not None and found.confidence < LOW_CONFIDENCE:
        warned.append(Warned.LOW_CONFIDENCE)
    if found.unknown_words:
        warned.append(Warned.UNKNOWN_WORDS)
    if attention is not None and attention.entropy > UNIFORM_ENTROPY:
        warned.append(Warned.UNIFORM_ATTENTION)
    if attention is not None and len(attention.unseen_words) > max(1.0, UNSEEN_SHARE * attention.num_words):
        warned.append(Warned.UNSEEN_WORDS)
    return warned
