"""Continuous batching (Yu et al. 2022, "Orca", OSDI): the batch changes between two steps, not between two requests."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from service.engine.admission import admit
from service.engine.job import Job, Outcome
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver, SilentObserver
from service.engine.placement import Change, Placement
from service.engine.queue import FairQueue
from service.engine.selection import choose_next
from service.errors import AttendantError, CancelledError, DeadlineExceededError, NotReadyError, OverloadedError
from service.messages import Segment, SegmentResult
from service.runtime.seam import Runtime
from service.search.choose import new_search, output_limit

Clock = Callable[[], float]


class Engine:
    """Batches segments over one runtime. `tick()` does one iteration; whoever owns the engine calls it.

    `submit`, `cancel`, `configure` and `close` may be called from any thread, `tick` from one only.
    """

    def __init__(
        self,
        runtime: Runtime[Any],
        limits: EngineLimits | None = None,
        observer: EngineObserver | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.runtime, self.clock = runtime, clock
        self.limits = limits or EngineLimits()
        self._observer = observer or SilentObserver()
        self._lock = threading.Lock()
        self._queue = FairQueue()
        self._running: dict[Job, None] = {}
        self._rows, self._placement = runtime.new_rows(), Placement()
        self._tokens = np.zeros(0, dtype=np.int64)
        self._closed = self._cancelled = False
        self._next_deadline = math.inf

    # ---- from any thread ----------------------------------------------------------------------------------------

    def submit(self, segments: Sequence[Segment], deliver: Callable[[int, Outcome], None]) -> list[Job]:
        """Queue all of `segments` or none; `deliver(i, outcome)` is called once for each, from the ticking thread.

        Raises OverloadedError when they do not all fit into the queue, NotReadyError when the engine is closed.
        """
        now = self.clock()
        jobs = [self._job(segment, i, deliver, now) for i, segment in enumerate(segments)]
        with self._lock:
            if self._closed:
                raise NotReadyError("the server is shutting down; send the request to another replica")
            waiting = len(self._queue)
            if waiting + len(jobs) > self.limits.max_queue_segments:
                raise self._overloaded(waiting, len(jobs))
            self._queue.extend(jobs)
            deadlines = (segment.deadline for segment in segments if segment.deadline is not None)
            self._next_deadline = min(self._next_deadline, *deadlines, math.inf)
        return jobs

    def cancel(self, jobs: Sequence[Job]) -> None:
        """Give up on jobs; their rows are free before the next step. Jobs that are over already stay as they are."""
        for job in jobs:
            job.cancelled = True
        self._cancelled = True

    def configure(self, limits: EngineLimits) -> None:
        """Use new limits from the next tick on; what runs already stays."""
        self.limits = limits

    def close(self) -> None:
        """Refuse new segments from now on; ticks go on until what was taken is done."""
        with self._lock:
            self._closed = True

    @property
    def num_queued(self) -> int:
        """Segments that wait."""
        return len(self._queue)

    def waiting_since(self) -> float | None:
        """Engine clock at which the first waiting segment should have started at the latest; None when none waits."""
        try:
            return self._queue.front.submitted + self.limits.batch_wait_ms / 1000.0
        except IndexError:
            return None

    @property
    def num_running_rows(self) -> int:
        """Live rows."""
        return self._rows.num_rows

    @property
    def has_work(self) -> bool:
        """Whether a tick would do anything."""
        return bool(self._queue or self._running)

    def start_in(self) -> float:
        """Seconds for which an idle engine should still wait for company, by `batch_wait_ms`; 0 means tick now."""
        if self._running or not self._queue:
            return 0.0
        full = sum(job.reserved_rows for job in self._queue) >= self.limits.max_batch_rows
        waited = self.clock() - self._queue.front.submitted
        return 0.0 if full else max(0.0, self.limits.batch_wait_ms / 1000.0 - waited)

    # ---- one iteration ------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Drop what is over, admit what fits, advance every row by one token. Returns whether work is left."""
        now = self.clock()
        if self._cancelled or now >= self._next_deadline:
            self._drop(now)
        self._admit()
        if self._running:
            self._step()
        self._observer.depth(len(self._queue), self._rows.num_rows)
        return self.has_work

    def fail(self, error: AttendantError) -> None:
        """End everything that waits or runs with `error`: for an owner whose tick raised."""
        with self._lock:
            jobs = [*self._running, *self._queue.clear()]
        self._running = {}
        self._rows, self._placement = self.runtime.new_rows(), Placement()
        self._tokens = np.zeros(0, dtype=np.int64)
        for job in jobs:
            self._end(job, error)

    def _drop(self, now: float) -> None:
        """End cancelled and late jobs and free their rows."""
        self._cancelled = False
        with self._lock:
            waiting = self._queue.remove(lambda job: job.is_over(now))
        running = [job for job in self._running if job.is_over(now)]
        if running:
            self._move([(job, ()) for job in running])
        for job in (*waiting, *running):
            self._running.pop(job, None)
            self._end(job, CancelledError("the client closed the request") if job.cancelled else _late())
        with self._lock:
            deadlines = (job.segment.deadline for job in (*self._queue, *self._running))
            self._next_deadline = min((d for d in deadlines if d is not None), default=math.inf)

    def _admit(self) -> None:
        if not self._queue:
            return
        with self._lock:
            jobs = admit(self._queue, list(self._running), self.limits)
        if not jobs:
            return
        started = self.clock()
        encoded = self.runtime.encode([job.segment.source_ids for job in jobs])
        self._rows.append(encoded)
        seconds = self.clock() - started
        for job in jobs:
            job.started, job.encode_s = started, seconds
            self._placement.add(job)
            self._running[job] = None
        self._tokens = np.concatenate([self._tokens, np.full(len(jobs), self.runtime.begin_id, dtype=np.int64)])
        self._observer.encoded(len(jobs), encoded.num_tokens, encoded.num_padded_tokens, seconds)

    def _step(self) -> None:
        started = self.clock()
        num_rows, width = self._rows.num_rows, self._rows.width
        num_real = sum(job.num_source_tokens * len(job.rows) for job in self._running)
        want_attention = any(job.segment.want_attention for job in self._running)
        log_probs, attention = self._rows.step(self._tokens, want_attention)
        changes, self._tokens = choose_next(self._running, log_probs, attention)
        self._move(changes)
        for job, _ in changes:
            if job.rows:
                self._tokens[job.rows] = job.next_tokens()
        self._observer.stepped(num_rows, num_real, num_rows * width, self.clock() - started)
        now = self.clock()
        for job, _ in changes:
            if not job.rows:
                self._finish(job, now)

    def _move(self, changes: Sequence[Change]) -> None:
        """Let rows be copied, given up and moved together."""
        if changes:
            rows = self._placement.change(changes)
            self._rows.take(rows)
            self._tokens = self._tokens[rows]

    # ---- small parts --------------------------------------------------------------------------------------------

    def _finish(self, job: Job, now: float) -> None:
        del self._running[job]
        result = SegmentResult(job.search.hypotheses(), job.timings(now))
        best = result.hypotheses[0]
        num_target_tokens = len(best.token_log_probs)
        self._observer.finished(best.finish_reason, result.timings, job.num_source_tokens, num_target_tokens)
        job.deliver(result)

    def _end(self, job: Job, error: AttendantError) -> None:
        self._observer.dropped(error.code)
        job.deliver(error)

    def _job(self, segment: Segment, i: int, deliver: Callable[[int, Outcome], None], now: float) -> Job:
        assert segment.source_ids, "a segment needs at least one token"
        assert len(segment.source_ids) < self.runtime.max_source_tokens, "a segment must fit the model"
        max_tokens = output_limit(segment.options, len(segment.source_ids) + 1, self.runtime.max_target_tokens)
        search = new_search(segment.options, self.runtime.end_id, max_tokens)
        return Job(segment, lambda outcome: deliver(i, outcome), now, max_tokens, search)

    def _overloaded(self, waiting: int, asked: int) -> OverloadedError:
        detail = f"{waiting} segments wait, {asked} more pass the limit of {self.limits.max_queue_segments}; try later"
        return OverloadedError(detail, retry_after_s=1.0)


def _late() -> DeadlineExceededError:
    detail = "the deadline passed before the translation was ready; ask for less or allow more time"
    return DeadlineExceededError(detail)
