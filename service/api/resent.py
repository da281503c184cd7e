"""Requests that come a second time: the proxy sends what a lost replica held to another one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

RESENT_S = 1.0
"""How much longer than usual a request must have been on its way, to have been with another replica before."""
REMEMBERED_S = 60.0
"""How long the shortest way is remembered at least, and half of the time at most: clocks are set at times."""


class Resent:
    """Tells requests that were with another replica before from those that come straight.

    A proxy says on each request when it had it, and who it is (`service.deployments.haproxy`). Its clock may be another
    machine's, and wrong: the shortest way that a request of that proxy took lately counts as no way at all.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds since 1970, as a proxy's does."""
        self._clock = clock
        self._shortest: dict[str, float] = {}
        self._shortest_before: dict[str, float] = {}
        self._begun = -math.inf

    def __call__(self, sent: bytes) -> bool:
        """Whether a request was sent before; `sent` is its header, milliseconds and the name of a proxy."""
        milliseconds, _, proxy = sent.decode("latin-1").partition(" ")
        if not milliseconds.isdecimal():
            return False
        now = self._clock()
        if not self._begun <= now < self._begun + REMEMBERED_S:
            self._shortest_before, self._shortest, self._begun = self._shortest, {}, now
        way_s = now - int(milliseconds) / 1000
        shortest = min(way_s, self._shortest.get(proxy, math.inf))
        self._shortest[proxy] = shortest
        return way_s > min(shortest, self._shortest_before.get(proxy, math.inf)) + RESENT_S
