"""One comparison: ours and a peer in turn, so that whatever else the machine does falls on both."""

from __future__ import annotations

import gc
import re
import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

import click

Better = Literal["higher", "lower"]

MIN_ROUNDS = 5
"""Rounds below which a ratio is not worth printing."""

_BAR = re.compile(r"(>=|<=)\s*([0-9.]+)\s*x?")


@dataclass(frozen=True, slots=True)
class Row:
    """What one comparison showed: round i measured `ours[i]`, then `peer[i]`."""

    name: str
    unit: str
    """Of both numbers, as people write it: `target tokens/s`, `ms`."""
    ours: list[float]
    peer: list[float]
    better: Literal["higher", "lower"]
    """Which of two numbers is the better one."""
    bar: str = ""
    """What the median ratio must meet, `>= 1.4x` or `<= 0.9x`; empty when the ratio is only reported."""
    details: dict[str, str] = field(default_factory=dict)
    """What a reader must know beside the ratio: settings of both sides, how far their answers agree."""
    same_answers: bool | None = None
    """Whether both sides gave the same answers, as far as the bench asks for it; None when that was not looked at."""

    def __post_init__(self) -> None:
        """Raises ValueError when the rounds of both sides differ in number, or the bar cannot be read."""
        if not self.ours or len(self.ours) != len(self.peer):
            raise ValueError(f"{self.name}: {len(self.ours)} rounds of ours, {len(self.peer)} of the peer")
        if self.bar and not _BAR.fullmatch(self.bar):
            raise ValueError(f"{self.name}: the bar is {self.bar!r}; write it as '>= 1.4x' or '<= 0.9x'")

    @property
    def ratios(self) -> list[float]:
        """Ours over the peer's, of each round."""
        return [ours / peer for ours, peer in zip(self.ours, self.peer, strict=True)]

    @property
    def ratio(self) -> float:
        """Median over the rounds."""
        return statistics.median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """Smallest and largest ratio of a round."""
        return min(self.ratios), max(self.ratios)

    @property
    def passes(self) -> bool | None:
        """Whether the median ratio meets the bar, with the same answers; None without a bar."""
        found = _BAR.fullmatch(self.bar)
        if found is None:
            return None
        limit = float(found[2])
        met = self.ratio >= limit if found[1] == ">=" else self.ratio <= limit
        return met and self.same_answers is not False

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Back from JSON. Raises TypeError on unknown or missing names."""
        return cls(**values)


def alternate(
    name: str,
    unit: str,
    ours: Callable[[], float],
    peer: Callable[[], float],
    rounds: int = MIN_ROUNDS,
    *,
    better: Better = "higher",
    bar: str = "",
    details: Mapping[str, str] | None = None,
    warm: bool = True,
) -> Row:
    """Measure ours and the peer in turn, `rounds` times; a bar on standard error shows progress.

    Both are called once before, unless they are warm already. Garbage is collected before each call, not within it
    by chance. Raises ValueError when there are fewer than MIN_ROUNDS rounds.
    """
    if rounds < MIN_ROUNDS:
        raise ValueError(f"{name}: {rounds} rounds say too little; ask for {MIN_ROUNDS} or more")
    sides = (ours, peer)
    measured: tuple[list[float], list[float]] = ([], [])
    with click.progressbar(length=2 * (rounds + warm), label=name, file=sys.stderr) as bar_shown:
        if warm:
            for side in sides:
                side()
                bar_shown.update(1)
        for _ in range(rounds):
            for side, numbers in zip(sides, measured, strict=True):
                gc.collect()
                numbers.append(side())
                bar_shown.update(1)
    return Row(name, unit, measured[0], measured[1], better, bar, dict(details or {}))
