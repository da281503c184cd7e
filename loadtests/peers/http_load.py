"""What a run of a load client showed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

import numpy as np

from loadtests.peers.http_connection import OK, LoadError


@dataclass(frozen=True, slots=True)
class Load:
    """What became of a run's requests."""

    num_requests: int
    """Requests that were to be sent within the run."""
    num_answered: int
    """Of those, how many were answered with 200 within it."""
    seconds: float
    """Length of the run, by which throughput is counted."""
    latencies_s: np.ndarray
    """Of the answers with 200, in seconds: from sending in a closed loop, from the moment due in an open one."""
    errors: Counter[str]
    """Requests without a 200: `http_<status>`, NO_ANSWER or TIMEOUT."""
    client_cpu_s: float
    """CPU seconds that this process used meanwhile."""

    @property
    def rate(self) -> float:
        """Requests answered per second."""
        return self.num_answered / self.seconds

    def percentile_ms(self, percentile: float) -> float:
        """A percentile of the latency in milliseconds; infinite when nothing was answered."""
        return float(np.percentile(self.latencies_s, percentile)) * 1000.0 if len(self.latencies_s) else float("inf")

    def checked(self, what: str) -> Self:
        """Itself. Raises LoadError when any request failed or nothing was answered."""
        if self.errors or not self.num_answered:
            raise LoadError(f"{what}: {self.num_answered} answered, errors {dict(self.errors)}")
        return self


class Tally:
    """Counts outcomes; latencies are of those with 200."""

    def __init__(self) -> None:
        self.num_answered, self.latencies_s, self.errors = 0, list[float](), Counter[str]()

    def add(self, code: str, latency_s: float) -> None:
        if code == OK:
            self.num_answered += 1
            self.latencies_s.append(latency_s)
        else:
            self.errors[code] += 1

    def load(self, num_requests: int, seconds: float, cpu_s: float) -> Load:
        latencies = np.asarray(self.latencies_s, dtype=np.float64)
        return Load(num_requests, self.num_answered, seconds, latencies, self.errors, cpu_s)
