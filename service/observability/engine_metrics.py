"""What one engine reports: encoder calls, steps, segments and depths."""

from __future__ import annotations

from service.messages import FinishReason, Timings
from service.observability import table
from service.observability.labels import known_code
from service.observability.series import Record, Series, SeriesTable


class EngineMetrics:
    """Counts for one engine; what `service.engine.observer.EngineObserver` asks for. Called from its thread."""

    def __init__(self, series: SeriesTable, model: str) -> None:
        self._series = series
        self._model = model
        depths = [series.series(spec, model) for spec in (table.QUEUE_DEPTH, table.RUNNING_ROWS)]
        for gauge in depths:
            gauge.set(0)
        self._depths = (0, 0)
        self._deepened = series.recording(*depths)
        self._encoded = series.recording(
            self._of_model(table.ENCODE_SEGMENTS), self._of_model(table.ENCODE_SECONDS), *self._columns("encode")
        )
        self._stepped = series.recording(
            self._of_model(table.STEP_ROWS), self._of_model(table.STEP_SECONDS), *self._columns("step")
        )
        self._finished = {reason: self._finished_by(reason) for reason in FinishReason}

    def encoded(self, num_segments: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """One call of the encoder over `num_padded_tokens` columns, `num_tokens` of them real."""
        self._encoded((num_segments, seconds, num_tokens, num_padded_tokens - num_tokens))

    def stepped(self, num_steps: int, num_rows: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """Steps over `num_rows` rows with `num_padded_tokens` source columns, `num_tokens` of them real."""
        num_padding = num_padded_tokens - num_tokens
        self._stepped((num_rows, seconds, num_tokens * num_steps, num_padding * num_steps), num_steps)

    def finished(self, reason: FinishReason, timings: Timings, num_source_tokens: int, num_target_tokens: int) -> None:
        """One segment delivered."""
        total_s = timings.queue_s + timings.encode_s + timings.decode_s
        count = self._finished[reason]
        count((1, num_source_tokens, num_target_tokens, timings.queue_s, timings.decode_s, total_s))

    def dropped(self, code: str) -> None:
        """One segment ended by the error of that slug."""
        self._series.series(table.SEGMENTS_DROPPED, self._model, known_code(code)).add()

    def depth(self, queued_segments: int, running_rows: int) -> None:
        """How much waits and runs now."""
        if (queued_segments, running_rows) == self._depths:
            return
        queued_before, running_before = self._depths
        self._depths = (queued_segments, running_rows)
        self._deepened((queued_segments - queued_before, running_rows - running_before))

    def _of_model(self, spec: table.MetricSpec) -> Series:
        return self._series.series(spec, self._model)

    def _finished_by(self, reason: FinishReason) -> Record:
        segments = self._series.series(table.SEGMENTS, self._model, reason.value)
        specs = table.SOURCE_TOKENS, table.TARGET_TOKENS, table.QUEUE_SECONDS, table.DECODE_SECONDS, table.TOTAL_SECONDS
        return self._series.recording(segments, *map(self._of_model, specs))

    def _columns(self, phase: str) -> list[Series]:
        return [self._series.series(table.COLUMNS, self._model, phase, content) for content in ("token", "padding")]
