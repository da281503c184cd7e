"""An engine on a thread of its own, for callers on an asyncio loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from service.engine.admission import shutting_down
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.engine.limits import EngineLimits
from service.errors import AttendantError
from service.messages import Segment, SegmentResult
from service.observability.logs import ROOT

_log = logging.getLogger(f"{ROOT}.engine")


class _Group:
    """The segments of one call: their results are handed over together, from the engine's thread to the loop."""

    def __init__(self, count: int, outbox: list[_Settled]) -> None:
        """`outbox` gets the outcome of the group; the engine's thread posts it to the loop."""
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[list[SegmentResult]] = self.loop.create_future()
        self._outbox = outbox
        self._results: list[SegmentResult | None] = [None] * count
        self._left = count
        self._failed = False

    def deliver(self, i: int, outcome: Outcome) -> None:
        """Called by the engine, once for each segment."""
        self._left -= 1
        if isinstance(outcome, AttendantError):
            if not self._failed:
                self._failed = True
                self._outbox.append((self, outcome))
            return
        self._results[i] = outcome
        if self._left == 0 and not self._failed:
            self._outbox.append((self, [r for r in self._results if r is not None]))

    def settle(self, outcome: list[SegmentResult] | AttendantError) -> None:
        """Called on the group's loop, once."""
        if self.future.done():
            return
        if isinstance(outcome, AttendantError):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


_Settled = tuple[_Group, list[SegmentResult] | AttendantError]
"""A group whose results are complete, or the first error among them."""


def _post(outbox: list[_Settled]) -> None:
    """Hand all outcomes of the outbox to their event loop in one call: every call wakes the loop, which then competes
    for the interpreter lock."""
    while outbox:
        loop = outbox[0][0].loop
        settled = [one for one in outbox if one[0].loop is loop]
        outbox[:] = [one for one in outbox if one[0].loop is not loop]
        try:
            loop.call_soon_threadsafe(_settle, settled)
        except RuntimeError:  # the loop is closed: nobody waits any more
            _log.debug("a result came after its event loop had closed")


def _settle(settled: list[_Settled]) -> None:
    for group, outcome in settled:
        group.settle(outcome)


class EngineHandle:
    """Runs an engine's ticks on a thread of its own, which sleeps while there is no work."""

    def __init__(self, engine: Engine, name: str) -> None:
        """`name` is the model's, for the thread and the log."""
        self._engine, self._name = engine, name
        self._wake = threading.Condition()
        self._stopping = False
        self._turned = engine.clock()
        self._busy = False
        self.full_s = 0.0
        """Seconds that ticks have taken so far, each times the share of the batch's rows that were live in it."""
        self._outbox: list[_Settled] = []  # only the thread's
        self._thread = threading.Thread(target=self._run, name=f"engine-{name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def clock(self) -> Callable[[], float]:
        """The clock that `Segment.deadline` is on."""
        return self._engine.clock

    def room(self, client: str, num_segments: int, was_admitted: bool = False) -> AbstractContextManager[None]:
        """See `Engine.room`."""
        return self._engine.room(client, num_segments, was_admitted)

    def predicted_wait_s(self) -> float:
        """See `Engine.predicted_wait_s`."""
        return self._engine.predicted_wait_s()

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """Results in the order of `segments`; all of them are admitted, or none.

        Raises OverloadedError, DeadlineExceededError or NotReadyError. Cancelling the awaiting task cancels them.
        """
        if not segments:
            return []
        group = _Group(len(segments), self._outbox)
        jobs = self._engine.submit(segments, group.deliver)
        self._notify()
        try:
            return await group.future
        except BaseException:
            self._engine.cancel(jobs)
            self._notify()
            raise

    def configure(self, limits: EngineLimits) -> None:
        """Use new limits from the next tick on."""
        self._engine.configure(limits)
        self._notify()

    def stalled_s(self) -> float:
        """Seconds since anything was computed while there has been work; 0.0 when the engine is idle."""
        if not self._thread.is_alive() and not self._stopping:
            return float("inf")
        now = self._engine.clock()
        if self._busy:
            return now - max(self._turned, self._engine.progressed)
        waiting_since = self._engine.waiting_since()
        return 0.0 if waiting_since is None else max(0.0, now - max(waiting_since, self._turned))

    async def drain(self, timeout_s: float) -> None:
        """Refuse segments of new requests and finish the accepted ones, for at most so many seconds."""
        self._engine.close()
        deadline = self._engine.clock() + timeout_s
        while self._engine.has_work and self._engine.clock() < deadline:
            await asyncio.sleep(0.01)

    def stop(self) -> None:
        """End the thread; segments that are left end with NotReadyError."""
        self._engine.close(for_good=True)
        self._stopping = True
        self._notify()
        if self._thread.is_alive():
            self._thread.join(timeout=10.0)

    # ---- the thread ---------------------------------------------------------------------------------------------

    def _notify(self) -> None:
        with self._wake:
            self._wake.notify()

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._turn()
        except Exception:  # noqa: BLE001 the thread's last stop
            _log.exception("the thread of the engine of %s has ended", self._name)
        finally:  # whatever ended it: nobody waits for a thread that is no more
            self._engine.close(for_good=True)
            self._engine.fail(shutting_down())
            _post(self._outbox)

    def _turn(self) -> None:
        """Wait for work, and do one tick of it. A tick that raises ends its segments with an error."""
        full = 0.0
        try:
            self._sleep()
            self._busy = True
            self._turned, full = self._engine.clock(), self._fullness()
            self._engine.tick()
        except Exception:  # noqa: BLE001 a model may fail in any way, and serves on
            _log.exception("the engine of %s failed; its segments end with an error", self._name)
            self._engine.fail(AttendantError("the model failed; try again"))
        _post(self._outbox)
        started, self._turned = self._turned, self._engine.clock()
        self.full_s += (self._turned - started) * max(full, self._fullness())
        self._busy = False

    def _fullness(self) -> float:
        """Live rows as a share of those that may be."""
        return self._engine.num_running_rows / self._engine.limits.max_batch_rows

    def _sleep(self) -> None:
        """Wait until there is work, and then, by `batch_wait_ms`, for further segments."""
        with self._wake:
            self._wake.wait_for(lambda: self._stopping or self._engine.has_work, timeout=None)
            while not self._stopping and (left := self._engine.start_in()) > 0.0:
                self._wake.wait(timeout=left)
