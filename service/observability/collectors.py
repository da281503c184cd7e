"""From the table to prometheus_client's objects, in memory or in files shared with the node's other replicas.

With PROMETHEUS_MULTIPROC_DIR set, each process keeps its numbers in memory-mapped files of that directory, which
outlive it, and any process can sum them all. Without it a plain registry does. That is decided when the objects are
made, not at import.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from pathlib import Path

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.observability.process import CurrentIdentity, is_alive
from service.observability.table import TABLE, MetricSpec

DIRECTORY_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


class Collectors:
    """Every metric of the table as a prometheus_client object, made once a process."""

    def __init__(self) -> None:
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
        self.directory = shared_directory()
        if self.directory is not None:
            _keep_values_by_identity()
        self.registry = CollectorRegistry()
        self._objects = {spec: self._make(spec) for spec in TABLE}

    def counter(self, spec: MetricSpec) -> Counter:
        """The counter of that line of the table."""
        found = self._objects[spec]
        assert isinstance(found, Counter)
        return found

    def gauge(self, spec: MetricSpec) -> Gauge:
        """The gauge of that line of the table."""
        found = self._objects[spec]
        assert isinstance(found, Gauge)
        return found

    def histogram(self, spec: MetricSpec) -> Histogram:
        """The histogram of that line of the table."""
        found = self._objects[spec]
        assert isinstance(found, Histogram)
        return found

    def exposed(self) -> CollectorRegistry:
        """The registry to show: this process's own, or one that sums the node's replicas."""
        if self.directory is None:
            return self.registry
        node = CollectorRegistry()
        node.register(NodeCollector(self.directory))
        return node

    def _make(self, spec: MetricSpec) -> Counter | Gauge | Histogram:
        if spec.kind == "counter":
            return Counter(spec.name, spec.help, spec.labels, registry=self.registry)
        if spec.kind == "histogram":
            return Histogram(spec.name, spec.help, spec.labels, buckets=spec.buckets, registry=self.registry)
        assert spec.merge is not None
        return Gauge(spec.name, spec.help, spec.labels, registry=self.registry, multiprocess_mode=spec.merge)


class NodeCollector(Collector):
    """Sums what every replica of this node has counted, killed ones included."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def collect(self) -> Iterable[Metric]:
        """The table's metrics. Others that live in the directory (Ray's own processes inherit it) are left out."""
        forget_dead_gauges(self._directory)
        families = {spec.family for spec in TABLE}
        files = [str(path) for path in self._directory.glob("*.db") if _has_content(path)]
        merged: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
        return [metric for metric in merged if metric.name in families]


def forget_dead_gauges(directory: Path) -> None:
    """Delete the gauge files of processes that no longer run: a dead replica has no queue. What it counted stays."""
    for path in directory.glob("gauge_live*_*.db"):
        if not is_alive(path.stem.rpartition("_")[2]):
            path.unlink(missing_ok=True)


def shared_directory() -> Path | None:
    """Where replicas share their numbers, or None when each is alone."""
    value = os.environ.get(DIRECTORY_VARIABLE)
    return Path(value) if value else None


@functools.cache
def process_collectors() -> Collectors:
    """This process's collectors. There is one set, as two would overwrite each other's numbers."""
    return Collectors()


def _keep_values_by_identity() -> None:
    """Name the files by process identity, not by bare pid, which the system uses again (prometheus_client documents
    this assignment for servers that number their workers). It also counts when the library was imported too early."""
    values.ValueClass = values.MultiProcessValue(CurrentIdentity())  # type: ignore[no-untyped-call]


def _has_content(path: Path) -> bool:
    """False for a file that its process has created but not yet sized, or that has just been deleted."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
