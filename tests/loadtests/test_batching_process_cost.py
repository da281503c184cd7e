from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loadtests.peers.process_cost import PROXY, RAY, REPLICA, cpu_seconds, largest_mappings, memory, total_memory

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")

SPIN = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
PARENT = f"""
import subprocess, sys
spin = {SPIN!r} + "\\nprint(flush=True)\\ninput()"
command = ["bash", "-c", "exec -a 'ray::ServeReplica:attendant:replica' " + sys.executable + " -c \\"$0\\"", spin]
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print(flush=True)
sys.stdin.read()
child.communicate(b"\\n")
"""


@pytest.fixture
def parent() -> Iterator[int]:
    """A process whose child bears the title of a replica and has used 0.3 s of CPU."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PARENT], text=True, **pipes) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.communicate(timeout=20)


def test_cpu_time_goes_to_the_role_that_used_it(parent: int) -> None:
    used = cpu_seconds(parent)
    assert 0.3 <= used[REPLICA] < 5.0
    assert used[PROXY] == 0
    assert used[RAY] > 0


def test_memory_that_a_process_takes_is_seen_in_full() -> None:
    before = memory(os.getpid())
    taken = bytearray(os.urandom(1)) * (64 * 1024 * 1024)  # more than what glibc takes from memory that it kept
    after = memory(os.getpid())
    assert len(taken) / 2**20 == pytest.approx(after.rss - before.rss, abs=2.0)
    assert after.anonymous - before.anonymous == pytest.approx(64, abs=2.0)
    assert after.pss <= after.rss


def test_the_memory_of_processes_is_their_sum() -> None:
    one = memory(os.getpid())
    both = total_memory([os.getpid(), os.getpid()])
    assert both.rss == pytest.approx(2 * one.rss, rel=0.05)


def test_mappings_are_named_and_the_largest_comes_first() -> None:
    found = largest_mappings(os.getpid(), 4)
    sizes = [size for _, size in found]
    assert sizes == sorted(sizes, reverse=True)
    assert {"anonymous", "[heap]"} & {name for name, _ in found}
