"""The interface through which the rest of the server counts. Every call costs microseconds."""

from __future__ import annotations

import functools
import platform
import time
from collections.abc import Iterable
from importlib.metadata import version

from model_store.contract.manifest import Manifest
from service.exchanged import TranslationResult
from service.observability import table
from service.observability.engine_metrics import EngineMetrics
from service.observability.exposition import exposed
from service.observability.labels import OK, OTHER, WITHDRAWAL_REASONS, known_code, known_route
from service.observability.series import Record, SeriesTable, shared_directory
from service.observability.signal_metrics import SignalMetrics
from service.translation.differences import Difference, Outcome


class Metrics:
    """The numbers of this process. All instances of one process share them."""

    def __init__(self, series: SeriesTable | None = None) -> None:
        self._series = series or process_series()
        self._models: set[str] = set()
        self._requests: dict[tuple[str, str, str], Record] = {}
        self._translated: dict[str, Record] = {}
        self._keys: dict[tuple[str, str], Record] = {}
        self._signals: dict[str, SignalMetrics] = {}
        self._engines: dict[str, EngineMetrics] = {}
        self._in_flight = self._series.series(table.REQUESTS_IN_FLIGHT)
        self._started = self._series.recording(self._in_flight)
        self._ready = self._series.series(table.REPLICAS_READY)

    def replica_started(self) -> None:
        """Count this process once, before anything that may keep it from becoming ready."""
        self._series.series(table.REPLICA_STARTS).add()

    def process_started(self) -> None:
        """Say once, at a replica's start, that it lives."""
        self._series.series(table.REPLICAS).set(1)
        self._series.series(table.NEWEST_START).set(time.time())
        self._series.series(table.BUILD_INFO, version("attendant"), platform.python_version()).set(1)
        self._in_flight.set(0)
        self.file_usable("models", True)
        self._ready.set(0)

    def ready(self, is_ready: bool) -> None:
        """Say whether this replica has every model loaded and warmed up, and is not draining."""
        self._ready.set(int(is_ready))

    def model_served(self, manifest: Manifest, runtime: str) -> None:
        """Describe a model that this replica serves and what runs it (`Runtime.kind`). Its `reference` is the `model`
        label everywhere."""
        self._models.add(manifest.reference)
        self._serves(manifest, runtime, True)

    def model_gone(self, manifest: Manifest, runtime: str) -> None:
        """This replica serves that model no more."""
        self._serves(manifest, runtime, False)
        for spec in (table.ENGINE_STALLED, table.PREDICTED_WAIT):
            self._series.series(spec, manifest.reference).set(0)

    def file_usable(self, file: str, is_usable: bool) -> None:
        """Whether this replica does what the file says: `models` or `keys`."""
        self._series.series(table.UNUSABLE_FILE, file).set(int(not is_usable))

    def engine_observer(self, model: str) -> EngineMetrics:
        """The observer for the engine of that model (its `name@version`)."""
        self._models.add(model)
        if model not in self._engines:
            self._engines[model] = EngineMetrics(self._series, model)
        return self._engines[model]

    def engine_stalled(self, model: str, seconds: float) -> None:
        """Report `EngineHandle.stalled_s()`; called by the health check."""
        self._series.series(table.ENGINE_STALLED, self._known(model)).set(seconds)

    def predicted_wait(self, model: str, seconds: float) -> None:
        """Report `EngineHandle.predicted_wait_s()`; called by the health check."""
        self._series.series(table.PREDICTED_WAIT, self._known(model)).set(seconds)

    def autoscales(self, fewest: int, most: int) -> None:
        """Say once between how many replicas the autoscaler may choose."""
        for bound, number in (("fewest", fewest), ("most", most)):
            self._series.series(table.BOUND_REPLICAS, bound).set(number)

    def replicas_wanted(self, number: float) -> None:
        """How many replicas the load of this one calls for."""
        self._series.series(table.WANTED_REPLICAS).set(number)

    def request_started(self) -> None:
        """A request has arrived."""
        self._started((1,))

    def request_finished(self, route: str, model: str, code: str, seconds: float) -> None:
        """A request is answered or given up. `route` is the path's template, `code` is `ok` or an error's slug."""
        key = (known_route(route), self._known(model), known_code(code))
        if key not in self._requests:
            self._requests[key] = self._request(*key)
        self._requests[key]((-1, 1, seconds))

    def request_traced(self, route: str, model: str, code: str, seconds: float, trace_id: str) -> None:
        """The trace of a finished request is kept: it stands for its bucket in the histogram, as an exemplar."""
        labels = known_route(route), self._known(model), _outcome(code)
        series = self._series.series(table.REQUEST_EXEMPLARS, *labels)
        series.exemplify(seconds, time.time(), int(trace_id, 16))

    def key_used(self, key: str, code: str) -> None:
        """A request with this API key is answered or given up. `key` is a name of the file of keys."""
        labels = (key, known_code(code))
        if labels not in self._keys:
            self._keys[labels] = self._series.recording(self._series.series(table.KEY_REQUESTS, *labels))
        self._keys[labels]((1,))

    def translated(self, model: str, num_texts: int, num_source_characters: int) -> None:
        """A translation request has been answered."""
        model = self._known(model)
        if model not in self._translated:
            counters = (self._series.series(spec, model) for spec in (table.TEXTS, table.SOURCE_CHARACTERS))
            self._translated[model] = self._series.recording(*counters)
        self._translated[model]((num_texts, num_source_characters))

    def signalled(self, model: str, result: TranslationResult) -> None:
        """Count the quality signals of an answer's translations."""
        model = self._known(model)
        if model not in self._signals:
            self._signals[model] = SignalMetrics(self._series, model)
        self._signals[model].answered(result)

    def canaries_offered(self, models: Iterable[str]) -> None:
        """These canaries take requests. Their counts are shown from 0 on, or no increase would show the first one."""
        for model in models:
            for reason in WITHDRAWAL_REASONS:
                self._series.series(table.CANARY_WITHDRAWN, model, reason)

    def canary_withdrawn(self, model: str, reason: str) -> None:
        """The replicas of this machine stop giving requests to that canary."""
        self._series.series(table.CANARY_WITHDRAWN, model, reason).add()

    def shadowed(self, model: str, shadow: str, outcome: Outcome, difference: Difference | None) -> None:
        """A shadow translated what `model` answered, failed, or had no room; compared only when it did not."""
        self._series.series(table.SHADOW_REQUESTS, model, shadow, outcome).add()
        if difference is None:
            return
        self._series.series(table.SHADOW_CHRF, model, shadow).observe(difference.chrf)
        for i, side in enumerate(("answer", "shadow")):
            for spec, values in (
                (table.SHADOW_SECONDS, difference.seconds),
                (table.SHADOW_CONFIDENCE, difference.confidence),
                (table.SHADOW_SEGMENTS, difference.num_segments),
                (table.SHADOW_ENTROPY, difference.entropy),
                (table.SHADOW_INSPECTED, difference.num_inspected),
            ):
                self._series.series(spec, model, shadow, side).add(values[i])

    def exposition(self, accept: str = "") -> tuple[bytes, str]:
        """Body and content type of GET /metrics, summed over the replicas of this node, for that header `accept`."""
        return exposed(self._series, accept)

    def _serves(self, manifest: Manifest, runtime: str, is_served: bool) -> None:
        values = (manifest.reference, manifest.name, manifest.version, manifest.architecture)
        languages = (manifest.source, manifest.target)
        self._series.series(table.MODEL_INFO, *values, *languages, manifest.precision, runtime).set(int(is_served))
        self._series.series(table.MODEL_REPLICAS, manifest.reference).set(int(is_served))

    def _known(self, model: str) -> str:
        return model if model in self._models else OTHER

    def _request(self, route: str, model: str, code: str) -> Record:
        return self._series.recording(
            self._in_flight,
            self._series.series(table.REQUESTS, route, model, code),
            self._series.series(table.REQUEST_SECONDS, route, model, _outcome(code)),
        )


def _outcome(code: str) -> str:
    """The label `outcome` of a request that ended with this code."""
    return OK if code == OK else "error"


@functools.cache
def process_series() -> SeriesTable:
    """This process's series. There is one table, as two would write into one file."""
    return SeriesTable(shared_directory())


def exposition() -> tuple[bytes, str]:
    """Body and content type of GET /metrics, summed over the replicas of this node."""
    return Metrics().exposition()
