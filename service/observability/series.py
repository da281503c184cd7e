"""The series of this process: numbers in a table that is laid out from `table.TABLE`.

With PROMETHEUS_MULTIPROC_DIR set, the table is a memory-mapped file of that directory, named after the process. It
outlives the process, so that the counts of a killed replica are kept, and any process of the node can read it
(`exposition`). Without the variable the numbers are in memory.

A file begins with MAGIC. A series follows: its size in bytes, uint32, which is written last; the size of its key,
uint32; the key, JSON of the metric's name and the label values, with spaces up to 8 bytes; and its numbers, float64:
one, or of a histogram the sum and a count for each bucket, the last one without a bound, or of exemplars four for each
bucket: value, seconds since 1970, and the two halves of the trace id, uint64. A size of 0 ends the file.
"""

from __future__ import annotations

import functools
import json
import logging
import mmap
import os
import weakref
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from service.observability.process import identity
from service.observability.table import MetricSpec

DIRECTORY_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
MAGIC = b"ATTMET1\n"
SUFFIX = ".series"
FILE_BYTES = 1 << 24
"""Of a file, most of which is never written and takes no room on the disk."""
ROOM_BYTES = 1 << 16
"""Room on the disk is taken in such steps."""
HEADER_BYTES, NUMBER_BYTES = 8, 8
EXEMPLAR_NUMBERS = 4
"""Of each bucket."""

Record = Callable[..., None]
"""Counts an event: a value for each of its series, in their order; the second argument says how many `times`.

Counters and gauges get their value added; a histogram observes its value as many times.
"""

_log = logging.getLogger("attendant.metrics")


def shared_directory() -> Path | None:
    """Where replicas share their numbers, or None when each is alone."""
    value = os.environ.get(DIRECTORY_VARIABLE)
    return Path(value) if value else None


class Series:
    """One metric with one set of label values."""

    __slots__ = ("labels", "numbers", "spec")

    def __init__(self, spec: MetricSpec, labels: tuple[str, ...], numbers: np.ndarray) -> None:
        self.spec, self.labels, self.numbers = spec, labels, numbers

    def add(self, value: float = 1.0) -> None:
        """Add to a counter or gauge."""
        self.numbers[0] += value

    def set(self, value: float) -> None:
        """Set a gauge."""
        self.numbers[0] = value

    def observe(self, value: float, times: float = 1.0) -> None:
        """Count a value of a histogram."""
        self.numbers[0] += value * times
        self.numbers[1 + bisect_left(self.spec.buckets, value)] += times

    def exemplify(self, value: float, at: float, trace_id: int) -> None:
        """Let a request with this value, at these seconds since 1970, be the exemplar of its bucket."""
        start = EXEMPLAR_NUMBERS * bisect_left(self.spec.buckets, value)
        bucket = self.numbers[start : start + EXEMPLAR_NUMBERS]
        bucket[1] = 0.0  # none, for who reads meanwhile
        bucket[2:].view(np.uint64)[:] = divmod(trace_id, 1 << 64)
        bucket[0], bucket[1] = value, at


def num_numbers(spec: MetricSpec) -> int:
    """Numbers of each series of a metric."""
    if spec.kind == "exemplars":
        return EXEMPLAR_NUMBERS * (1 + len(spec.buckets))
    return 2 + len(spec.buckets) if spec.kind == "histogram" else 1


class SeriesTable:
    """Every series of this process."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory
        self._series: dict[tuple[str, tuple[str, ...]], Series] = {}
        self._records: weakref.WeakSet[CompiledRecord] = weakref.WeakSet()
        self._open()
        _TABLES.add(self)

    @property
    def is_shared(self) -> bool:
        """Whether the numbers lie in a file."""
        return self._memory is not None

    def series(self, spec: MetricSpec, *labels: str) -> Series:
        """The series with these label values, which is made when it is first asked for."""
        key = (spec.name, labels)
        if key not in self._series:
            self._series[key] = Series(spec, labels, self._numbers(spec, labels))
        return self._series[key]

    def all(self) -> list[Series]:
        """Every series that there is."""
        return list(self._series.values())

    def recording(self, *series: Series) -> Record:
        """A recorder of events that count these series."""
        if not self.is_shared:
            return InMemoryRecord(series)
        record = CompiledRecord(series)
        self._records.add(record)
        return record

    def begin_again(self) -> None:
        """Count from 0 in a file of its own: for a process that was forked."""
        self._open()
        for series in self._series.values():
            series.numbers = self._numbers(series.spec, series.labels)
        for record in self._records:
            record.find()

    def _open(self) -> None:
        self._memory: mmap.mmap | None = None
        self._end = len(MAGIC)
        if self.directory is None:
            return
        self._path, self._room = self.directory / f"{identity(os.getpid())}{SUFFIX}", 0
        with self._path.open("w+b") as file:  # of an earlier boot, if there is one
            os.ftruncate(file.fileno(), FILE_BYTES)
            memory = mmap.mmap(file.fileno(), FILE_BYTES)
        if self._has_room(len(MAGIC) + HEADER_BYTES):
            self._memory = memory
            self._memory[: len(MAGIC)] = MAGIC
        else:
            _log.error("no room on the disk for %s: what this process counts is not shown", self._path)
            self._path.unlink()

    def _has_room(self, end: int) -> bool:
        """Whether all before `end` has room on the disk: a write to a page that finds none would end the process."""
        if self._room < end <= FILE_BYTES:
            room = min(FILE_BYTES, -(-end // ROOM_BYTES) * ROOM_BYTES)
            try:
                with self._path.open("r+b") as file:
                    os.posix_fallocate(file.fileno(), 0, room)
            except OSError:  # the disk is full, or the server's folder is gone
                return False
            self._room = room
        return end <= self._room

    def _numbers(self, spec: MetricSpec, labels: tuple[str, ...]) -> np.ndarray:
        """Zeros in the table."""
        count = num_numbers(spec)
        if self._memory is None:
            return np.zeros(count)
        key = json.dumps([spec.name, *labels]).encode()
        key += b" " * (-len(key) % NUMBER_BYTES)
        size = HEADER_BYTES + len(key) + NUMBER_BYTES * count
        start = self._end
        if not self._has_room(start + size + HEADER_BYTES):
            _log.error("the table of metrics, or its disk, is full; %s is counted for this process alone", spec.name)
            return np.zeros(count)
        self._memory[start + 4 : start + 8] = len(key).to_bytes(4, "little")
        self._memory[start + HEADER_BYTES : start + HEADER_BYTES + len(key)] = key
        self._memory[start : start + 4] = size.to_bytes(4, "little")
        self._end = start + size
        return np.frombuffer(self._memory, np.float64, count, start + HEADER_BYTES + len(key))


class InMemoryRecord:
    """Counts in Python."""

    def __init__(self, series: Sequence[Series]) -> None:
        self._series = series

    def __call__(self, values: Sequence[float], times: int = 1) -> None:
        for one, value in zip(self._series, values, strict=True):
            if one.spec.kind == "histogram":
                one.observe(value, times)
            else:
                one.add(value)


class CompiledRecord:
    """Counts by one compiled call. It holds the GIL meanwhile, so that threads do not count at once."""

    def __init__(self, series: Sequence[Series]) -> None:
        from service.observability.cells import count  # Numba, which only who translates has a use for

        self._series, self._count = series, count
        buckets = [one.spec.buckets for one in series]
        most = 1 + max(map(len, buckets))
        self._bounds = np.array([[*each, *[np.inf] * (most - len(each))] for each in buckets])
        self.find()
        self([0.0] * len(series), 0)  # compiles it where nobody has

    def __call__(self, values: Sequence[float], times: int = 1) -> None:
        self._count(self._cells, self._bounds, np.array(values, np.float64), float(times))

    def find(self) -> None:
        """Find where the numbers lie."""
        self._cells = np.zeros((len(self._series), 1 + self._bounds.shape[1]), np.int64)
        for row, one in zip(self._cells, self._series, strict=True):
            count = len(one.numbers)
            row[:count] = one.numbers.ctypes.data + NUMBER_BYTES * np.arange(count)


@functools.cache
def series_in(directory: Path) -> SeriesTable:
    """The table of this process in a directory, for all who count there."""
    return SeriesTable(directory)


_TABLES: weakref.WeakSet[SeriesTable] = weakref.WeakSet()


def _forked() -> None:
    for table in _TABLES:
        table.begin_again()


os.register_at_fork(after_in_child=_forked)
