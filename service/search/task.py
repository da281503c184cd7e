"""What to search for."""

from __future__ import annotations

from dataclasses import dataclass

from service.messages import SearchOptions


@dataclass(frozen=True, slots=True)
class Task:
    """One segment to search a translation for."""

    options: SearchOptions
    max_tokens: int
    """Target tokens, end token included, after which a hypothesis is cut."""
    num_source_tokens: int
    """Source tokens, end token included."""
    keeps_attention: bool = False
    """Whether hypotheses carry their attention rows."""


def output_limit(options: SearchOptions, num_source_tokens: int, max_target_tokens: int) -> int:
    """Target tokens, end token included, after which a hypothesis is cut: what was asked for, or 2 S + 10."""
    wanted = options.max_output_tokens if options.max_output_tokens is not None else 2 * num_source_tokens + 10
    return min(wanted, max_target_tokens)
