"""How many replicas: Serve's autoscaler asks this policy, which looks at predicted waits and full batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.settings import Settings

WAIT, FULL = "predicted_wait_s", "full_share"
"""Names of the numbers that replicas report to the autoscaler."""
TARGET_FULL = 0.7
"""Share of its batch's rows that may be live, once nobody waits: above it, a burst would wait."""
MAX_STEP = 4.0
"""Greatest factor in one decision: the wait is a short look at a queue, not a forecast."""
LOOK_BACK_S = 3.0
"""Seconds over which the numbers are averaged."""
PUSH_S = 1.0
"""Seconds between two reports of a replica."""


class PredictedWaitPolicy:
    """Serve makes one for each application, and calls it every fraction of a second."""

    def __init__(self, target_wait_s: float) -> None:
        self._target_wait_s = target_wait_s

    def __call__(self, context: Any) -> tuple[float, dict[str, Any]]:
        """The desired number of replicas, before Serve's bounds and delays, and the state to keep: none."""
        metrics = context.aggregated_metrics or {}
        waits, full = list(metrics.get(WAIT, {}).values()), list(metrics.get(FULL, {}).values())
        if not waits:
            return context.target_num_replicas, {}
        return desired(len(waits), sum(waits) / len(waits), sum(full) / max(1, len(full)), self._target_wait_s), {}


def desired(num_replicas: int, wait_s: float, full: float, target_wait_s: float) -> float:
    """Replicas with which nobody would wait longer than the target and batches would be as full as they may.

    The wait says by how much there are too few, the live rows by how much too many: an idle replica has no queue.
    """
    factor = max(wait_s / target_wait_s, full / TARGET_FULL)
    return num_replicas * min(factor, MAX_STEP)


def autoscaling(settings: Settings) -> dict[str, Any] | None:
    """Serve's autoscaling configuration; None where the number of replicas is fixed."""
    if settings.max_replicas is None:
        return None
    return {
        "min_replicas": settings.num_replicas,
        "initial_replicas": settings.num_replicas,
        "max_replicas": settings.max_replicas,
        "metrics_interval_s": PUSH_S,
        "look_back_period_s": LOOK_BACK_S,
        "upscale_delay_s": settings.upscale_delay_s,
        "downscale_delay_s": settings.downscale_delay_s,
        "policy": {
            "policy_function": f"{__name__}:{PredictedWaitPolicy.__name__}",
            "policy_kwargs": {"target_wait_s": settings.target_wait_s},
        },
    }
