"""What the answers of one model tell of their worth: confidence, log-probabilities, attention, warnings."""

from __future__ import annotations

from service.messages import Translation, TranslationResult
from service.observability import table
from service.observability.collectors import Collectors
from service.observability.recorders import Observed, recording


class SignalMetrics:
    """Counts the signals of one model's segments."""

    def __init__(self, collectors: Collectors, model: str) -> None:
        self._collectors, self._model = collectors, model
        self._log_probs = recording(self._histogram(table.LOG_PROB), self._histogram(table.LOWEST_LOG_PROB))
        self._confidence = recording(self._histogram(table.CONFIDENCE))
        self._looked = recording(
            self._histogram(table.ENTROPY),
            *(collectors.counter(spec).labels(model) for spec in (table.UNSEEN, table.SEEN)),
        )

    def answered(self, result: TranslationResult) -> None:
        """One request has been answered."""
        for translation in result.translations:
            self._count(translation)

    def _count(self, translation: Translation) -> None:
        for segment in translation.segments:
            found, looked = segment.signals, segment.attention_signals
            self._log_probs((-found.mean_log_prob, -found.lowest_log_prob))
            if found.confidence is not None:
                self._confidence((found.confidence,))
            if looked is not None:
                self._looked((looked.entropy, len(looked.unseen_words), looked.num_words))
            for warning in segment.warnings:
                self._collectors.counter(table.WARNINGS).labels(self._model, warning.value).inc()
        for reason in translation.searched_again:
            self._collectors.counter(table.SEARCHED_AGAIN).labels(self._model, reason).inc()

    def _histogram(self, spec: table.MetricSpec) -> Observed:
        return Observed(self._collectors.histogram(spec).labels(self._model), spec.buckets)
