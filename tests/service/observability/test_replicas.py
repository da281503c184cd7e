"""Several real processes of one node, as several replicas are, and one /metrics."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.observability.series import DIRECTORY_VARIABLE, SUFFIX

REPLICA = Path(__file__).with_name("replica.py")
MODEL = "en-fr-tiny@1"


class Replica:
    """One counting process."""

    def __init__(self, directory: Path) -> None:
        environment = os.environ | {DIRECTORY_VARIABLE: str(directory)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, str(REPLICA)], env=environment, text=True, **pipes)
        assert self._answer() == "ready"

    def count(self, num_requests: int) -> None:
        """Have it count, and wait until it has."""
        assert self.process.stdin
        self.process.stdin.write(f"{num_requests}\n")
        self.process.stdin.flush()
        assert self._answer() == "done"

    def kill(self) -> None:
        """SIGKILL: it gets no chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def close(self) -> None:
        """Stop it by its id, whatever happened before."""
        self.process.kill()
        self.process.communicate(timeout=10)

    def _answer(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def start(stack: ExitStack, directory: Path) -> Replica:
    replica = Replica(directory)
    stack.callback(replica.close)
    return replica


def scrape(directory: Path) -> dict[str, float]:
    """What one more process of the node shows: series with labels -> value."""
    program = (
        "from service.observability.metrics import exposition; import sys; sys.stdout.buffer.write(exposition()[0])"
    )
    environment = os.environ | {DIRECTORY_VARIABLE: str(directory)}
    shown = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    samples = [s for family in text_string_to_metric_families(shown.stdout) for s in family.samples]
    return {s.name + "".join(f" {k}={v}" for k, v in sorted(s.labels.items())): s.value for s in samples}


REQUESTS = f"attendant_requests_total code=ok model={MODEL} route=/v1/translate"


def test_sums_over_replicas_equal_what_was_counted_even_after_one_is_killed(stack: ExitStack, tmp_path: Path) -> None:
    replicas = [start(stack, tmp_path) for _ in range(3)]
    for replica, num_requests in zip(replicas, (11, 22, 33), strict=True):
        replica.count(num_requests)
    replicas[1].kill()
    replicas[0].count(4)

    shown = scrape(tmp_path)

    assert shown[REQUESTS] == 11 + 22 + 33 + 4
    assert shown[f"attendant_step_rows_count model={MODEL}"] == 70
    assert shown[f"attendant_step_rows_bucket le=4.0 model={MODEL}"] == 70
    assert shown[f"attendant_step_rows_bucket le=2.0 model={MODEL}"] == 0
    assert shown[f"attendant_target_tokens_total model={MODEL}"] == 70 * 7
    assert shown[f"attendant_segment_seconds_sum model={MODEL}"] == pytest.approx(70 * 0.006)


def test_a_killed_replicas_queue_and_presence_vanish(stack: ExitStack, tmp_path: Path) -> None:
    staying, killed = start(stack, tmp_path), start(stack, tmp_path)
    staying.count(1)
    killed.count(1)
    before = scrape(tmp_path)
    killed.kill()
    after = scrape(tmp_path)

    assert (before["attendant_replicas"], after["attendant_replicas"]) == (2, 1)
    assert (before["attendant_replicas_ready"], after["attendant_replicas_ready"]) == (2, 1)
    depth = f"attendant_queue_depth_segments model={MODEL}"
    assert (before[depth], after[depth]) == (6, 3)


def test_a_replica_that_is_killed_but_not_yet_reaped_counts_as_dead(stack: ExitStack, tmp_path: Path) -> None:
    replica = start(stack, tmp_path)
    replica.count(1)
    replica.process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, replica.process.pid, os.WEXITED | os.WNOWAIT)  # dead, still a zombie

    shown = scrape(tmp_path)

    assert shown["attendant_replicas"] == 0
    assert shown[REQUESTS] == 1


def test_the_first_scrape_of_an_idle_node_shows_nothing_but_zeros(tmp_path: Path) -> None:
    (tmp_path / f"1-1{SUFFIX}").touch()  # a process that has created its file and not yet sized it

    assert set(scrape(tmp_path).values()) == {0.0}
