"""Continuous batching (Yu et al. 2022, "Orca", OSDI): the batch changes between two steps, not between two requests."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from service.engine.admission import late, load_of, require_places, shutting_down
from service.engine.job import Job, Outcome, job_of
from service.engine.lane import Lane, forget_empty
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver, SilentObserver
from service.engine.pace import Pace
from service.engine.queue import FairQueue
from service.engine.ready import Ready
from service.engine.waiting import Waiting
from service.errors import AttendantError, CancelledError
from service.messages import Hypothesis, Segment, SegmentResult
from service.runtime.seam import Runtime, Turns

Clock = Callable[[], float]

ENCODED_TOKENS_PER_TICK = 1024
"""Padded source tokens after which a tick encodes no further mini-batch and steps the running rows."""
STEPS_PER_TICK = 8
"""Steps that one tick may make when no segment could join or leave between them."""
PORTIONS_PER_QUEUE = 4
"""The first segments of a call take places in the queue, up to this fraction of it."""


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
        self._ready = Ready()
        self._pace = Pace()
        self._lanes: dict[int, Lane] = {}
        self._closed = self._ended = self._cancelled = False
        self._waiting = Waiting(self._queue, self._ready, self._pace)
        self._next_deadline = math.inf
        self.progressed = -math.inf
        """Clock at which a mini-batch was last encoded or a lane last stepped."""
        self._halt = np.zeros(1, np.int64)
        """Not 0 when the running tick should end, because a segment might join or leave."""

    # ---- from any thread ----------------------------------------------------------------------------------------

    def submit(self, segments: Sequence[Segment], deliver: Callable[[int, Outcome], None]) -> list[Job]:
        """Queue all of `segments` or none; `deliver(i, outcome)` is called once for each, from the ticking thread.

        Of many segments the first portion must find room, see `FairQueue`. Raises OverloadedError when it finds none,
        or when segments not yet admitted would wait more than `max_wait_s`; NotReadyError when the engine is closed.
        """
        if not segments:
            return []
        now, first = self.clock(), segments[0]
        jobs = [job_of(segment, partial(deliver, i), now, self.runtime) for i, segment in enumerate(segments)]
        with self._lock:
            if self._ended or (self._closed and not first.was_admitted):
                raise shutting_down()
            waiting, most = self._queue.num_places + len(self._ready), self.limits.max_queue_segments
            portion = max(1, most // PORTIONS_PER_QUEUE)
            require_places(waiting, min(portion, len(jobs)), most)
            if waiting and not first.was_admitted:
                self._waiting.require_short(first.client, len(jobs), now, self.limits.max_wait_s, with_coming=False)
            self._waiting.came(jobs)
            self._queue.extend(jobs, portion)
            deadlines = (segment.deadline for segment in segments if segment.deadline is not None)
            self._next_deadline = min(self._next_deadline, *deadlines, math.inf)
        if not waiting:
            self._halt[0] = 1
        return jobs

    @contextmanager
    def room(self, client: str, num_segments: int, was_admitted: bool = False) -> Iterator[None]:
        """Let in about so many segments of a client before they are made; requests that come meanwhile wait for them.

        Raises OverloadedError when they would wait more than `max_wait_s`, and NotReadyError when the engine is closed,
        unless their request `was_admitted` before.
        """
        with self._lock:
            if self._closed and not was_admitted:
                raise shutting_down()
            if not (was_admitted or self._waiting.is_empty):
                self._waiting.require_short(client, num_segments, self.clock(), self.limits.max_wait_s)
            self._waiting.expect(client, num_segments)
        try:
            yield
        finally:
            with self._lock:
                self._waiting.expect_no_more(client, num_segments)

    def predicted_wait_s(self) -> float:
        """Seconds that a request of one segment would wait for others now; 0 when nothing waits or nothing is known."""
        with self._lock:
            return self._waiting.seconds("", 1)

    def cancel(self, jobs: Sequence[Job]) -> None:
        """Cancel jobs; their rows are free before the next step. Finished jobs are not affected."""
        for job in jobs:
            job.cancelled = True
        self._cancelled = True
        self._halt[0] = 1

    def configure(self, limits: EngineLimits) -> None:
        """Use new limits from the next tick on; what runs already stays."""
        self.limits = limits

    def close(self, for_good: bool = False) -> None:
        """Refuse segments from now on, those of admitted requests only `for_good`; ticks finish what was accepted."""
        with self._lock:
            self._closed, self._ended = True, self._ended or for_good

    @property
    def num_queued(self) -> int:
        """Segments that wait."""
        return len(self._queue) + len(self._ready)

    def waiting_since(self) -> float | None:
        """Engine clock at which the first waiting segment should have started at the latest; None when none waits."""
        try:
            return self._queue.front.submitted + self.limits.batch_wait_ms / 1000.0
        except IndexError:
            return None

    @property
    def num_running_rows(self) -> int:
        """Live rows."""
        return sum(lane.num_rows for lane in list(self._lanes.values()))

    @property
    def has_work(self) -> bool:
        """Whether a tick would do anything."""
        with self._lock:  # a segment on its way from the queue is in one of the two
            return bool(self._queue or self._ready or self.num_running_rows)

    def start_in(self) -> float:
        """Seconds that an idle engine should still wait for further segments, by `batch_wait_ms`; 0 means tick now."""
        wait_s = self.limits.batch_wait_ms / 1000.0
        if not wait_s or self.num_running_rows:
            return 0.0
        with self._lock:
            if self._ready or not self._queue:
                return 0.0
            full = sum(job.num_rows for job in self._queue) >= self.limits.max_batch_rows
            waited = self.clock() - self._queue.front.submitted
        return 0.0 if full else max(0.0, wait_s - waited)

    # ---- one iteration ------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """One iteration: drop cancelled and late segments, admit those that fit, and advance every row by one token, or
        by several when no segment could join or leave between. Returns whether work is left."""
        self._halt[0] = 0  # before looking, so that who comes from now on is seen by the steps
        now = self.clock()
        if self._cancelled or now >= self._next_deadline:
            self._drop(now)
        is_waited_for = bool(self._queue or self._ready)
        are_more = is_waited_for and self._admit()
        lanes = [lane for lane in self._lanes.values() if lane.num_rows]
        turns = Turns(1 if are_more or len(lanes) > 1 else STEPS_PER_TICK, self._halt)
        num_tokens = sum(self._step(lane, turns) for lane in lanes)
        if is_waited_for:
            self._pace.worked(num_tokens, self.clock() - now)
        forget_empty(self._lanes)
        num_queued, num_rows = self.num_queued, self.num_running_rows
        self._observer.depth(num_queued, num_rows)
        return bool(num_queued or num_rows)

    def fail(self, error: AttendantError) -> None:
        """End all waiting and running segments with `error`; the owner calls this when a tick raised."""
        with self._lock:
            jobs = dict.fromkeys([*self._running(), *self._ready.clear(), *self._queue.clear()])
        self._lanes = {}
        for job in jobs:
            self._end(job, error)

    def _drop(self, now: float) -> None:
        """End cancelled and late jobs and free their rows."""
        self._cancelled = False
        with self._lock:
            unwanted = self._queue.remove(lambda job: job.is_over(now))
        unwanted += self._ready.remove(lambda job: job.is_over(now))
        running = {job for job in self._running() if job.is_over(now)}
        if running:
            for lane in self._lanes.values():
                lane.drop(running)
            forget_empty(self._lanes)
        for job in (*unwanted, *running):
            self._end(job, CancelledError("the client closed the request") if job.cancelled else late())
        with self._lock:
            left = (job.segment.deadline for jobs in (self._queue, self._ready, self._running()) for job in jobs)
            self._next_deadline = min((d for d in left if d is not None), default=math.inf)

    def _admit(self) -> bool:
        """Give rows to segments in the order in which they left the queue, and encode some of those that come next.

        The segment in front is never overtaken, so none starves; alone it always fits, however large. Returns whether
        more might join in the next tick, because this one has encoded all that a tick may.
        """
        num_rows = self.num_running_rows
        if num_rows and self._ready.has_front and num_rows + self._ready.front.num_rows > self.limits.max_batch_rows:
            return False
        load, budget = load_of(self._running()), ENCODED_TOKENS_PER_TICK
        while budget > 0:
            self._pull(load.rows)
            if not self._ready.has_front:
                break
            with_front = load.with_job(self._ready.front)
            if load.rows and not with_front.is_within(self.limits):
                break
            if self._ready.front.encoded is None:
                budget -= self._encode()
            load = with_front
            self._ready.take()
        joining = self._ready.joining
        for beam_size in {job.num_rows: None for job in joining}:
            lane = self._lanes.get(beam_size) or Lane(self.runtime, beam_size)
            lane.admit([job for job in joining if job.num_rows == beam_size])
            self._lanes.pop(beam_size, None)
            self._lanes[beam_size] = lane  # the lane used last is the last
        self._ready.joined()
        return budget <= 0

    def _pull(self, running_rows: int) -> None:
        """Refill the ready segments, once there are none: for the free rows, and to encode ahead for all rows."""
        if self._ready.has_front or not self._queue:
            return
        room = 2 * self.limits.max_batch_rows - running_rows
        pulled: list[Job] = []
        with self._lock:
            while self._queue and (not pulled or room >= self._queue.front.num_rows):
                pulled.append(self._queue.pop())
                room -= pulled[-1].num_rows
            self._ready.extend(pulled)

    def _encode(self) -> int:
        """Encode the mini-batch of the segment in front; returns its padded source tokens."""
        batch = self._ready.next_mini_batch()
        started = self.clock()
        encoded = self.runtime.encode([job.segment.source_ids for job in batch])
        self.progressed = self.clock()
        seconds = self.progressed - started
        for pick, job in enumerate(batch):
            job.encoded, job.pick, job.started, job.encode_s = encoded, pick, started, seconds
        padded: int = encoded.num_padded_tokens
        self._observer.encoded(len(batch), encoded.num_tokens, padded, seconds)
        return padded

    def _step(self, lane: Lane, turns: Turns) -> int:
        """Advance a lane; returns the tokens that its rows have written."""
        started = self.clock()
        num_rows, num_real, source_length = lane.num_rows, lane.num_real_tokens, lane.source_length
        num_steps, finished = lane.step(turns)
        self.progressed = now = self.clock()
        self._observer.stepped(num_steps, num_rows, num_real, num_rows * source_length, (now - started) / num_steps)
        for job, hypotheses in finished:
            self._finish(job, hypotheses, now)
        return num_steps * num_rows

    def _running(self) -> list[Job]:
        return [job for lane in self._lanes.values() for job in lane.jobs]

    def _finish(self, job: Job, hypotheses: tuple[Hypothesis, ...], now: float) -> None:
        if not hypotheses:
            self._end(job, AttendantError("the model's numbers are not finite; export the model again"))
            return
        result = SegmentResult(hypotheses, job.timings(now))
        best = hypotheses[0]
        num_target_tokens = len(best.token_log_probs)
        self._pace.finished(job.num_source_tokens, num_target_tokens)
        self._observer.finished(best.finish_reason, result.timings, job.num_source_tokens, num_target_tokens)
        job.deliver(result)

    def _end(self, job: Job, error: AttendantError) -> None:
        self._observer.dropped(error.code)
        job.deliver(error)
