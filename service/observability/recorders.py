"""Counting on the road of a request: straight to the values behind prometheus_client's objects.

Its own methods check with every count what never changes here, and look through a histogram's buckets one by one; for a
request that is some thirty counts. Values are written through all the same: a replica that is killed has counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Protocol

from prometheus_client import Counter, Gauge, Histogram

Record = Callable[[float], None]
"""Adds to a counter or a gauge."""


class Observe(Protocol):
    """Observes a value in a histogram, once or several times."""

    def __call__(self, value: float, times: int = 1) -> None: ...


def adding(child: Counter | Gauge) -> Record:
    """Add to the counter or gauge; the caller gives a counter nothing negative."""
    add: Record = child._value.inc
    return add


def observing(child: Histogram, bounds: tuple[float, ...]) -> Observe:
    """Observe a value in the histogram, whose finite bounds are `bounds`, ascending."""
    add_to_sum: Record = child._sum.inc
    buckets: list[Record] = [bucket.inc for bucket in child._buckets]
    assert len(buckets) == len(bounds) + 1

    def observe(value: float, times: int = 1) -> None:
        add_to_sum(value * times)
        buckets[bisect_left(bounds, value)](float(times))

    return observe
