"""Seconds from `attendant serve` to the first yes of /health/ready, and from SIGTERM to a free port."""

from __future__ import annotations

import statistics
import time

from loadtests.measure.setting import show
from loadtests.server import running_server

NUM_ROUNDS = 3


def once() -> tuple[float, float]:
    """Seconds to start and to stop one server."""
    began = time.monotonic()
    with running_server():
        ready = time.monotonic()
        asked = time.monotonic()
    return ready - began, time.monotonic() - asked


def main() -> None:
    """Print the table."""
    starts, stops = zip(*(once() for _ in range(NUM_ROUNDS)), strict=True)
    rows = [
        (name, f"{statistics.median(found):.1f}", f"{min(found):.1f} to {max(found):.1f}")
        for name, found in (("start to ready", starts), ("SIGTERM to gone", stops))
    ]
    show(f"attendant serve, seconds, {NUM_ROUNDS} rounds", ["what", "median", "range"], rows)


if __name__ == "__main__":
    main()
