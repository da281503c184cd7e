"""What one engine reports: encoder calls, steps, segments and depths."""

from __future__ import annotations

from prometheus_client import Gauge

from service.messages import FinishReason, Timings
from service.observability import table
from service.observability.collectors import Collectors
from service.observability.labels import known_code
from service.observability.recorders import Observe, Record, adding, observing


class EngineMetrics:
    """Counts for one engine; what `service.engine.observer.EngineObserver` asks for. Called from its thread."""

    def __init__(self, collectors: Collectors, model: str) -> None:
        self._collectors = collectors
        self._model = model
        self._depths = (-1, -1)
        self._queue_depth = self._gauge(table.QUEUE_DEPTH)
        self._running_rows = self._gauge(table.RUNNING_ROWS)
        self._encode_seconds = self._histogram(table.ENCODE_SECONDS)
        self._encode_segments = self._histogram(table.ENCODE_SEGMENTS)
        self._step_seconds = self._histogram(table.STEP_SECONDS)
        self._step_rows = self._histogram(table.STEP_ROWS)
        self._queue_seconds = self._histogram(table.QUEUE_SECONDS)
        self._decode_seconds = self._histogram(table.DECODE_SECONDS)
        self._total_seconds = self._histogram(table.TOTAL_SECONDS)
        self._source_tokens = adding(collectors.counter(table.SOURCE_TOKENS).labels(model))
        self._target_tokens = adding(collectors.counter(table.TARGET_TOKENS).labels(model))
        self._reasons = {reason: self._finished(reason) for reason in FinishReason}
        self._encode_columns = self._columns("encode")
        self._step_columns = self._columns("step")
        self.depth(0, 0)

    def encoded(self, num_segments: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """One call of the encoder over `num_padded_tokens` columns, `num_tokens` of them real."""
        self._encode_segments(num_segments)
        self._encode_seconds(seconds)
        _add_columns(self._encode_columns, num_tokens, num_padded_tokens)

    def stepped(self, num_steps: int, num_rows: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """Steps over `num_rows` rows with `num_padded_tokens` source columns, `num_tokens` of them real."""
        self._step_rows(num_rows, num_steps)
        self._step_seconds(seconds, num_steps)
        _add_columns(self._step_columns, num_tokens * num_steps, num_padded_tokens * num_steps)

    def finished(self, reason: FinishReason, timings: Timings, num_source_tokens: int, num_target_tokens: int) -> None:
        """One segment delivered."""
        self._reasons[reason](1.0)
        self._source_tokens(num_source_tokens)
        self._target_tokens(num_target_tokens)
        self._queue_seconds(timings.queue_s)
        self._decode_seconds(timings.decode_s)
        self._total_seconds(timings.queue_s + timings.encode_s + timings.decode_s)

    def dropped(self, code: str) -> None:
        """One segment ended by the error of that slug."""
        self._collectors.counter(table.SEGMENTS_DROPPED).labels(self._model, known_code(code)).inc()

    def depth(self, queued_segments: int, running_rows: int) -> None:
        """How much waits and runs now."""
        if (queued_segments, running_rows) == self._depths:
            return
        self._depths = (queued_segments, running_rows)
        self._queue_depth.set(queued_segments)
        self._running_rows.set(running_rows)

    def _gauge(self, spec: table.MetricSpec) -> Gauge:
        return self._collectors.gauge(spec).labels(self._model)

    def _histogram(self, spec: table.MetricSpec) -> Observe:
        return observing(self._collectors.histogram(spec).labels(self._model), spec.buckets)

    def _finished(self, reason: FinishReason) -> Record:
        return adding(self._collectors.counter(table.SEGMENTS).labels(self._model, reason.value))

    def _columns(self, phase: str) -> tuple[Record, Record]:
        columns = self._collectors.counter(table.COLUMNS)
        tokens, padding = (columns.labels(self._model, phase, content) for content in ("token", "padding"))
        return adding(tokens), adding(padding)


def _add_columns(columns: tuple[Record, Record], num_tokens: int, num_padded_tokens: int) -> None:
    tokens, padding = columns
    tokens(num_tokens)
    if num_padded_tokens > num_tokens:
        padding(num_padded_tokens - num_tokens)
