"""When each request is due and what it says: fixed before anything is sent, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request that a client means to send."""

    due_s: float
    """Seconds from the start at which it is due, whatever became of the others."""
    text: str
    cancel_after_s: float | None = None
    """Seconds after sending at which the client goes away; None stays until the answer."""


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What a plan is drawn from."""

    rate: float = 20.0
    """Mean arrivals per second."""
    num_requests: int = 200
    seed: int = 1
    """The same seed gives the same plan."""
    cancel_fraction: float = 0.0
    """Share of clients that go away before their answer, 0..1."""
    cancel_within_s: float = 0.1
    """They go away at a moment drawn evenly from 0 to this, in seconds after sending."""


def poisson_plan(options: PlanOptions, texts: Sequence[str]) -> tuple[Arrival, ...]:
    """Arrivals of a Poisson process: the gaps are exponential, texts are drawn evenly, clients leave at random."""
    random = np.random.default_rng(options.seed)
    due = np.cumsum(random.exponential(1.0 / options.rate, options.num_requests))
    chosen = random.integers(len(texts), size=options.num_requests)
    leaves = random.random(options.num_requests) < options.cancel_fraction
    after = random.uniform(0.0, options.cancel_within_s, options.num_requests)
    return tuple(
        Arrival(float(due_s), texts[which], float(after_s) if leaving else None)
        for due_s, which, leaving, after_s in zip(due, chosen, leaves, after, strict=True)
    )
