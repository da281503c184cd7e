"""Continuous batching (Yu et al. 2022, "Orca", OSDI): the batch changes between two steps, not between two requests."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from service.engine.admission import admit
from service.engine.job import Job, Outcome
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver, SilentObserver
from service.errors import AttendantError, CancelledError, DeadlineExceededError, NotReadyError, OverloadedError
from service.messages import Segment, SegmentResult
from service.runtime.seam import Runtime
from service.search.choose import new_search, output_limit
from service.search.greedy import GreedySearch
from service.search.seam import Survivors

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
        self._queue: deque[Job] = deque()
        self._running: list[Job] = []
        self._rows = runtime.new_rows()
        self._tokens = np.zeros(0, dtype=np.int64)
        self._closed = False

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
        return jobs

    def cancel(self, jobs: Sequence[Job]) -> None:
        """Give up on jobs; their rows are free before the next step. Jobs that are over already stay as they are."""
        for job in jobs:
            job.cancelled = True

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
            return self._queue[0].submitted + self.limits.batch_wait_ms / 1000.0
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
        waited = self.clock() - self._queue[0].submitted
        return 0.0 if full else max(0.0, self.limits.batch_wait_ms / 1000.0 - waited)

    # ---- one iteration ------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Drop what is over, admit what fits, advance every row by one token. Returns whether work is left."""
        self._drop()
        self._admit()
        if self._running:
            self._step()
        self._observer.depth(len(self._queue), self._rows.num_rows)
        return self.has_work

    def fail(self, error: AttendantError) -> None:
        """End everything that waits or runs with `error`: for an owner whose tick raised."""
        with self._lock:
            jobs = [*self._running, *self._queue]
            self._queue.clear()
        self._running = []
        self._rows = self.runtime.new_rows()
        self._tokens = np.zeros(0, dtype=np.int64)
        for job in jobs:
            self._end(job, error)

    def _drop(self) -> None:
        """End cancelled and late jobs and free their rows."""
        now = self.clock()
        with self._lock:
            waiting = [job for job in self._queue if self._over(job, now)]
            if waiting:
                self._queue = deque(job for job in self._queue if not self._over(job, now))
        running = [job for job in self._running if self._over(job, now)]
        if running:
            gone = set(running)
            kept = np.concatenate([np.full(job.num_rows, job not in gone) for job in self._running])
            self._running = [job for job in self._running if job not in gone]
            self._take(np.flatnonzero(kept), self._tokens[kept])
        for job in (*waiting, *running):
            late = not job.cancelled
            self._end(job, self._late() if late else CancelledError("the client closed the request"))

    def _admit(self) -> None:
        with self._lock:
            jobs = admit(self._queue, self._running, self.limits)
        if not jobs:
            return
        started = self.clock()
        encoded = self.runtime.encode([job.segment.source_ids for job in jobs])
        self._rows.append(encoded)
        seconds = self.clock() - started
        for job in jobs:
            job.started, job.encode_s = started, seconds
        self._running += jobs
        self._tokens = np.concatenate([self._tokens, np.full(len(jobs), self.runtime.begin_id, dtype=np.int64)])
        self._observer.encoded(len(jobs), encoded.num_tokens, encoded.num_padded_tokens, seconds)

    def _step(self) -> None:
        started = self.clock()
        want_attention = any(job.segment.want_attention for job in self._running)
        num_rows, width = self._rows.num_rows, self._rows.width
        out = self._rows.step(self._tokens, want_attention)
        survivors = self._advance(out.log_probs, out.attention)
        real = sum(job.num_source_tokens * job.num_rows for job in self._running)
        self._retire(survivors)
        self._observer.stepped(num_rows, real, num_rows * width, self.clock() - started)

    def _advance(self, log_probs: np.ndarray, attention: np.ndarray) -> list[Survivors]:
        """Let every job choose its next tokens."""
        survivors = []
        best = log_probs.argmax(axis=1)
        first = 0
        for job in self._running:
            rows = slice(first, first + job.num_rows)
            kept = attention[rows, :, : job.num_source_tokens] if job.segment.want_attention else None
            if job.reserved_rows == 1:
                token = int(best[first])
                kept = None if kept is None else kept[0].copy()
                assert isinstance(job.search, GreedySearch)
                survivors.append(job.search.accept(token, float(log_probs[first, token]), kept))
            else:
                survivors.append(job.search.advance(log_probs[rows], kept))
            first = rows.stop
        return survivors

    def _retire(self, survivors: Sequence[Survivors]) -> None:
        """Move the batch to the rows that go on, and deliver what is over."""
        rows: list[int] = []
        tokens: list[int] = []
        over: list[Job] = []
        going: list[Job] = []
        first = 0
        for job, (parents, chosen) in zip(self._running, survivors, strict=True):
            rows.extend(first + parent for parent in parents)
            tokens.extend(chosen)
            first += job.num_rows
            job.num_rows = len(chosen)
            (going if chosen else over).append(job)
        self._running = going
        self._take(np.array(rows, dtype=np.int64), np.array(tokens, dtype=np.int64))
        now = self.clock()
        for job in over:
            self._finish(job, now)

    # ---- small parts --------------------------------------------------------------------------------------------

    def _take(self, rows: np.ndarray, tokens: np.ndarray) -> None:
        self._rows.take(rows)
        self._tokens = tokens

    def _finish(self, job: Job, now: float) -> None:
        result = SegmentResult(job.search.hypotheses(), job.timings(now))
        best = result.hypotheses[0]
        num_target_tokens = len(best.token_log_probs)
        self._observer.finished(best.finish_reason, result.timings, job.num_source_tokens, num_target_tokens)
        job.deliver(result)

    def _end(self, job: Job, error: AttendantError) -> None:
        self._observer.dropped(error.code)
        job.deliver(error)

    def _over(self, job: Job, now: float) -> bool:
        return job.cancelled or (job.segment.deadline is not None and now >= job.segment.deadline)

    def _job(self, segment: Segment, i: int, deliver: Callable[[int, Outcome], None], now: float) -> Job:
        assert segment.source_ids, "a segment needs at least one token"
        assert len(segment.source_ids) < self.runtime.max_source_tokens, "a segment must fit the model"
        max_tokens = output_limit(segment.options, len(segment.source_ids) + 1, self.runtime.max_target_tokens)
        search = new_search(segment.options, self.runtime.end_id, max_tokens)
        return Job(segment, lambda outcome: deliver(i, outcome), now, max_tokens, search)

    def _overloaded(self, waiting: int, asked: int) -> OverloadedError:
        detail = f"{waiting} segments wait, {asked} more pass the limit of {self.limits.max_queue_segments}; try later"
        return OverloadedError(detail, retry_after_s=1.0)

    @staticmethod
    def _late() -> DeadlineExceededError:
        return DeadlineExceededError(
            "the deadline passed before the translation was ready; ask for less or allow more time"
        )
