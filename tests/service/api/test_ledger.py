"""Counts that the replicas of a machine share: none lost, none double, none in the way."""

from __future__ import annotations

import fcntl
import logging
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.ledger import ADVANCE_S, CHARACTERS, FORGET_S, MINUTE_S, REQUESTS, Ledger, Tally
from service.api.shared_rows import PATIENCE_S, PAUSE_S

NUM_PROCESSES, NUM_TURNS = 3, 200
TURNS = f"""
import os, sys, threading
from pathlib import Path
from service.api.ledger import REQUESTS, Ledger, Tally
ledger = Ledger(Path(sys.argv[1]), clock=lambda: 0.0, patience_s=60.0)
def work():
    while True:
        sum(range(1000))  # takes the interpreter lock where it can be had
threading.Thread(target=work, daemon=True).start()
for _ in range({NUM_TURNS}):
    while not ledger.begin("key", 1):
        pass
    os.close(os.open(sys.argv[1] + ".alone", os.O_CREAT | os.O_EXCL))
    os.unlink(sys.argv[1] + ".alone")
    ledger.add("trial", "m@2", Tally(num_requests=1, seconds=0.5))
    ledger.end("key")
while not ledger.take("key", REQUESTS, float(sys.argv[2]), 1):
    ledger.add("trial", "m@1", Tally(num_requests=1))
"""
RUNNING = """
import sys, time
from pathlib import Path
from service.api.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
print(ledger.begin("key", 2), ledger.begin("key", 2), ledger.begin("key", 2), flush=True)
time.sleep(120)
"""


@pytest.mark.parametrize("limit", [300, 60_000])
def test_processes_that_count_at_once_lose_nothing(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "ledger"
    ledger = Ledger(path, clock=lambda: 0.0)
    processes = [subprocess.Popen([sys.executable, "-c", TURNS, str(path), str(limit)]) for _ in range(NUM_PROCESSES)]
    assert [process.wait(60) for process in processes] == [0] * NUM_PROCESSES
    total = ledger.tally("trial", "m@2")
    assert (total.num_requests, total.seconds) == (NUM_PROCESSES * NUM_TURNS, NUM_PROCESSES * NUM_TURNS / 2)
    assert ledger.tally("trial", "m@1").num_requests == limit
    assert ledger.begin("key", 1)
    assert not ledger.begin("key", 1)


def test_requests_of_a_killed_replica_are_no_longer_under_way(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    command = [sys.executable, "-c", RUNNING, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True True False\n"
        ledger = Ledger(path)
        assert not ledger.begin("key", 2)
        assert ledger.begin("other", 2)
        process.kill()
    assert ledger.begin("key", 2)


def test_a_file_that_somebody_holds_refuses_nobody_and_stops_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(tmp_path / "ledger")
    assert ledger.begin("key", 1)
    holder = (tmp_path / "ledger").open()
    fcntl.flock(holder, fcntl.LOCK_EX)
    started = time.monotonic()
    with caplog.at_level(logging.ERROR):
        assert [ledger.begin("key", 1), ledger.take("key", REQUESTS, 1, 5), ledger.take("key", REQUESTS, 1, 5)] == [
            True,
            0.0,
            0.0,
        ]
    assert time.monotonic() - started < PATIENCE_S + 0.5
    assert len(caplog.records) == 1
    assert "are not watched for 1 s: the ledger is locked" in caplog.text
    holder.close()
    time.sleep(PAUSE_S)
    assert not ledger.begin("key", 1)
    ledger.end("key")
    ledger.end("key")
    assert ledger.begin("key", 1)  # both have ended, though only one could be written down when it began


def test_a_trial_that_nobody_holds_is_forgotten() -> None:
    clock = [1000.0]
    ledger = Ledger(clock=lambda: clock[0])
    for trial in ("one", "two"):
        assert not ledger.hold(trial)
        ledger.add(trial, "m@2", Tally(num_requests=1))
        assert ledger.withdraw(trial)
        assert not ledger.withdraw(trial)
    clock[0] += FORGET_S
    assert ledger.hold("one")
    clock[0] += 1.0
    assert [ledger.hold(trial) for trial in ("one", "two")] == [True, False]
    assert [ledger.tally(trial, "m@2").num_requests for trial in ("one", "two")] == [1, 0]


def test_a_request_that_ends_while_the_file_is_locked_is_written_down_at_once(tmp_path: Path) -> None:
    one, other = Ledger(tmp_path / "ledger"), Ledger(tmp_path / "ledger")
    assert one.begin("key", 1)
    with (tmp_path / "ledger").open() as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        one.end("key")
    assert other.begin("key", 1)
    assert not one.begin("key", 1)


def test_as_many_may_write_as_there_are_places_and_those_of_the_dead_are_free(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    ledgers = [Ledger(path) for _ in range(3)]
    assert [ledger.begin(f"key{number}", 1) for number, ledger in enumerate(ledgers)] == [True] * 3
    assert [ledgers[0].begin(f"key{number}", 1) for number in range(4)] == [False, False, False, True]


def test_a_limit_that_becomes_smaller_holds_for_what_was_taken_in_advance(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger", clock=lambda: 0.0)
    assert ledger.take("key", REQUESTS, 6e6, 1) == 0.0
    assert ledger.take("key", REQUESTS, 60, 1) > 0.0


def test_what_was_taken_in_advance_is_left_after_a_second(tmp_path: Path) -> None:
    now = [0.0]
    one, other = (Ledger(tmp_path / "ledger", clock=lambda: now[0]) for _ in range(2))
    assert one.take("key", REQUESTS, 60_000, 1) == 0.0
    now[0] = 60.0
    assert other.take("key", REQUESTS, 60_000, 60_000) == 0.0
    assert one.take("key", REQUESTS, 60_000, 1) > 0.0


def test_limits_that_changed_begin_anew(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger", clock=lambda: 0.0)
    assert ledger.take("key", CHARACTERS, 6000, 90_000) == 0.0
    assert ledger.take("key", CHARACTERS, 60, 1) > 0.0
    ledger.forget("key")
    assert ledger.take("key", CHARACTERS, 60, 1) == 0.0


@given(st.lists(st.integers(1, 400), max_size=60), st.integers(1, 40_000))
def test_two_replicas_let_through_what_one_would_less_what_they_took_in_advance(amounts: list[int], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledgers = [Ledger(Path(folder) / "ledger", clock=lambda: 0.0) for _ in range(2)]
        alone, advance, taken = Ledger(clock=lambda: 0.0), limit / MINUTE_S * ADVANCE_S, [0, 0]
        for turn, amount in enumerate(amounts):
            for number, one in enumerate((ledgers[turn % 2], alone)):
                taken[number] += amount * (one.take("key", CHARACTERS, limit, amount) == 0.0)
    assert taken[1] - 2 * advance - max(amounts, default=0) <= taken[0] <= taken[1] + max(amounts, default=0)


@given(st.lists(st.text(max_size=20), unique=True, max_size=50))
def test_names_have_rows_of_their_own(names: list[str]) -> None:
    ledger = Ledger(clock=lambda: 0.0)
    for number, name in enumerate(names):
        ledger.take(name, REQUESTS, 60.0, 59.0 + number)
    for number, name in enumerate(names):
        assert ledger.take(name, REQUESTS, 60.0, 1.0) == pytest.approx(number, abs=1e-6)
