from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from loadtests.processes import descendants, is_running, kill, replica_pids, title

PARENT = """
import subprocess, sys
child = subprocess.Popen(["bash", "-c", "exec -a 'ray::ServeReplica:attendant:replica' sleep 60"])
print(child.pid, flush=True)
sys.stdin.read()
child.kill()
child.wait()
"""


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """A process and its child, which bears the title of a replica."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PARENT], text=True, **pipes) as parent:
        assert parent.stdout
        yield parent.pid, int(parent.stdout.readline())
        parent.communicate(timeout=10)


def wait_for_title(pid: int) -> None:
    while not title(pid).startswith("ray::"):
        os.sched_yield()


def test_replicas_are_found_below_the_server_by_their_title(family: tuple[int, int]) -> None:
    parent, child = family
    wait_for_title(child)
    assert replica_pids(parent) == [child]
    assert child in descendants(os.getpid())
    assert replica_pids(child) == []


def test_a_killed_process_does_not_run_even_before_it_is_reaped(family: tuple[int, int]) -> None:
    _, child = family
    assert is_running(child)
    kill(child, signal.SIGKILL)
    while is_running(child):  # an ending process loses its title before its state says so; pytest's limit ends a hang
        os.sched_yield()
    assert title(child) == ""


def test_a_process_that_has_ended_can_be_killed_again() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(20)
    kill(process.pid, signal.SIGTERM)
    assert not is_running(process.pid)
