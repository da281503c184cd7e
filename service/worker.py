"""Everything that serves one bundle: its engine on a thread, its rescoring, and the translator over both."""

from __future__ import annotations

from typing import Any

from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.handle import EngineHandle
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver
from service.engine.rescoring import Rescorer
from service.runtime.seam import Runtime
from service.runtime.teacher_forced import TeacherForcedSession
from service.translator import Translator


class Worker:
    """One bundle at work, in a replica or in a command's own process."""

    def __init__(
        self, bundle: Bundle, runtime: Runtime[Any], limits: EngineLimits, observer: EngineObserver | None = None
    ) -> None:
        """`runtime` computes the bundle. Nothing runs before `handle.start()`."""
        self.handle = EngineHandle(Engine(runtime, limits, observer), bundle.manifest.reference)
        self._rescorer = None
        if bundle.teacher_forced is not None:
            self._rescorer = Rescorer(TeacherForcedSession(bundle).run, limits.max_queue_segments, self.handle.clock)
        self.translator = Translator(
            bundle,
            self.handle.translate,
            self.handle.clock,
            None if self._rescorer is None else self._rescorer.rescore,
            self.handle.require_room,
        )

    def stop(self) -> None:
        """End the threads; work that is left ends with NotReadyError."""
        self.handle.stop()
        if self._rescorer is not None:
            self._rescorer.stop()
