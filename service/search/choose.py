"""From options to a search."""

from __future__ import annotations

from service.messages import SearchOptions
from service.search.beam import BeamSearch
from service.search.greedy import GreedySearch


def output_limit(options: SearchOptions, num_source_tokens: int, max_target_tokens: int) -> int:
    """Target tokens, end token included, after which a hypothesis is cut: what was asked for, or 2 S + 10."""
    wanted = options.max_output_tokens if options.max_output_tokens is not None else 2 * num_source_tokens + 10
    return min(wanted, max_target_tokens)


def new_search(options: SearchOptions, end_id: int, max_tokens: int) -> GreedySearch | BeamSearch:
    """The search that `options` ask for."""
    if options.beam_size == 1:
        return GreedySearch(end_id, max_tokens)
    return BeamSearch(options, end_id, max_tokens)
