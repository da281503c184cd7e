"""What was seen of a fault."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen, in words."""

    told: str
    is_wrong: bool = False
    """Whether that must not be."""


def within(told: str, seconds: float, bar: float = math.inf) -> Seen:
    """So many seconds, for which `told` has a place; nan and more than `bar` is too long."""
    return Seen(told.format(seconds), not seconds <= bar)
