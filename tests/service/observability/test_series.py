"""The table of series: counts in a file are those in memory, survive the process, and are summed over processes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.observability import series as module
from service.observability.exposition import exposed, exposed_node, read_series
from service.observability.series import MAGIC, SUFFIX, SeriesTable
from service.observability.table import (
    QUEUE_DEPTH,
    REQUEST_EXEMPLARS,
    REQUEST_SECONDS,
    SEGMENTS,
    STEP_ROWS,
    STEP_SECONDS,
    TABLE,
    TEXTS,
)

SECONDS = st.integers(0, 320).map(lambda number: number / 64)
"""Whose sums are exact in any order."""
EVENTS = st.lists(
    st.tuples(st.integers(0, 9), SECONDS, st.sampled_from(STEP_ROWS.buckets), st.integers(1, 8)),
    min_size=1,
    max_size=20,
)
MODEL = "en-fr-tiny@1"


def count(table: SeriesTable, events: list[tuple[int, float, float, int]]) -> None:
    """A counter, a gauge and two histograms of one event."""
    specs = TEXTS, QUEUE_DEPTH, STEP_SECONDS, STEP_ROWS
    record = table.recording(*(table.series(spec, MODEL) for spec in specs))
    for number, seconds, bound, times in events:
        record((number, 1 - number, seconds, bound), times)


def shown(table: SeriesTable) -> str:
    return exposed(table)[0].decode()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(EVENTS)
def test_a_file_says_what_memory_would_have_said(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[int, float, float, int]]
) -> None:
    tables = SeriesTable(tmp_path_factory.mktemp("metrics")), SeriesTable()
    for table in tables:
        count(table, events)
    assert shown(tables[0]) == shown(tables[1])


def test_buckets_hold_what_is_not_above_their_bound() -> None:
    table = SeriesTable()
    one = table.series(STEP_ROWS, MODEL)
    for value in (1.0, 1.5, 2.0, 5000.0):
        one.observe(value)
    lines = shown(table).splitlines()
    found = {bound: f'attendant_step_rows_bucket{{le="{bound}",model="{MODEL}"}}' for bound in ("1.0", "2.0", "+Inf")}
    assert f"{found['1.0']} 1.0" in lines
    assert f"{found['2.0']} 3.0" in lines
    assert f"{found['+Inf']} 4.0" in lines
    assert f'attendant_step_rows_sum{{model="{MODEL}"}} 5004.5' in lines


def test_every_metric_of_the_table_can_be_counted_and_is_shown_with_its_help(tmp_path: Path) -> None:
    table = SeriesTable(tmp_path)
    for spec in TABLE:
        table.series(spec, *(f"{label} \n\"'\\ é" for label in spec.labels))
    text = shown(table)
    for spec in TABLE:
        assert f"# HELP {spec.name}" in text
        assert all(f"\n{name}" in text for name in spec.series)


def test_a_later_record_of_the_same_series_changes_nothing(tmp_path: Path) -> None:
    table = SeriesTable(tmp_path)
    texts = table.series(TEXTS, MODEL)
    table.recording(texts)((3,))
    table.recording(table.series(QUEUE_DEPTH, MODEL), table.series(TEXTS, MODEL))((1, 4))
    assert texts is table.series(TEXTS, MODEL)
    assert texts.numbers[0] == 7


def test_a_forked_process_counts_for_itself(tmp_path: Path) -> None:
    table = SeriesTable(tmp_path)
    record = table.recording(table.series(TEXTS, MODEL))
    record((1,))
    child = os.fork()
    if child == 0:
        record((10,))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    record((100,))
    assert table.series(TEXTS, MODEL).numbers[0] == 101
    assert f'attendant_texts_total{{model="{MODEL}"}} 111.0' in shown(table)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_that_is_empty_foreign_cut_or_of_another_release_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    table = SeriesTable(tmp_path)
    table.series(TEXTS, MODEL).add(5)
    table.series(SEGMENTS, MODEL, "eos").add(2)
    (whole,) = tmp_path.iterdir()
    content = whole.read_bytes()
    other = tmp_path / f"1-1{SUFFIX}"
    for written in (
        b"",
        b"SQLite format 3\0",
        MAGIC,
        content.replace(b"attendant_texts_total", b"attendant_xexts_total"),
    ):
        other.write_bytes(written)
        expected = 2.0 if b"xexts" not in written else 4.0
        assert f'attendant_segments_total{{model="{MODEL}",reason="eos"}} {expected}' in shown(table)
        assert f'attendant_texts_total{{model="{MODEL}"}} 5.0' in shown(table)
    (tmp_path / f"foreign{SUFFIX}").write_bytes(content)
    assert f'attendant_texts_total{{model="{MODEL}"}} 5.0' in shown(table)
    assert dict(read_series(other)).keys() == {(SEGMENTS.name, (MODEL, "eos"))}


def test_a_full_table_counts_on_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FILE_BYTES", 4096)
    table = SeriesTable(tmp_path)
    for number in range(100):
        table.series(TEXTS, str(number)).add(number)
    assert table.series(TEXTS, "99").numbers[0] == 99
    assert 'attendant_texts_total{model="0"} 0.0' in shown(table)
    assert (tmp_path / next(tmp_path.iterdir()).name).stat().st_size == 4096


@pytest.mark.parametrize("rooms", [0, 1])
def test_a_full_disk_ends_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rooms: int) -> None:
    given = iter(range(rooms))

    def fallocate(file: int, offset: int, size: int) -> None:
        if next(given, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    monkeypatch.setattr(module, "ROOM_BYTES", 4096)
    table = SeriesTable(tmp_path)
    for number in range(100):
        table.series(TEXTS, str(number)).add(number)
    assert table.series(TEXTS, "99").numbers[0] == 99
    assert table.is_shared == bool(rooms)
    assert len(list(tmp_path.iterdir())) == rooms
    assert ('attendant_texts_total{model="3"} 3.0' in shown(table)) == bool(rooms)


def test_what_is_written_has_room_on_the_disk(tmp_path: Path) -> None:
    table = SeriesTable(tmp_path)
    path = next(tmp_path.iterdir())
    for number in range(2000):
        table.series(TEXTS, str(number)).add(number)
        assert path.stat().st_blocks * 512 >= table._end


def test_a_file_that_an_earlier_process_of_the_same_identity_left_is_begun_again(tmp_path: Path) -> None:
    SeriesTable(tmp_path).series(TEXTS, MODEL).add(5)
    assert SeriesTable(tmp_path).series(TEXTS, MODEL).numbers[0] == 0


def test_the_newest_exemplar_of_any_process_stands_for_its_bucket(tmp_path: Path) -> None:
    tables, labels = [SeriesTable(), SeriesTable()], ("/v1/translate", MODEL, "ok")
    files = [tmp_path / f"{pid}-{pid}{SUFFIX}" for pid in (1, 2)]
    for table, path, at, trace in zip(tables, files, (100.0, 200.0), (3 << 64, 5), strict=True):
        table.series(REQUEST_SECONDS, *labels).observe(0.02)
        table.series(REQUEST_EXEMPLARS, *labels).exemplify(0.02, at, trace)
        table.series(REQUEST_EXEMPLARS, *labels).exemplify(99.0 + at, at, trace)
        written = SeriesTable(tmp_path)
        for one in table.all():
            written.series(one.spec, *one.labels).numbers[:] = one.numbers
        (found,) = (each for each in tmp_path.glob(f"*{SUFFIX}") if each not in files)
        found.rename(path)
    lines = exposed_node(tmp_path, "application/openmetrics-text; version=1.0.0")[0].decode().splitlines()
    shown = {
        line.partition('le="')[2].partition('"')[0]: line.partition(" # ")[2] for line in lines if "trace_id" in line
    }
    newest = f'{{trace_id="{5:032x}"}}'
    assert shown == {"0.025": f"{newest} 0.02 200.0", "+Inf": f"{newest} 299.0 200.0"}
