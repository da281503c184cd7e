"""What the answers of one model tell of their worth: confidence, log-probabilities, attention, warnings."""

from __future__ import annotations

from service.exchanged import Translation, TranslationResult
from service.observability import table
from service.observability.series import SeriesTable


class SignalMetrics:
    """Counts the signals of one model's segments."""

    def __init__(self, series: SeriesTable, model: str) -> None:
        self._series, self._model = series, model
        self._lost_copies = series.series(table.LOST_COPIES, model)
        self._log_probs, self._confidence, self._looked, self._words = (
            series.recording(*(series.series(spec, model) for spec in specs))
            for specs in (
                (table.LOG_PROB, table.LOWEST_LOG_PROB, table.REPETITION),
                (table.CONFIDENCE,),
                (table.ENTROPY, table.UNSEEN, table.SEEN),
                (table.UNKNOWN, table.LOOKED_UP),
            )
        )

    def answered(self, result: TranslationResult) -> None:
        """One request has been answered."""
        for translation in result.translations:
            self._count(translation)

    def _count(self, translation: Translation) -> None:
        for segment in translation.segments:
            found, looked = segment.signals, segment.attention_signals
            self._log_probs((-found.mean_log_prob, -found.lowest_log_prob, found.repetition))
            if found.num_lost_copies:
                self._lost_copies.add(found.num_lost_copies)
            if found.confidence is not None:
                self._confidence((found.confidence,))
            if looked is not None:
                self._looked((looked.entropy, len(looked.unseen_words), looked.num_words))
            if found.num_words:
                self._words((len(found.unknown_words), found.num_words))
            for warning in dict.fromkeys((*segment.warnings, *segment.doubts)):
                self._series.series(table.WARNINGS, self._model, warning.value).add()
        for reason in translation.searched_again:
            self._series.series(table.SEARCHED_AGAIN, self._model, reason).add()
