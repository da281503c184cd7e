"""The body of GET /metrics: the series of this process, or their sum over all replicas of the node, dead ones too."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

from service.observability.process import is_alive
from service.observability.series import (
    EXEMPLAR_NUMBERS,
    HEADER_BYTES,
    MAGIC,
    NUMBER_BYTES,
    SUFFIX,
    SeriesTable,
    num_numbers,
)
from service.observability.table import EXEMPLARS, TABLE, MetricSpec

Key = tuple[str, tuple[str, ...]]
"""A metric's name and the label values."""
Numbers = dict[Key, list[np.ndarray]]
"""Of each series what the processes that have it counted."""

IDENTITY = re.compile(r"[0-9]+-[0-9]+")
"""Of the process that a file is named after."""
_SPECS = {spec.name: spec for spec in (*TABLE, *EXEMPLARS.values())}


def exposed(table: SeriesTable, accept: str = "") -> tuple[bytes, str]:
    """Body and content type of GET /metrics, in the format that the header `accept` asks for: OpenMetrics, which has
    exemplars, or Prometheus' own."""
    return exposed_node(table.directory, accept) if table.directory else _written(_of_process(table), accept)


def exposed_node(directory: Path, accept: str = "") -> tuple[bytes, str]:
    """The same for all processes that count in that folder."""
    return _written(_of_node(directory), accept)


def _written(numbers: Numbers, accept: str) -> tuple[bytes, str]:
    registry = CollectorRegistry()
    registry.register(_Shown(numbers))
    encode, media_type = choose_encoder(accept)
    return encode(registry), media_type


def node_totals(directory: Path) -> dict[str, float]:
    """Of each counter and gauge the sum over its series (the greatest, where the table says so), for a machine."""
    numbers = _of_node(directory)
    totals = {}
    for spec in TABLE:
        if spec.kind != "histogram":
            found = [one for (name, _), counted in numbers.items() if name == spec.name for one in counted]
            totals[spec.name] = _merged(spec, [float(one[0]) for one in found])
    return totals


def node_series(directory: Path, spec: MetricSpec) -> dict[tuple[str, ...], float]:
    """Of each series of a counter or gauge, by its label values, the number for a machine."""
    found = {labels: counted for (name, labels), counted in _of_node(directory).items() if name == spec.name}
    return {labels: _merged(spec, [float(one[0]) for one in counted]) for labels, counted in found.items()}


class _Shown(Collector):
    """The numbers as metrics, for prometheus_client to write down."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def collect(self) -> Iterable[Metric]:
        """A family for each metric, also for one that has no series yet."""
        by_name: dict[str, dict[tuple[str, ...], list[np.ndarray]]] = {name: {} for name in _SPECS}
        for (name, labels), counted in self._numbers.items():
            by_name[name][labels] = counted
        for spec in TABLE:
            exemplars = by_name[EXEMPLARS[spec.name].name] if spec.name in EXEMPLARS else {}
            yield _family(spec, by_name[spec.name], exemplars)


def _of_process(table: SeriesTable) -> Numbers:
    return {(one.spec.name, one.labels): [one.numbers] for one in table.all()}


def _of_node(directory: Path) -> Numbers:
    """What all processes have counted; gauges of those that run only: a dead replica has no queue."""
    numbers: Numbers = {}
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        if not IDENTITY.fullmatch(path.stem):
            continue
        runs = is_alive(path.stem)
        for key, counted in read_series(path):
            if runs or _SPECS[key[0]].kind != "gauge":
                numbers.setdefault(key, []).append(counted)
            else:
                numbers.setdefault(key, [])
    return numbers


def read_series(path: Path) -> Iterator[tuple[Key, np.ndarray]]:
    """The series in a file, as far as it is written. Those of another release that the table does not know are left
    out."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return
            while size := int.from_bytes(file.read(4), "little"):
                key_size = int.from_bytes(file.read(4), "little")
                rest = file.read(size - HEADER_BYTES)
                name, *labels = json.loads(rest[:key_size])
                spec = _SPECS.get(name)
                count = (len(rest) - key_size) // NUMBER_BYTES
                if spec is not None and count == num_numbers(spec) and len(labels) == len(spec.labels):
                    yield (name, tuple(labels)), np.frombuffer(rest, np.float64, count, key_size)
    except FileNotFoundError:  # deleted since
        return


def _family(
    spec: MetricSpec,
    found: dict[tuple[str, ...], list[np.ndarray]],
    exemplars: Mapping[tuple[str, ...], list[np.ndarray]],
) -> Metric:
    """The metric with all its series, merged as the table says; a histogram with its `exemplars`."""
    family: CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily
    if spec.kind == "histogram":
        family = HistogramMetricFamily(spec.family, spec.help, labels=spec.labels)
        for labels, counted in found.items():
            total, *counts = np.sum(counted, axis=0)
            bounds = [floatToGoString(bound) for bound in (*spec.buckets, math.inf)]  # type: ignore[no-untyped-call]
            shown = _newest(exemplars.get(labels, ()), len(bounds))
            buckets = zip(bounds, np.cumsum(counts).tolist(), shown, strict=True)
            family.add_metric(
                labels, [(bound, n, one) if one else (bound, n) for bound, n, one in buckets], float(total)
            )
        return family
    family = (CounterMetricFamily if spec.kind == "counter" else GaugeMetricFamily)(
        spec.family, spec.help, labels=spec.labels
    )
    for labels, counted in found.items():
        family.add_metric(labels, _merged(spec, [float(numbers[0]) for numbers in counted]))
    return family


def _newest(exemplars: Sequence[np.ndarray], num_buckets: int) -> list[Exemplar | None]:
    """Of each bucket the newest exemplar that any process has."""
    newest: list[Exemplar | None] = [None] * num_buckets
    for numbers in exemplars:
        for i, one in enumerate(numbers.reshape(num_buckets, EXEMPLAR_NUMBERS)):
            value, at = one[:2].tolist()
            before = newest[i]
            if at and (before is None or at > (before.timestamp or 0.0)):
                high, low = one[2:].view(np.uint64).tolist()
                newest[i] = Exemplar({"trace_id": f"{high:016x}{low:016x}"}, value, at)
    return newest


def _merged(spec: MetricSpec, values: Sequence[float]) -> float:
    """One number of those of several processes; 0 of none."""
    if not values:
        return 0.0
    if spec.merge == "livemax":
        return max(values)
    return min(values) if spec.merge == "livemin" else sum(values)
