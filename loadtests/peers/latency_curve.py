"""The picture of latency against the rate offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

COLOURS = ("#1b6ca8", "#b5521b", "#5b7f3a")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Latency at one rate."""

    rate: float
    """Requests per second offered."""
    p50_ms: float
    p97_ms: float


def draw(curves: Mapping[str, Sequence[CurvePoint]], limit_ms: float, search: str, path: Path) -> None:
    """Write a PNG: p97 solid, p50 dashed, a line at the limit; the rate from 0, milliseconds on a logarithmic axis."""
    figure = Figure(figsize=(7.5, 4.2), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for colour, (name, points) in zip(COLOURS, curves.items(), strict=False):
        rates = [point.rate for point in points]
        axes.plot(rates, [point.p97_ms for point in points], "o-", color=colour, markersize=3.5, label=f"{name}, p97")
        axes.plot(rates, [point.p50_ms for point in points], "--", color=colour, linewidth=1, label=f"{name}, p50")
    axes.axhline(limit_ms, color="#555555", linewidth=0.8)
    axes.annotate(f"{limit_ms:g} ms", (0, limit_ms), (2, 3), textcoords="offset points", fontsize=8, color="#555555")
    axes.set(xlabel="single sentences per second, Poisson arrivals", ylabel="latency, ms", yscale="log")
    axes.set_xlim(left=0)
    axes.set_title(f"Latency from the moment due, {search}, 2 cores with the client", fontsize=10)
    axes.grid(alpha=0.25, which="both", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
