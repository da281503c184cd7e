"""Rescoring beside decoding: translations that exist already go through the teacher-forced graph in mini-batches.

A mini-batch is small, so that a decoding step which wants the processor waits for one of them at most.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakValueDictionary

from service.engine.admission import shutting_down
from service.errors import DeadlineExceededError, OverloadedError
from service.messages import Forced, Kind, Pair

MAX_BATCH_TOKENS = 256
"""Padded tokens of a mini-batch, source and target, unless a single pair has more. Of 128 to 2,048 the fastest with
ONNX Runtime, whose logits then stay in the cache of a core."""
RETRY_AFTER_S = 1.0
MOST_TURNS = 2
"""Mini-batches of one client that may be with the thread at once: the next one waits there while one runs."""


class Rescorer:
    """Runs the pairs of all requests on a thread of its own, one mini-batch at a time."""

    def __init__(
        self,
        run: Callable[[Sequence[Pair], Collection[Kind]], list[Forced]],
        max_waiting: int = 1024,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`run` computes one mini-batch; `max_waiting` pairs may wait, and deadlines are times of `clock`."""
        self._run, self._max_waiting, self._clock = run, max_waiting, clock
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="rescoring")
        self._waiting = 0
        self._is_open = True
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def rescore(
        self, pairs: Sequence[Pair], kinds: Collection[Kind] = (), deadline: float | None = None, client: str = ""
    ) -> list[Forced]:
        """What `run` makes of each of `pairs`, in their order, with the maps of those `kinds`.

        Clients take turns by the mini-batch, and so do the requests of each. Raises OverloadedError,
        DeadlineExceededError or NotReadyError; cancelling the awaiting task leaves what has not begun.
        """
        if self._waiting and self._waiting + len(pairs) > self._max_waiting:
            raise OverloadedError("too many translations wait to be scored; try again", retry_after_s=RETRY_AFTER_S)
        self._waiting += len(pairs)
        turns = self._turns.setdefault(client, asyncio.Semaphore(MOST_TURNS))
        found: dict[int, Forced] = {}
        left = len(pairs)
        try:
            for batch in mini_batches(pairs):
                async with turns:
                    if not self._is_open:
                        raise shutting_down()
                    if deadline is not None and self._clock() >= deadline:
                        raise DeadlineExceededError("the scores were not ready in time")
                    results = await self._computed([pairs[i] for i in batch], kinds)
                for i, result in zip(batch, results, strict=True):
                    found[i] = result
                self._waiting -= len(batch)
                left -= len(batch)
        finally:
            self._waiting -= left
        return [found[i] for i in range(len(pairs))]

    async def _computed(self, batch: Sequence[Pair], kinds: Collection[Kind]) -> list[Forced]:
        """What the thread makes of a mini-batch. Raises NotReadyError when `stop` comes before its turn."""
        try:
            computing = self._executor.submit(self._run, batch, kinds)
        except RuntimeError:  # it has stopped since the caller looked
            raise shutting_down() from None
        try:
            return await asyncio.wrap_future(computing)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._is_open or (task is not None and task.cancelling()):
                raise
            raise shutting_down() from None

    def stop(self) -> None:
        """Refuse what is still to come, and end the thread; what waits for it ends with NotReadyError."""
        self._is_open = False
        self._executor.shutdown(wait=True, cancel_futures=True)


def mini_batches(pairs: Sequence[Pair], max_tokens: int = MAX_BATCH_TOKENS) -> Iterator[list[int]]:
    """The numbers of pairs that go together: of like length, with at most `max_tokens` padded tokens."""
    lengths = [(len(pair.target_ids) + 1, len(pair.source_ids) + 1) for pair in pairs]
    batch: list[int] = []
    longest = 0, 0
    for i in sorted(range(len(pairs)), key=lambda number: lengths[number]):
        longer = max(longest[0], lengths[i][0]), max(longest[1], lengths[i][1])
        if batch and (len(batch) + 1) * sum(longer) > max_tokens:
            yield batch
            batch, longer = [], lengths[i]
        batch.append(i)
        longest = longer
    if batch:
        yield batch
