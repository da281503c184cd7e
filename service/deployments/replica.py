"""What one replica holds: an engine for each bundle, and the HTTP API over them. Knows no Ray."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model_store.contract.bundle import Bundle
from service.api.app import Api
from service.api.catalogue import Catalogue
from service.api.releases import Releases, parsed_labels
from service.api.shadows import Shadows, parsed_shadows
from service.deployments.choices import engine_limits, keyring, limits_with, request_limits
from service.deployments.heartbeat import Heartbeat
from service.engine.limits import EngineLimits
from service.errors import AttendantError
from service.exchanged import AttentionOptions, TranslationRequest
from service.messages import SearchOptions
from service.observability.logs import ROOT, flush_logs
from service.observability.metrics import Metrics
from service.observability.traces import open_tracing
from service.runtime.seam import Runtime
from service.settings import Settings
from service.translator import Translator
from service.worker import Worker

MAX_STALL_S = 5.0
"""An engine that has work and has not ticked for this long is stuck. Serve checks every second and restarts the replica
after the third bad answer, so that it takes less than 10 s."""
WARM_UP = ("Hello.", "How are you today?")
WARM_UP_TIMEOUT_S = 600.0
"""Without `attendant prepare` the first translation compiles: most of a minute, longer on a busy machine."""

_log = logging.getLogger(f"{ROOT}.replica")


class StuckEngineError(AttendantError):
    """An engine has not ticked for too long; the replica must be restarted."""


class Replica:
    """Every model served by one process."""

    def __init__(
        self,
        bundles: Sequence[Bundle],
        settings: Settings,
        metrics: Metrics,
        new_runtime: Callable[[Bundle], Runtime[Any]],
        heartbeat: Heartbeat | None = None,
        proxy_pass: bytes | None = None,
    ) -> None:
        """`heartbeat` leaves signs of life once the replica is ready; None leaves none. `proxy_pass`: see `Api`."""
        self._heartbeat = heartbeat
        self._settings, self._metrics = settings, metrics
        self._base_limits = engine_limits(settings)
        self._runtimes: dict[str, str] = {}
        self._models = [self._model(bundle, new_runtime(bundle)) for bundle in bundles]
        self._is_ready = False
        releases = Releases(parsed_labels(settings.labels), settings.canary_share, metrics.canary_withdrawn)
        self._looked = time.monotonic(), 0.0
        catalogue = Catalogue([model.translator for model in self._models], self._runtimes, releases)
        self._shadows = Shadows(catalogue, parsed_shadows(settings.shadows), settings.shadow_share, metrics)
        self._tracing = open_tracing(settings.otlp_endpoint)
        self.app = Api(
            catalogue,
            request_limits(settings),
            metrics,
            is_ready=lambda: self._is_ready,
            on_shutdown=self.stop,
            keyring=keyring(settings),
            proxy_pass=proxy_pass,
            shadows=self._shadows,
            tracing=self._tracing,
        )

    async def start(self) -> None:
        """Start the engines and translate something with each; ready afterwards."""
        self._metrics.process_started()
        for model in self._models:
            model.handle.start()
        for model in self._models:
            await self._warm_up(model.translator)
        self._is_ready = True
        self._metrics.ready(True)
        if self._heartbeat is not None:
            self._heartbeat.start()
        _log.info("ready: %s", ", ".join(model.translator.manifest.reference for model in self._models))

    def configure(self, user_config: Mapping[str, Any]) -> EngineLimits:
        """Use these engine limits from the next tick on; unnamed ones have their setting. Raises ConfigurationError."""
        limits = limits_with(self._base_limits, user_config)
        for model in self._models:
            model.handle.configure(limits)
        _log.info("engine limits: %s", limits.model_dump())
        return limits

    def check_health(self) -> None:
        """Raise StuckEngineError when an engine has work but has not ticked for MAX_STALL_S."""
        for model in self._models:
            stalled_s, name = model.handle.stalled_s(), model.translator.manifest.reference
            self._metrics.engine_stalled(name, stalled_s)
            self._metrics.predicted_wait(name, model.handle.predicted_wait_s())
            if stalled_s > MAX_STALL_S:
                raise StuckEngineError(f"the engine of {name} has not turned for {stalled_s:.1f} s")

    def load(self) -> tuple[float, float]:
        """Predicted wait of the model with the longest one, in seconds, and the mean share of the batches' rows that
        was live since the last call; above 1 when several models were busy at once."""
        wait_s = max(model.handle.predicted_wait_s() for model in self._models)
        now, full = time.monotonic(), sum(model.handle.full_s for model in self._models)
        (before, had_been), self._looked = self._looked, (now, full)
        return wait_s, (full - had_been) / max(now - before, 1e-3)

    async def stop(self) -> None:
        """Refuse new work, finish what was accepted, end the engines."""
        self._is_ready = False
        self._metrics.ready(False)
        await self._shadows.stop()
        drains = [model.handle.drain(self._settings.drain_timeout_s) for model in self._models]
        await asyncio.gather(*drains)
        for model in self._models:
            await asyncio.to_thread(model.stop)
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.stop)
        flush_logs()

    def _model(self, bundle: Bundle, runtime: Runtime[Any]) -> Worker:
        reference = bundle.manifest.reference
        self._metrics.model_served(bundle.manifest, runtime.kind)
        self._runtimes[reference] = runtime.kind
        return Worker(bundle, runtime, self._base_limits, self._metrics.engine_observer(reference))

    async def _warm_up(self, translator: Translator) -> None:
        for beam_size in (1, 4):
            search = SearchOptions(beam_size=beam_size)
            attention = AttentionOptions() if translator.manifest.attention_slices else None
            await translator.translate(TranslationRequest(WARM_UP, search, attention, timeout_s=WARM_UP_TIMEOUT_S))
