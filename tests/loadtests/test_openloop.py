from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtests.client import CANCELLED, OK, Outcome
from loadtests.openloop import faults, is_loopback, main
from loadtests.report import summarise
from tests.loadtests.conftest import TRANSLATED, Answer


def test_a_run_prints_a_table_and_writes_a_report(serve: Callable[[Answer], str], tmp_path: Path) -> None:
    numbers = count()
    overloaded = 429, b'{"code": "overloaded"}'
    url = serve(lambda body: overloaded if next(numbers) % 10 == 9 else TRANSLATED)
    written = tmp_path / "report.json"

    arguments = ["--url", url, "--rate", "400", "--requests", "40", "--report", str(written)]
    done = CliRunner().invoke(main, arguments)

    assert done.exit_code == 0, done.output
    report = json.loads(written.read_text())
    assert report["codes"] == {"ok": 36, "overloaded": 4}
    assert set(report["latency_ms"]) == {"p50", "p90", "p97", "p99", "max"}
    assert "code overloaded" in done.output
    assert "latency p97" in done.output


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ((429, b'{"code": "overloaded"}'), "no request was translated"),
        ((500, b'{"code": "internal_error"}'), "20 requests ended with internal_error"),
        ((502, b"<html>"), "20 requests ended with http_502"),
        ((200, b"{}"), "20 requests ended with wrong_answer"),
    ],
)
def test_a_run_without_translations_or_with_failures_fails(
    serve: Callable[[Answer], str], answer: tuple[int, bytes], fault: str
) -> None:
    done = CliRunner().invoke(main, ["--url", serve(lambda body: answer), "--rate", "400", "--requests", "20"])
    assert done.exit_code == 1
    assert f"fault: {fault}" in done.output


def test_clients_that_all_go_away_are_no_fault() -> None:
    assert faults({CANCELLED: 20}) == []
    assert faults({CANCELLED: 19, "abandoned": 1}) == ["1 requests ended with abandoned", "no request was translated"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost", "http://[::1]:8000", "http://127.9.9.9"])
def test_loopback_is_known(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize("url", ["http://192.0.2.1:8000", "http://example.org", "http://localhost.example.org", "x"])
def test_load_is_not_sent_to_other_machines_unasked(url: str) -> None:
    done = CliRunner().invoke(main, ["--url", url])
    assert done.exit_code == 2
    assert "--allow-remote" in done.output


def outcome(due_s: float, sent_s: float, done_s: float, code: str = OK) -> Outcome:
    return Outcome(due_s, sent_s, done_s, code, 200)


def test_percentiles_are_of_translations_and_from_the_time_they_were_due() -> None:
    outcomes = [outcome(i / 100, i / 100 + 0.005, i / 100 + 0.001 * i) for i in range(1, 101)]
    report = summarise([*outcomes, outcome(1.0, 1.0, 1.2, CANCELLED)])

    assert report.latency_ms["p50"] == pytest.approx(50.5)
    assert report.latency_ms["p97"] == pytest.approx(97.03)
    assert report.latency_ms["max"] == pytest.approx(100.0)
    assert report.send_lag_ms["p50"] == pytest.approx(5.0)
    assert report.codes == {OK: 100, CANCELLED: 1}
    assert report.answered_rate == pytest.approx(100 / 1.2)


def test_a_run_without_a_translation_has_no_latency() -> None:
    report = summarise([outcome(0.5, 0.5, 0.6, "overloaded")])
    assert report.latency_ms == {}
    assert "overloaded" in report.as_table()
