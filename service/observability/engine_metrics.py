"""What one engine reports: encoder calls, steps, segments and depths."""

from __future__ import annotations

from prometheus_client import Counter

from service.messages import FinishReason, Timings
from service.observability import table
from service.observability.collectors import Collectors
from service.observability.labels import known_code
from service.observability.recorders import Observed, Record, recording


class EngineMetrics:
    """Counts for one engine; what `service.engine.observer.EngineObserver` asks for. Called from its thread."""

    def __init__(self, collectors: Collectors, model: str) -> None:
        self._collectors = collectors
        self._model = model
        depths = [collectors.gauge(spec).labels(model) for spec in (table.QUEUE_DEPTH, table.RUNNING_ROWS)]
        for gauge in depths:
            gauge.set(0)
        self._depths = (0, 0)
        self._deepened = recording(*depths)
        self._encoded = recording(
            self._histogram(table.ENCODE_SEGMENTS), self._histogram(table.ENCODE_SECONDS), *self._columns("encode")
        )
        self._stepped = recording(
            self._histogram(table.STEP_ROWS), self._histogram(table.STEP_SECONDS), *self._columns("step")
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
        self._collectors.counter(table.SEGMENTS_DROPPED).labels(self._model, known_code(code)).inc()

    def depth(self, queued_segments: int, running_rows: int) -> None:
        """How much waits and runs now."""
        if (queued_segments, running_rows) == self._depths:
            return
        queued_before, running_before = self._depths
        self._depths = (queued_segments, running_rows)
        self._deepened((queued_segments - queued_before, running_rows - running_before))

    def _histogram(self, spec: table.MetricSpec) -> Observed:
        return Observed(self._collectors.histogram(spec).labels(self._model), spec.buckets)

    def _finished_by(self, reason: FinishReason) -> Record:
        segments = self._collectors.counter(table.SEGMENTS).labels(self._model, reason.value)
        tokens = (
            self._collectors.counter(spec).labels(self._model) for spec in (table.SOURCE_TOKENS, table.TARGET_TOKENS)
        )
        seconds = (self._histogram(spec) for spec in (table.QUEUE_SECONDS, table.DECODE_SECONDS, table.TOTAL_SECONDS))
        return recording(segments, *tokens, *seconds)

    def _columns(self, phase: str) -> list[Counter]:
        columns = self._collectors.counter(table.COLUMNS)
        return [columns.labels(self._model, phase, content) for content in ("token", "padding")]
