"""Which waiting segments may join the batch now."""

from __future__ import annotations

from service.engine.job import Job
from service.engine.limits import EngineLimits
from service.engine.queue import FairQueue


def admit(queue: FairQueue, running: list[Job], limits: EngineLimits) -> list[Job]:
    """Take from the front of `queue` what fits beside `running`; the front job is never overtaken, so none starves.

    A segment alone always fits, however large.
    """
    rows = sum(job.reserved_rows for job in running)
    width = max((job.num_source_tokens for job in running), default=0)
    depth = max((job.max_tokens for job in running), default=0)
    admitted: list[Job] = []
    while queue:
        job = queue.front
        rows += job.reserved_rows
        width, depth = max(width, job.num_source_tokens), max(depth, job.max_tokens)
        over = rows > limits.max_batch_rows or rows * (width + depth) > limits.max_batch_tokens
        if over and (running or admitted):
            break
        admitted.append(queue.pop())
    return admitted
