"""Everything that serves one bundle: its engine on a thread, its rescoring, and the translator over both."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from service.engine.engine import Engine
from service.engine.handle import EngineHandle
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver
from service.engine.rescoring import Rescorer
from service.exchanged import ScoreRequest, TranslationRequest, TranslationResult
from service.runtime.seam import Runtime
from service.runtime.teacher_forced import TeacherForcedSession
from service.translation.streaming import TextDone
from service.translation.translator import Translator

RETIRE_AFTER_S = 0.5
"""Before a worker looks whether it has ended its requests: one that was given to it may not have begun yet."""


class Worker:
    """One bundle at work, in a replica or in a command's own process."""

    def __init__(
        self, bundle: Bundle, runtime: Runtime[Any], limits: EngineLimits, observer: EngineObserver | None = None
    ) -> None:
        """`runtime` computes the bundle. Nothing runs before `handle.start()`."""
        self.kind = runtime.kind
        """What computes, see `Runtime.kind`."""
        self.handle = EngineHandle(Engine(runtime, limits, observer), bundle.manifest.reference)
        self._rescorer = None
        if bundle.teacher_forced is not None:
            self._rescorer = Rescorer(TeacherForcedSession(bundle).run, limits.max_queue_segments, self.handle.clock)
        self.translator = Translator(
            bundle,
            self.handle.translate,
            self.handle.clock,
            None if self._rescorer is None else self._rescorer.rescore,
            self.handle.room,
        )
        self._num_under_way = 0

    @property
    def manifest(self) -> Manifest:
        """What the bundle promises."""
        return self.translator.manifest

    def check(self, request: TranslationRequest) -> None:
        """See `Translator.check`."""
        self.translator.check(request)

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        """See `Translator.translate`."""
        with self._under_way():
            return await self.translator.translate(request)

    async def stream(self, request: TranslationRequest) -> AsyncGenerator[TextDone, None]:
        """See `Translator.stream`."""
        with self._under_way():
            async with contextlib.aclosing(self.translator.stream(request)) as texts:
                async for done in texts:
                    yield done

    def check_score(self, request: ScoreRequest) -> None:
        """See `Translator.check_score`."""
        self.translator.check_score(request)

    async def score(self, request: ScoreRequest) -> TranslationResult:
        """See `Translator.score`."""
        with self._under_way():
            return await self.translator.score(request)

    async def retire(self, timeout_s: float) -> None:
        """End once every request that has begun is answered; those left after `timeout_s` end with NotReadyError."""
        deadline = self.handle.clock() + timeout_s
        await asyncio.sleep(RETIRE_AFTER_S)
        await self._answered(deadline)
        await asyncio.to_thread(self.stop)

    async def drain(self, timeout_s: float) -> None:
        """Refuse new requests and answer those under way; for at most so many seconds."""
        deadline = self.handle.clock() + timeout_s
        await self.handle.drain(timeout_s)
        await self._answered(deadline)  # one may still search again, or be written

    async def _answered(self, deadline: float) -> None:
        """Wait until no request is under way, at most until the `deadline` of the handle's clock."""
        while self._num_under_way and self.handle.clock() < deadline:
            await asyncio.sleep(0.01)

    def stop(self) -> None:
        """End the threads; work that is left ends with NotReadyError."""
        self.handle.stop()
        if self._rescorer is not None:
            self._rescorer.stop()

    @contextlib.contextmanager
    def _under_way(self) -> Iterator[None]:
        self._num_under_way += 1
        try:
            yield
        finally:
            self._num_under_way -= 1
