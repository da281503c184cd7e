"""The running segments of one beam size: they step together, so greedy rows never pay for beams."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from service.engine.fused import advance_rows
from service.engine.job import Job
from service.messages import Hypothesis
from service.runtime.seam import Runtime, Turns
from service.search.search import Search

SPARE_LANES = 2
"""Empty lanes that are kept: a new one costs an allocation."""


class Lane:
    """Segments in slots, K rows each. A slot whose segment has left is a hole until another segment moves in."""

    def __init__(self, runtime: Runtime[Any], beam_size: int) -> None:
        self.beam_size = beam_size
        self._rows = runtime.new_rows(beam_size)
        self._search = Search(
            beam_size, runtime.begin_id, runtime.end_id, runtime.max_target_tokens, runtime.coverage_slices
        )
        self._jobs: list[Job | None] = []
        self._holes: list[int] = []
        self.num_real_tokens = 0
        """Source tokens of all rows, without padding."""

    @property
    def num_rows(self) -> int:
        """Live rows."""
        return (len(self._jobs) - len(self._holes)) * self.beam_size

    @property
    def source_length(self) -> int:
        """S: source columns of each row, padding included."""
        return self._rows.source_length

    @property
    def jobs(self) -> Iterator[Job]:
        """Every running job."""
        return (job for job in self._jobs if job is not None)

    def admit(self, joining: Sequence[Job]) -> None:
        """Start encoded jobs: in holes first, then after all others."""
        holes, end = self._holes[: len(joining)], len(self._jobs)
        del self._holes[: len(joining)]
        slots = [*holes, *range(end, end + len(joining) - len(holes))]
        self._jobs += [None] * (len(joining) - len(holes))
        self._rows.put(slots, [job.encoded for job in joining], [job.pick for job in joining])
        self._search.put(slots, [job.segment for job in joining])
        for slot, job in zip(slots, joining, strict=True):
            self._jobs[slot], job.encoded = job, None
            self.num_real_tokens += job.num_source_tokens * self.beam_size

    def drop(self, unwanted: Collection[Job]) -> None:
        """Remove running jobs; their rows are gone before the next step."""
        for slot, job in enumerate(self._jobs):
            if job is not None and job in unwanted:
                self._leave(slot, job)

    def step(self, turns: Turns) -> tuple[int, list[tuple[Job, tuple[Hypothesis, ...]]]]:
        """Advance every row by one token, or by more as `turns` allows. Returns the number of steps, and the finished
        jobs with their hypotheses."""
        if self._holes:
            self._close_holes()
        num_steps, over = advance_rows(self._rows, self._search, turns)
        finished = []
        for slot in over:
            job = self._jobs[slot]
            assert job is not None
            finished.append((job, self._search.hypotheses(slot)))
            self._leave(slot, job)
        return num_steps, finished

    def _leave(self, slot: int, job: Job) -> None:
        self._jobs[slot] = None
        self.num_real_tokens -= job.num_source_tokens * self.beam_size
        self._holes.append(slot)

    def _close_holes(self) -> None:
        """Move the last segments into the holes that nobody filled."""
        left = len(self._jobs) - len(self._holes)
        to = sorted(hole for hole in self._holes if hole < left)
        source = [slot for slot in range(left, len(self._jobs)) if self._jobs[slot] is not None]
        self._rows.move(to, source, left)
        self._search.move(to, source, left)
        for there, here in zip(to, source, strict=True):
            self._jobs[there] = self._jobs[here]
        del self._jobs[left:]
        self._holes.clear()


def forget_empty(lanes: dict[int, Lane]) -> None:
    """Free the memory of lanes without rows, except of the SPARE_LANES used last."""
    if len(lanes) <= SPARE_LANES:
        return
    empty = [size for size, lane in lanes.items() if not lane.num_rows]
    for size in empty[:-SPARE_LANES]:
        del lanes[size]
