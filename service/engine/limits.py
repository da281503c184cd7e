"""The limits of dynamic batching, which may change while the engine runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """How much an engine takes on."""

    max_batch_rows: int = 24
    """Live rows (hypotheses) at once; a segment of beam size K counts K. More are no faster: their logits leave the
    second-level cache."""
    max_batch_tokens: int = 16384
    """Padded tokens at once: rows times the longest source plus the longest target limit among them."""
    batch_wait_ms: float = 0.0
    """How long an idle engine waits for further segments before the first step; 0 starts at once."""
    max_queue_segments: int = 1024
    """Segments that wait; more are refused with OverloadedError."""

    def faults(self) -> list[str]:
        """One sentence for each value out of its range."""
        least = {"max_batch_rows": 16, "max_batch_tokens": 1024, "batch_wait_ms": 0, "max_queue_segments": 1}
        return [
            f"{name} is {getattr(self, name)}, must be at least {limit}"
            for name, limit in least.items()
            if not getattr(self, name) >= limit
        ]
