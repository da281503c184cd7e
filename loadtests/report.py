"""Many outcomes as a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from loadtests.client import OK, Outcome

PERCENTILES = (50, 90, 97, 99)


@dataclass(frozen=True, slots=True)
class Report:
    """What a run showed. Milliseconds; percentiles are keyed `p50`, `p90`, ... and `max`."""

    num_requests: int
    seconds: float
    """From the start to the last outcome."""
    offered_rate: float
    """Requests due per second, over the plan's own length."""
    answered_rate: float
    """Requests answered with a translation per second, over `seconds`."""
    codes: dict[str, int]
    """How many requests came to which end."""
    latency_ms: dict[str, float]
    """Of translations, from the moment each was due; empty when there was none."""
    send_lag_ms: dict[str, float]
    """How much later than due requests were sent. Tens of milliseconds mean that the generator, not the server, is the
    bottleneck; the latency above still counts the time."""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)

    def as_table(self) -> str:
        """For people."""
        rows = [
            ("requests", f"{self.num_requests} in {self.seconds:.1f} s"),
            ("offered", f"{self.offered_rate:.1f} requests/s"),
            ("translated", f"{self.answered_rate:.1f} requests/s"),
            *((f"latency {name}", f"{value:.1f} ms") for name, value in self.latency_ms.items()),
            *((f"send lag {name}", f"{value:.1f} ms") for name, value in self.send_lag_ms.items()),
            *((f"code {code}", str(count)) for code, count in self.codes.items()),
        ]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value:>24}" for name, value in rows)


def summarise(outcomes: Sequence[Outcome]) -> Report:
    """The report of a run with at least one outcome."""
    seconds = max(outcome.done_s for outcome in outcomes)
    translated = [outcome for outcome in outcomes if outcome.code == OK]
    return Report(
        num_requests=len(outcomes),
        seconds=seconds,
        offered_rate=len(outcomes) / max(outcome.due_s for outcome in outcomes),
        answered_rate=len(translated) / seconds,
        codes=dict(Counter(outcome.code for outcome in outcomes).most_common()),
        latency_ms=_spread([outcome.latency_s for outcome in translated]),
        send_lag_ms=_spread([outcome.sent_s - outcome.due_s for outcome in outcomes]),
    )


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    if not seconds:
        return {}
    values = np.percentile(np.asarray(seconds) * 1000.0, [*PERCENTILES, 100])
    names = [*(f"p{p}" for p in PERCENTILES), "max"]
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
