"""Counting straight into prometheus_client's files gives what its own methods give."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector

from service.observability.collectors import DIRECTORY_VARIABLE
from service.observability.process import CurrentIdentity
from service.observability.recorders import Observed, Record, _ByLibrary, _InFiles, recording

BOUNDS = (0.125, 0.5, 2.0)
SECONDS = st.integers(0, 320).map(lambda number: number / 64)
"""Whose sums are exact in any order."""
EVENTS = st.lists(
    st.tuples(st.integers(0, 9), SECONDS, st.sampled_from(BOUNDS), st.integers(1, 8)), min_size=1, max_size=20
)


class Metrics:
    """A counter, a gauge and two histograms, one of them without bounds."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.counter = Counter("events", "x", ["who"], registry=self.registry).labels("a")
        self.gauge = Gauge("depth", "x", registry=self.registry, multiprocess_mode="livesum")
        self.histogram = Histogram("seconds", "x", buckets=BOUNDS, registry=self.registry)
        self.all = (self.counter, self.gauge, Observed(self.histogram, BOUNDS), Observed(self.histogram, BOUNDS))


@contextmanager
def files_in(folder: Path) -> Iterator[Path]:
    """Values that are made meanwhile lie in files of this folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DIRECTORY_VARIABLE, str(folder))
        patch.setattr(values, "ValueClass", values.MultiProcessValue(CurrentIdentity()))
        yield folder


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    with files_in(tmp_path) as folder:
        yield folder


def exposed(directory: Path) -> str:
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(directory))
    return generate_latest(registry).decode()


def count(record: Record, events: list[tuple[int, float, float, int]]) -> None:
    for number, seconds, bound, times in events:
        record((number, 1 - number, seconds, bound), times)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(EVENTS)
def test_files_say_what_the_library_would_have_written(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[int, float, float, int]]
) -> None:
    shown = []
    for make in (_InFiles, _ByLibrary):
        with files_in(tmp_path_factory.mktemp("metrics")) as folder:
            count(make(Metrics().all), events)
            shown.append(exposed(folder))
    assert shown[0] == shown[1]


def test_this_version_of_the_library_lets_files_be_counted_in(directory: Path) -> None:
    assert isinstance(recording(*Metrics().all), _InFiles)


def test_without_files_the_library_counts() -> None:
    metrics = Metrics()
    record = recording(*metrics.all)
    assert isinstance(record, _ByLibrary)
    record((2, 1, 0.3, 0.5), 3)
    assert metrics.registry.get_sample_value("events_total", {"who": "a"}) == 2
    assert metrics.registry.get_sample_value("seconds_count") == 6


def test_a_later_record_of_the_same_metric_changes_nothing(directory: Path) -> None:
    metrics = Metrics()
    recording(metrics.counter)((3,))
    recording(metrics.gauge, metrics.counter)((1, 4))
    assert 'events_total{who="a"} 7.0' in exposed(directory)


def test_counts_reach_a_file_that_has_grown_since(directory: Path) -> None:
    metrics = Metrics()
    record = recording(*metrics.all)
    more = Counter("many", "x", ["number"], registry=metrics.registry)
    size = max(file.stat().st_size for file in directory.iterdir())
    for number in range(2000):
        more.labels(str(number)).inc()
    assert max(file.stat().st_size for file in directory.iterdir()) > size
    record((5, 1, 0.3, 0.5))
    assert 'events_total{who="a"} 5.0' in exposed(directory)


def test_a_forked_process_counts_for_itself(directory: Path) -> None:
    metrics = Metrics()
    record = recording(metrics.counter)
    record((1,))
    files = set(directory.iterdir())
    child = os.fork()
    if child == 0:
        record((10,))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    record((100,))
    assert 'events_total{who="a"} 111.0' in exposed(directory)
    assert set(directory.iterdir()) > files
