"""From options to a search."""

from __future__ import annotations

from service.messages import SearchOptions
from service.search.beam import BeamSearch
from service.search.greedy import GreedySearch
from service.search.search import Search


def output_limit(options: SearchOptions, num_source_tokens: int, max_target_tokens: int) -> int:
    """Target tokens, end token included, after which a hypothesis is cut: what was asked for, or 2 S + 10."""
    wanted = options.max_output_tokens if options.max_output_tokens is not None else 2 * num_source_tokens + 10
    return min(wanted, max_target_tokens)


def new_search(beam_size: int, begin_id: int, end_id: int) -> Search:
    """A search for segments that all want `beam_size` hypotheses; one of its own for greedy ones."""
    return GreedySearch(begin_id, end_id) if beam_size == 1 else BeamSearch(beam_size, begin_id, end_id)
