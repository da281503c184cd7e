"""What to search for."""

from __future__ import annotations

from dataclasses import dataclass

from service.messages import SearchOptions, Segment


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
    """Target tokens, end token included, after which a hypothesis is cut: what was asked for, or 2 S + 10, to which
    those of a prefix are added."""
    derived = 2 * num_source_tokens + 10 + len(options.target_prefix)
    wanted = derived if options.max_output_tokens is None else options.max_output_tokens
    return min(wanted, max_target_tokens)


def task_of(segment: Segment, max_target_tokens: int) -> Task:
    """What to search for `segment`, with a model that writes at most so many tokens."""
    num_source_tokens = len(segment.source_ids) + 1
    max_tokens = output_limit(segment.options, num_source_tokens, max_target_tokens)
    return Task(segment.options, max_tokens, num_source_tokens, segment.want_attention)
