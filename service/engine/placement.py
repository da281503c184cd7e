"""Which row of the batch each hypothesis lies in. Rows stay where they are unless something must move.

A row that goes on keeps its place, one more copy of it goes into a row that its own segment gave up, and a hole that is
left is closed by the last row: no step copies more than what changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.engine.job import Job

Change = tuple[Job, Sequence[int]]
"""A job, and the ranks of its present rows that its next rows come from; none when it is over."""


class Placement:
    """The owner of every row. `job.rows` lists a job's rows, best hypothesis first."""

    def __init__(self) -> None:
        self._owners: list[Job] = []
        self._ranks: list[int] = []

    @property
    def num_rows(self) -> int:
        """R."""
        return len(self._owners)

    def add(self, job: Job) -> None:
        """Give a new job one row after all others."""
        job.rows = [len(self._owners)]
        self._owners.append(job)
        self._ranks.append(0)

    def change(self, changes: Sequence[Change]) -> np.ndarray:
        """Apply changes; for each row of the new batch, the row of the old one that it comes from [R']."""
        source = list(range(self.num_rows))
        holes: list[int] = []
        homeless: list[tuple[int, Job, int]] = []
        for job, parents in changes:
            holes += self._settle(job, parents, source, homeless)
        for row, job, rank in homeless:
            place = holes.pop() if holes else self._lengthen(source)
            source[place] = row
            self._own(place, job, rank)
        self._close(holes, source)
        return np.array(source, dtype=np.int64)

    def _settle(
        self, job: Job, parents: Sequence[int], source: list[int], homeless: list[tuple[int, Job, int]]
    ) -> list[int]:
        """Place a job's next rows on its own present ones; returns those that are left over."""
        present, free = job.rows, set(job.rows)
        job.rows = [-1] * len(parents)
        copies: list[tuple[int, int]] = []
        for rank, parent in enumerate(parents):
            row = present[parent]
            if row in free:
                free.remove(row)
                self._own(row, job, rank)
            else:
                copies.append((row, rank))
        left = sorted(free)
        for row, rank in copies:
            if left:
                place = left.pop()
                source[place] = row
                self._own(place, job, rank)
            else:
                homeless.append((row, job, rank))
        return left

    def _close(self, holes: list[int], source: list[int]) -> None:
        """Move last rows into holes until there are none."""
        remaining = set(holes)
        for hole in sorted(holes):
            while remaining and len(source) - 1 in remaining:
                remaining.remove(len(source) - 1)
                self._shorten(source)
            if hole not in remaining:
                continue
            remaining.remove(hole)
            source[hole] = source[-1]
            self._own(hole, self._owners[-1], self._ranks[-1])
            self._shorten(source)

    def _own(self, row: int, job: Job, rank: int) -> None:
        self._owners[row], self._ranks[row] = job, rank
        job.rows[rank] = row

    def _lengthen(self, source: list[int]) -> int:
        source.append(-1)
        self._owners.append(self._owners[-1])
        self._ranks.append(-1)
        return len(source) - 1

    def _shorten(self, source: list[int]) -> None:
        source.pop()
        self._owners.pop()
        self._ranks.pop()
