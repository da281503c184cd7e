"""Time of a decoded token as targets grow: flat when the kv_cache is kept, not computed again.

The engine decodes segments that never end before their limit, because their runtime tells it an end token that no model
writes. All rows are full from the first token to the last, so the time of a token is the decoding time (encoding is not
in it) over tokens and rows.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from loadtests.measure.setting import Setting, parser, search_name, show
from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.bundled import BundleRuntime
from service.runtime.opening import open_runtime

LENGTHS = (10, 20, 40, 60, 80, 100, 120, 140, 160)
BEAM_SIZES = (1, 4)
NUM_ROWS = 16
NUM_SOURCE_TOKENS = 20
NUM_ROUNDS = 7
BAR = 1.2
"""Most that the dearest length may cost over the cheapest."""


def endless(runtime: BundleRuntime) -> BundleRuntime:
    """`runtime`, whose hypotheses from now on end at their limit only: by the begin token, which no model writes."""
    tokens = runtime.manifest.special_tokens
    never = tokens.model_copy(update={"end": tokens.begin})
    runtime.manifest = runtime.manifest.model_copy(update={"special_tokens": never})
    return runtime


@dataclass(frozen=True, slots=True)
class Curve:
    """Microseconds per token of each of LENGTHS, by model and beam size."""

    model: str
    beam_size: int
    costs_us: list[float]

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.model}, {search_name(self.beam_size)}"

    @property
    def flatness(self) -> float:
        """The dearest length over the cheapest."""
        return max(self.costs_us) / min(self.costs_us)


def seconds_per_token(engine: Engine, length: int, beam_size: int) -> float:
    """Mean time of one row's token while NUM_ROWS rows grow to `length` tokens."""
    source = tuple(range(10, 9 + NUM_SOURCE_TOKENS))
    segment = Segment(source, SearchOptions(beam_size=beam_size, max_output_tokens=length))
    results: list[SegmentResult] = []

    def keep(_: int, outcome: Outcome) -> None:
        assert isinstance(outcome, SegmentResult), outcome
        results.append(outcome)

    engine.submit([segment] * (NUM_ROWS // beam_size), keep)
    while engine.tick():
        pass
    assert all(len(result.hypotheses[0].token_log_probs) == length for result in results), "a hypothesis ended early"
    return max(result.timings.decode_s for result in results) / length / NUM_ROWS


def measure(bundle: Bundle, rounds: int) -> Iterator[Curve]:
    """Median of `rounds` for each beam size and length; the lengths take turns, and a first round is not counted."""
    engine = Engine(endless(open_runtime(bundle)))  # one for all: a server's lives on, and keeps its memory
    for beam_size in BEAM_SIZES:
        with click.progressbar(
            range(rounds + 1), label=f"{bundle.manifest.name}, beam {beam_size}", file=sys.stderr
        ) as bar:
            turns = [[seconds_per_token(engine, length, beam_size) for length in LENGTHS] for _ in bar][1:]
        medians = [statistics.median(column) * 1e6 for column in zip(*turns, strict=True)]
        yield Curve(bundle.manifest.name, beam_size, medians)


def draw(curves: Sequence[Curve], path: Path) -> None:
    """The curves as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    axes = figure.subplots()
    for curve in curves:
        axes.plot(LENGTHS, curve.costs_us, marker="o", markersize=4, label=f"{curve.name} ({curve.flatness:.2f}x)")
    axes.set(
        xlabel="target tokens",
        ylabel="µs per token and row",
        title=f"Cost of a decoded token, {NUM_ROWS} rows, one thread",
        xlim=(0, max(LENGTHS) * 1.03),
    )
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Print the table, draw the picture when it is asked for."""
    arguments = parser(__doc__ or "")
    arguments.add_argument("--rounds", type=int, default=NUM_ROUNDS, help="of which the median is told")
    arguments.add_argument(
        "--image", type=Path, help="draw the curves into this file, such as docs/images/decode-cost.png"
    )
    options = arguments.parse_args()
    bundles = Setting(Store(options.store), options.data).bundles()
    curves = [curve for bundle in bundles for curve in measure(bundle, options.rounds)]
    rows = [
        (curve.name, *(f"{cost:.1f}" for cost in curve.costs_us), f"{curve.flatness:.2f}x", _verdict(curve))
        for curve in curves
    ]
    header = ["model", *(f"{length} tokens" for length in LENGTHS), "dearest over cheapest", f"bar {BAR:g}x"]
    show(f"Decoding, microseconds per token and row, {NUM_ROWS} rows, one thread", header, rows)
    if options.image:
        draw(curves, options.image)


def _verdict(curve: Curve) -> str:
    return "met" if curve.flatness <= BAR else "NOT met"


if __name__ == "__main__":
    main()
