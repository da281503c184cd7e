"""The one table of every metric: its name, kind, unit, labels, buckets and meaning.

Nothing else names a metric. The dashboard, the alert rules and docs/operations.md are tested against this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["counter", "gauge", "histogram", "exemplars"]
"""`exemplars` are those of a histogram: no metric of their own."""
Merge = Literal["livesum", "livemax", "livemin"]
"""How the gauges of several replicas become one number; those of dead replicas are left out."""

FAST_SECONDS = (0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds for one call of a graph."""
SECONDS = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 0.75, 1.0),
    *(2.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)
"""Bounds for what a client or a segment waits for. One of them is the threshold of the alert AttendantLatencyHigh:
between two bounds Prometheus guesses a percentile."""
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Bounds for what lies between 0 and 1."""
NATS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0)
"""Bounds for negative log-probabilities."""
ROWS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Bounds for sizes of batches."""


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric."""

    name: str
    """Full name, with its unit and, for counters, `_total` at the end."""
    kind: Kind
    help: str
    """One sentence for operators."""
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    """Upper bounds of a histogram, ascending, without infinity; empty for other kinds."""
    merge: Merge | None = None
    """For gauges only."""

    @property
    def family(self) -> str:
        """Name of the metric family: a counter's name without `_total`."""
        return self.name.removesuffix("_total") if self.kind == "counter" else self.name

    @property
    def series(self) -> tuple[str, ...]:
        """Names of the series that a scrape of this metric returns."""
        if self.kind == "histogram":
            return (f"{self.name}_bucket", f"{self.name}_sum", f"{self.name}_count")
        return (self.name,)


def _counter(name: str, text: str, *labels: str) -> MetricSpec:
    return MetricSpec(f"attendant_{name}", "counter", text, labels)


def _gauge(name: str, merge: Merge, text: str, *labels: str) -> MetricSpec:
    return MetricSpec(f"attendant_{name}", "gauge", text, labels, merge=merge)


def _histogram(name: str, buckets: tuple[float, ...], text: str, *labels: str) -> MetricSpec:
    return MetricSpec(f"attendant_{name}", "histogram", text, labels, buckets)


# ---- requests: what clients see -------------------------------------------------------------------------------------

REQUESTS = _counter(
    "requests_total",
    "Requests answered or given up, by what became of them: code is ok or the slug of the error.",
    *("route", "model", "code"),
)
REQUEST_SECONDS = _histogram(
    "request_seconds",
    SECONDS,
    "Time from a request's arrival in the replica to its answer; outcome is ok or error.",
    *("route", "model", "outcome"),
)
REQUEST_EXEMPLARS = MetricSpec(
    f"{REQUEST_SECONDS.name}_exemplars",
    "exemplars",
    "A traced request in each bucket of the histogram.",
    REQUEST_SECONDS.labels,
    SECONDS,
)
EXEMPLARS = {REQUEST_SECONDS.name: REQUEST_EXEMPLARS}
"""By the name of the histogram that shows them."""
KEY_REQUESTS = _counter(
    "key_requests_total", "Requests of each API key that was known, by what became of them.", *("key", "code")
)
REQUESTS_IN_FLIGHT = _gauge("requests_in_flight", "livesum", "Requests being answered now.")
TEXTS = _counter("texts_total", "Texts translated and answered.", "model")
SOURCE_CHARACTERS = _counter("source_characters_total", "Code points of the texts translated and answered.", "model")

# ---- signals: how well it translates ---------------------------------------------------------------------------------

CONFIDENCE = _histogram(
    "segment_confidence_ratio", SHARES, "Confidence of translated segments; only of models with calibration.", "model"
)
LOG_PROB = _histogram(
    "segment_mean_surprise_nats", NATS, "Mean negative log-probability of a segment's target tokens.", "model"
)
LOWEST_LOG_PROB = _histogram(
    "segment_largest_surprise_nats", NATS, "Negative log-probability of a segment's least likely token.", "model"
)
REPETITION = _histogram(
    "segment_repetition_ratio",
    SHARES,
    "Share of the pairs of neighbouring target tokens of a segment that came before in it.",
    "model",
)
LOST_COPIES = _counter(
    "lost_copies_total", "Protected stretches that the model lost, put back where attention says.", "model"
)
ENTROPY = _histogram(
    "attention_entropy_ratio",
    SHARES,
    "Normalised entropy of attention, 0 one place, 1 uniform; of segments whose attention or signals were asked for.",
    "model",
)
UNSEEN = _counter(
    "unseen_source_words_total",
    "Source words with next to no attention, of segments whose attention or signals were asked for.",
    "model",
)
SEEN = _counter("inspected_source_words_total", "Source words of those segments.", "model")
UNKNOWN = _counter(
    "unknown_source_words_total",
    "Source words that the model's training text never had, and that are not copied.",
    "model",
)
LOOKED_UP = _counter("looked_up_source_words_total", "Source words of models that know their words.", "model")
WARNINGS = _counter("warnings_total", "Segments with a warning, by its slug.", "model", "warning")
SEARCHED_AGAIN = _counter(
    "searched_again_total",
    "Segments searched a second time, by why: loop, copies, numbers, names, spelling, facts or formality.",
    "model",
    "reason",
)

CANARY_WITHDRAWN = _counter(
    "canary_withdrawn_total",
    "Canaries that a machine withdrew, because they fell behind in errors, confidence or latency.",
    *("model", "reason"),
)

SHADOW_REQUESTS = _counter(
    "shadow_requests_total",
    "Answered requests that a shadow translated too: same or different text, failed, or skipped for want of room.",
    *("model", "shadow", "outcome"),
)
SHADOW_CHRF = _histogram(
    "shadow_chrf_ratio", SHARES, "How near a shadow's texts are to the answer's: chrF, 0 to 1.", "model", "shadow"
)
SHADOW_SECONDS = _counter(
    "shadow_seconds_total",
    "Time that translation took; side is answer or shadow, of requests that both translated.",
    *("model", "shadow", "side"),
)
SHADOW_CONFIDENCE = _counter(
    "shadow_confidence_total", "Confidence of their segments, summed up.", "model", "shadow", "side"
)
SHADOW_SEGMENTS = _counter("shadow_segments_total", "Their segments with a confidence.", "model", "shadow", "side")
SHADOW_ENTROPY = _counter(
    "shadow_attention_entropy_total", "Normalised entropy of their segments, summed up.", "model", "shadow", "side"
)
SHADOW_INSPECTED = _counter(
    "shadow_inspected_segments_total", "Their segments with an entropy.", "model", "shadow", "side"
)

# ---- segments: what the engine delivers -----------------------------------------------------------------------------

SEGMENTS = _counter("segments_total", "Segments translated, by why their best hypothesis ended.", "model", "reason")
SEGMENTS_DROPPED = _counter("segments_dropped_total", "Segments ended by an error, by its slug.", "model", "code")
SOURCE_TOKENS = _counter("source_tokens_total", "Source tokens of translated segments, end tokens included.", "model")
TARGET_TOKENS = _counter("target_tokens_total", "Target tokens of translated segments, end tokens included.", "model")
QUEUE_SECONDS = _histogram("queue_seconds", SECONDS, "Time that a segment waited before it was encoded.", "model")
DECODE_SECONDS = _histogram("decode_seconds", SECONDS, "Time of a segment from its first step to its last.", "model")
TOTAL_SECONDS = _histogram(
    "segment_seconds", SECONDS, "Total time of a segment in the engine: queue, encode and decode.", "model"
)

# ---- the engine: how it works ---------------------------------------------------------------------------------------

ENCODE_SECONDS = _histogram("encode_seconds", FAST_SECONDS, "Time of one call of the encoder.", "model")
ENCODE_SEGMENTS = _histogram("encode_segments", ROWS, "Segments in one call of the encoder.", "model")
STEP_SECONDS = _histogram("step_seconds", FAST_SECONDS, "Time of one step, or the mean of steps in one go.", "model")
STEP_ROWS = _histogram("step_rows", ROWS, "Live rows in one step of the engine: its batch size.", "model")
COLUMNS = _counter(
    "computed_tokens_total",
    "Source columns computed over, summed over calls; phase is encode or step, content is token or padding.",
    *("model", "phase", "content"),
)
QUEUE_DEPTH = _gauge("queue_depth_segments", "livesum", "Segments waiting to be encoded.", "model")
RUNNING_ROWS = _gauge("running_rows", "livesum", "Live rows in the batches of all replicas.", "model")
ENGINE_STALLED = _gauge(
    "engine_stalled_seconds",
    "livemax",
    "Seconds since the slowest replica's engine last turned while it had work, as of its last health check.",
    "model",
)

PREDICTED_WAIT = _gauge(
    "predicted_wait_seconds",
    "livemax",
    "Seconds that a request of one segment would wait for others in the slowest replica, as of its last health check.",
    "model",
)

# ---- the process: what runs -----------------------------------------------------------------------------------------

REPLICAS = _gauge("replicas", "livesum", "Replica processes alive.")
REPLICAS_READY = _gauge("replicas_ready", "livesum", "Replicas that have loaded and warmed up every model.")
WANTED_REPLICAS = _gauge(
    "wanted_replicas",
    "livesum",
    "Replicas that the load calls for, before the autoscaler's bounds and delays; missing where their number is fixed.",
)
BOUND_REPLICAS = _gauge(
    "bound_replicas", "livemax", "Fewest and most replicas; missing where their number is fixed.", "bound"
)
REPLICA_STARTS = _counter("replica_starts_total", "Replica processes started, whether or not they became ready.")
NEWEST_START = _gauge("newest_replica_start_time_seconds", "livemax", "Unix time at which the newest replica started.")
BUILD_INFO = _gauge("build_info", "livemax", "Always 1; the labels say what runs.", "version", "python")
MODEL_INFO = _gauge(
    "model_info",
    "livemax",
    "Always 1, or 0 once the model is served no more; the labels describe it.",
    *("model", "name", "version", "architecture", "source", "target", "precision", "runtime"),
)
MODEL_REPLICAS = _gauge("model_replicas", "livesum", "Replicas that serve the model.", "model")
UNUSABLE_FILE = _gauge(
    "unusable_file_processes",
    "livesum",
    "Processes that cannot use what is in the file (models, keys or certificate), and go on with what was of use.",
    "file",
)

TABLE: tuple[MetricSpec, ...] = (
    *(REQUESTS, REQUEST_SECONDS, KEY_REQUESTS, REQUESTS_IN_FLIGHT, TEXTS, SOURCE_CHARACTERS),
    *(CONFIDENCE, LOG_PROB, LOWEST_LOG_PROB, REPETITION, LOST_COPIES, ENTROPY, UNSEEN, SEEN, UNKNOWN, LOOKED_UP),
    *(WARNINGS, SEARCHED_AGAIN),
    *(CANARY_WITHDRAWN, SHADOW_REQUESTS, SHADOW_CHRF, SHADOW_SECONDS),
    *(SHADOW_CONFIDENCE, SHADOW_SEGMENTS, SHADOW_ENTROPY, SHADOW_INSPECTED),
    *(SEGMENTS, SEGMENTS_DROPPED, SOURCE_TOKENS, TARGET_TOKENS, QUEUE_SECONDS, DECODE_SECONDS, TOTAL_SECONDS),
    *(ENCODE_SECONDS, ENCODE_SEGMENTS, STEP_SECONDS, STEP_ROWS, COLUMNS, QUEUE_DEPTH, RUNNING_ROWS, ENGINE_STALLED),
    PREDICTED_WAIT,
    *(REPLICAS, REPLICAS_READY, WANTED_REPLICAS, BOUND_REPLICAS, REPLICA_STARTS),
    *(NEWEST_START, BUILD_INFO, MODEL_INFO, MODEL_REPLICAS),
    UNUSABLE_FILE,
)
