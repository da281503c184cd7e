"""Memory planning: where the rows that steps hand to each other lie."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from service.lowering.plan import Step
from service.lowering.values import Tensor
from service.memory import whole_lines


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Where rows lie, in bytes for each row of a batch: rows of n begin at n times their offset."""

    offsets: Mapping[Tensor, int]
    row_bytes: int
    """Bytes that all together take for each row."""


def plan_memory(steps: Sequence[Step], outputs: Collection[Tensor]) -> MemoryPlan:
    """A place for all rows but `outputs`, which others place; memory is used again once its rows have been read."""
    last_use = {source: i for i, step in enumerate(steps) for source in step.sources()}
    offsets: dict[Tensor, int] = {}
    free: list[tuple[int, int]] = []
    end = 0
    for i, step in enumerate(steps):
        spent = {source for source in step.sources() if last_use[source] == i and source not in outputs}
        written_over = next((source for source in step.writes_over() if source in spent), None)
        target = step.target
        if target and target not in outputs and written_over:
            spent.remove(written_over)
            offsets[target] = offsets[written_over]
        elif target and target not in outputs:
            size = whole_lines(target.row_bytes)
            fitting = min((place for place in free if place[0] >= size), default=None)
            if fitting is None:
                offsets[target], end = end, end + size
            else:
                free.remove(fitting)
                offsets[target] = fitting[1]
                if fitting[0] > size:
                    free.append((fitting[0] - size, fitting[1] + size))
        free += [(whole_lines(rows.row_bytes), offsets[rows]) for rows in spent]
    return MemoryPlan(offsets, end)
