"""Fast counting: one call counts all metrics of an event, straight in the memory where prometheus_client keeps them.

The library's own methods take a lock, check for a fork and look the value up for every count; a request has some thirty
counts. Values still go to the files at once, so the counts of a killed replica are kept.
"""

from __future__ import annotations

import os
import weakref
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from prometheus_client import Counter, Gauge, Histogram


class Record(Protocol):
    """Counts an event: a value for each of its metrics, in their order.

    Counters and gauges get their value added; a histogram observes its value as many `times`.
    """

    def __call__(self, values: Sequence[float], times: int = 1) -> None: ...


@dataclass(frozen=True, slots=True)
class Observed:
    """A histogram, and its finite bounds in ascending order."""

    child: Histogram
    bounds: tuple[float, ...]


Metric = Counter | Gauge | Observed
"""A metric that an event counts. No other code may count it."""


def recording(*metrics: Metric) -> Record:
    """A recorder of events that count these metrics. Values of counters must not be negative."""
    try:
        return _InFiles(metrics)
    except AttributeError:  # values are in no file, or prometheus_client has changed
        return _ByLibrary(metrics)


class _ByLibrary:
    """Counts by prometheus_client's own values."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = [(_values(metric), metric.bounds if isinstance(metric, Observed) else ()) for metric in metrics]

    def __call__(self, values: Sequence[float], times: int = 1) -> None:
        for ((first, *buckets), bounds), value in zip(self._metrics, values, strict=True):
            if buckets:
                first.inc(value * times)
                buckets[bisect_left(bounds, value)].inc(float(times))
            else:
                first.inc(value)


class _InFiles:
    """Counts in the memory-mapped files of PROMETHEUS_MULTIPROC_DIR, by one compiled call.

    Holds the interpreter's lock meanwhile, so that threads do not count at once. Raises AttributeError when there are
    no such files.
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._values = [_values(metric) for metric in metrics]
        bounds = [metric.bounds if isinstance(metric, Observed) else () for metric in metrics]
        num_buckets = 1 + max(map(len, bounds))
        self._bounds = np.array([[*each, *[np.inf] * (num_buckets - len(each))] for each in bounds])
        self._find()
        from service.observability.cells import count  # Numba, which only who translates has a use for

        self._count = count
        self([0.0] * len(metrics), 0)  # compiles it where nobody has
        _RECORDS.add(self)

    def __call__(self, values: Sequence[float], times: int = 1) -> None:
        if self.is_forked:
            self._find()
        self._count(self._cells, self._bounds, np.array(values, np.float64), float(times))

    def _find(self) -> None:
        """Find where the values of this process lie."""
        self.is_forked = False
        self._cells = np.zeros((len(self._values), 1 + self._bounds.shape[1]), np.int64)
        self._mapped: set[Any] = set()
        """Keeps mapped what a file that has grown is mapped to a second time."""
        for row, values in zip(self._cells, self._values, strict=True):
            for column, value in enumerate(values):
                value.get()  # makes the files of a process that was forked
                mapped, position = value._file._m, value._file._positions[value._key]
                row[column] = np.frombuffer(mapped, np.uint8, 1, position).ctypes.data
                self._mapped.add(mapped)


_RECORDS: weakref.WeakSet[_InFiles] = weakref.WeakSet()


def _forked() -> None:
    for record in _RECORDS:
        record.is_forked = True


os.register_at_fork(after_in_child=_forked)


def _values(metric: Metric) -> list[Any]:
    """prometheus_client's values: the number itself, or a histogram's sum and its buckets."""
    if not isinstance(metric, Observed):
        return [metric._value]
    assert len(metric.child._buckets) == len(metric.bounds) + 1
    return [metric.child._sum, *metric.child._buckets]
