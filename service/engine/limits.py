"""The limits of dynamic batching, which may change while the engine runs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class EngineLimits(BaseModel):
    """How much an engine takes on. Also settings of the server: the descriptions are those of its reference."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    max_batch_rows: int = Field(default=24, ge=16, le=65_536)
    """Live rows (hypotheses) that a model decodes at once; a segment of beam size K counts K."""
    max_batch_tokens: int = Field(default=16_384, ge=1024, le=1 << 24)
    """Padded tokens that a model holds at once: rows times the longest source plus the longest target limit."""
    batch_wait_ms: float = Field(default=0.0, ge=0, le=1000)
    """Milliseconds that an idle engine waits for further segments before its first step."""
    max_wait_s: float = Field(default=1.0, gt=0, le=3600)
    """Seconds that a request may have to wait for others; one that is predicted to wait longer is refused with 429. For
    half a minute after replicas of its machine were lost, those that are left let it wait as many times longer as there
    are fewer of them, three times at most."""
    max_queue_segments: int = Field(default=4096, ge=1, le=1_000_000)
    """Waiting segments of a model in one replica, whatever they cost; a request whose first portion finds no room is
    refused with 429."""
