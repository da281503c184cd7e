"""Batches as they are where there is no engine: every row is computed until the last segment of its batch is over.

Scheduling by request, as Yu et al. 2022 ("Orca", OSDI, section 3.1) describe what was usual before theirs: a batch is
what it is from its first step to its last, and what was finished early waits, and is computed, with the others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from service.engine.engine import STEPS_PER_TICK
from service.engine.fused import advance_rows
from service.messages import (
    Hypothesis,
    SearchOptions,
    Segment,
    SegmentResult,
    Timings,
)
from service.runtime.seam import Rows, Runtime, Turns
from service.search.search import Search


class FixedBatches:
    """Decodes batches of one beam size over a runtime."""

    def __init__(self, runtime: Runtime[Any]) -> None:
        self._runtime = runtime
        self._lanes: dict[int, tuple[Rows[Any], Search]] = {}

    def decode(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """One batch to its end: a result for each segment, in order."""
        (beam_size,) = {segment.options.beam_size for segment in segments}
        began = time.monotonic()
        encoded = self._runtime.encode([segment.source_ids for segment in segments])
        encode_s = time.monotonic() - began
        found = self._search(beam_size, segments, encoded)
        timings = Timings(0.0, encode_s, time.monotonic() - began - encode_s)
        return [SegmentResult(hypotheses, timings) for hypotheses in found]

    def _search(self, beam_size: int, segments: Sequence[Segment], encoded: Any) -> list[tuple[Hypothesis, ...]]:
        """The hypotheses of each segment. Rows of one that is over go on with words that nobody reads."""
        rows, search = self._lane(beam_size)
        slots = range(len(segments))
        rows.put(slots, [encoded] * len(segments), slots)
        search.put(slots, segments)
        limit = max(segment.output_limit(self._runtime.max_target_tokens) for segment in segments)
        nobody = Segment((), SearchOptions(beam_size=beam_size, max_output_tokens=limit))
        turns, found = Turns(STEPS_PER_TICK, np.zeros(1, np.int64)), dict[int, tuple[Hypothesis, ...]]()
        while len(found) < len(segments):
            _, over = advance_rows(rows, search, turns)
            for slot in over:
                found.setdefault(slot, search.hypotheses(slot))
            if over:
                search.put(over, [nobody] * len(over))
        rows.move([], [], 0)
        search.move([], [], 0)
        return [found[slot] for slot in slots]

    def _lane(self, beam_size: int) -> tuple[Rows[Any], Search]:
        """Rows and searches, kept so that their memory is warm."""
        if beam_size not in self._lanes:
            search = Search(beam_size, self._runtime.begin_id, self._runtime.end_id, self._runtime.max_target_tokens)
            self._lanes[beam_size] = self._runtime.new_rows(beam_size), search
        return self._lanes[beam_size]
