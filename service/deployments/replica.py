"""What one replica holds: an engine for each bundle, and the HTTP API over them. Knows no Ray."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model_store.contract.bundle import Bundle
from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.keys import Keyring
from service.api.ledger import Ledger
from service.api.releases import CanaryBounds, Releases, canaries, parsed_labels
from service.api.shadows import Shadows, parsed_shadows
from service.deployments.choices import among, limits_with, open_bundles, pinned
from service.deployments.heartbeat import SILENT_S
from service.deployments.node_parts import NodeParts
from service.deployments.scaling import desired
from service.engine.limits import EngineLimits
from service.engine.observer import EngineObserver
from service.errors import AttendantError
from service.exchanged import AttentionOptions, TranslationRequest
from service.messages import SearchOptions
from service.observability.logs import ROOT, flush_logs
from service.observability.metrics import Metrics
from service.observability.traces import open_tracing
from service.reread import WatchedFile
from service.runtime.seam import Runtime
from service.settings import Settings
from service.translation.worker import Worker

WARM_UP = ("Hello.", "How are you today?")
WARM_UP_TIMEOUT_S = 600.0
"""Without `attendant prepare` the first translation compiles: most of a minute, longer on a busy machine."""
CHECK_S = 1.0
"""Seconds between two looks at the models file."""
RETRY_S = 5.0
"""Seconds after which a models file without use is tried again: a bundle may have been repaired or published."""

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
        node: NodeParts | None = None,
    ) -> None:
        """`new_runtime` loads a bundle. `node` has what the replica shares with others of its machine."""
        node = node or NodeParts()
        self._heartbeat, self._siblings, self._lost = node.heartbeat, node.siblings, 1.0
        self._settings, self._metrics, self._new_runtime = settings, metrics, new_runtime
        self._base_limits = self._limits = among(settings, EngineLimits)
        self._is_ready = False
        self._looked = time.monotonic(), 0.0
        self._ledger = node.ledger or Ledger()
        self._workers = {
            bundle.manifest.reference: self._worker(bundle, metrics.engine_observer(bundle.manifest.reference))
            for bundle in bundles
        }
        catalogue, self._shadows = self._offer(self._workers, settings)
        self._tracing = open_tracing(settings.otlp_endpoint)
        keys_file = settings.keys_file
        self._keyring = Keyring(keys_file, self._ledger, node.share, kept=node.kept_keys) if keys_file else None
        self.app = Api(
            catalogue,
            among(settings, RequestLimits),
            metrics,
            is_ready=lambda: self._is_ready,
            on_shutdown=self.stop,
            keyring=self._keyring,
            proxy_pass=node.proxy_pass,
            shadows=self._shadows,
            tracing=self._tracing,
            schemas_file=node.schemas_file,
        )
        self._watched = WatchedFile(settings.models_file) if settings.models_file else None
        self._watching: asyncio.Task[None] | None = None
        self._told = ""
        """Why the models file had no use when that was last logged; empty while it has."""

    async def start(self) -> None:
        """Start the engines and translate something with each; ready afterwards."""
        self._metrics.process_started()
        if self._settings.max_replicas is not None:
            self._metrics.autoscales(self._settings.num_replicas, self._settings.max_replicas)
        for worker in self._workers.values():
            worker.handle.start()
        for worker in self._workers.values():
            await _warm_up(worker)
            self._metrics.model_served(worker.manifest, worker.kind)
        self._is_ready = True
        self._metrics.ready(True)
        if self._heartbeat is not None:
            self._heartbeat.start(self._silent_s)
        if self._watched is not None:
            self._watching = asyncio.get_running_loop().create_task(self._watch(self._watched))
        _log.info("ready: %s", ", ".join(self._workers))

    async def serve(self, settings: Settings, bundles: Sequence[Bundle]) -> None:
        """Serve these bundles, with the labels and shadows of `settings`, from now on; no request gets an error by it.

        A model that is new translates something before it is served. One that is gone ends its requests first. Raises
        what keeps a new one from serving; all stays as it was then.
        """
        new: dict[str, Worker] = {}
        try:
            for bundle in bundles:
                if (reference := bundle.manifest.reference) not in self._workers:
                    observer = self._metrics.engine_observer(reference)
                    new[reference] = worker = await asyncio.to_thread(self._worker, bundle, observer)
                    worker.handle.start()
                    await _warm_up(worker)
            both = {**self._workers, **new}
            workers = {bundle.manifest.reference: both[bundle.manifest.reference] for bundle in bundles}
            catalogue, shadows = self._offer(workers, settings)
        except BaseException:
            for worker in new.values():
                await asyncio.to_thread(worker.stop)
            raise
        gone = [worker for reference, worker in self._workers.items() if reference not in workers]
        before, self._shadows, self._workers = self._shadows, shadows, workers
        self.app.offer(catalogue, shadows)
        await before.stop()
        for worker in new.values():
            self._metrics.model_served(worker.manifest, worker.kind)
        await asyncio.gather(*(worker.retire(self._settings.drain_timeout_s) for worker in gone))
        for worker in gone:
            self._metrics.model_gone(worker.manifest, worker.kind)
        if gone:
            del gone, worker, both
            gc.collect()  # they hold each other, and the collector's next full round may be hours away

    def configure(self, user_config: Mapping[str, Any]) -> EngineLimits:
        """Use these engine limits from the next tick on; unnamed ones have their setting. Raises ConfigurationError."""
        self._limits = limits_with(self._base_limits, user_config)
        self._configure_engines()
        _log.info("engine limits: %s", self._limits.model_dump())
        return self._limits

    def _configure_engines(self) -> None:
        """Give all engines their limits. Where a machine has lost replicas, those that are left take over the waiting
        rooms of the others, until new ones have started: what is refused at once finds no other place."""
        limits = self._limits.model_copy(update={"max_wait_s": self._limits.max_wait_s * self._lost})
        for worker in self._workers.values():
            worker.handle.configure(limits)

    def check_health(self) -> None:
        """Raise StuckEngineError when an engine has work but has computed nothing for `max_stall_s`. Called every
        second; Serve restarts a replica after the third bad answer, where no watchdog of ours has killed it before."""
        self._releases.hold()
        if self._keyring is not None:
            self._metrics.file_usable("keys", self._keyring.look())
        if self._siblings is not None and (lost := self._siblings.lost()) != self._lost:
            self._lost = lost
            self._configure_engines()
        for name, worker in self._workers.items():
            stalled_s = worker.handle.stalled_s()
            self._metrics.engine_stalled(name, stalled_s)
            self._metrics.predicted_wait(name, worker.handle.predicted_wait_s())
            if stalled_s > self._settings.max_stall_s:
                raise StuckEngineError(f"the engine of {name} has computed nothing for {stalled_s:.1f} s")

    def _silent_s(self) -> float:
        """Seconds without a sign of life of the engine that has given none for longest. The watchdog, which kills
        after SILENT_S, is told less where `max_stall_s` is more."""
        stalled_s = max((worker.handle.stalled_s() for worker in self._workers.values()), default=0.0)
        return max(0.0, stalled_s - (self._settings.max_stall_s - SILENT_S))

    def load(self) -> tuple[float, float]:
        """Predicted wait of the model with the longest one, in seconds, and the mean share of the batches' rows that
        was live since the last call; above 1 when several models were busy at once."""
        workers = self._workers.values()
        wait_s = max(worker.handle.predicted_wait_s() for worker in workers)
        now, full = time.monotonic(), sum(worker.handle.full_s for worker in workers)
        (before, had_been), self._looked = self._looked, (now, full)
        share = max(0.0, full - had_been) / max(now - before, 1e-3)  # a model that is gone takes its seconds away
        self._metrics.replicas_wanted(desired(1, wait_s, share, self._settings.target_wait_s))
        return wait_s, share

    async def stop(self) -> None:
        """Refuse new work, finish what was accepted, end the engines."""
        self._is_ready = False
        self._metrics.ready(False)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._shadows.stop()
        workers = self._workers.values()
        await asyncio.gather(*(worker.drain(self._settings.drain_timeout_s) for worker in workers))
        for worker in workers:
            await asyncio.to_thread(worker.stop)
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._tracing is not None:
            await asyncio.to_thread(self._tracing.stop)
        flush_logs()

    def _worker(self, bundle: Bundle, observer: EngineObserver) -> Worker:
        return Worker(bundle, self._new_runtime(bundle), self._limits, observer)

    def _offer(self, workers: Mapping[str, Worker], settings: Settings) -> tuple[Catalogue, Shadows]:
        """What the API chooses from. Raises ConfigurationError for a shadow that cannot be."""
        labels = parsed_labels(settings.labels)
        on_withdrawn = self._metrics.canary_withdrawn
        bounds = among(settings, CanaryBounds)
        releases = Releases(labels, settings.canary_share, on_withdrawn, bounds, self._ledger)
        self._metrics.canaries_offered(canaries(labels))
        kinds = {reference: worker.kind for reference, worker in workers.items()}
        catalogue = Catalogue(list(workers.values()), kinds, releases)
        shadows = Shadows(catalogue, parsed_shadows(settings.shadows), settings.shadow_share, self._metrics)
        self._releases = releases
        return catalogue, shadows

    # ---- the models file ----------------------------------------------------------------------------------------

    async def _watch(self, file: WatchedFile) -> None:
        """Serve what the models file says, now and whenever it changes; what failed is tried again."""
        while True:
            is_done, tried = await self._follow(), time.monotonic()
            while not file.has_changed() and (is_done or time.monotonic() - tried < RETRY_S):
                await asyncio.sleep(CHECK_S)

    async def _follow(self) -> bool:
        """Serve what the models file says, and whether that could be done. One without use leaves everything as it is,
        and is told once for each reason."""
        before = list(self._workers)
        try:
            settings = await asyncio.to_thread(pinned, self._settings)
            await self.serve(settings, await asyncio.to_thread(open_bundles, settings))
        except Exception as error:  # noqa: BLE001 whatever is wrong with a new model, the others serve on
            self._metrics.file_usable("models", False)
            told = f"{type(error).__name__}: {error}"
            if told != self._told:
                _log.error("the models stay as they were: %s", told)
            self._told = told
            return False
        self._told = ""
        self._metrics.file_usable("models", True)
        gone = [reference for reference in before if reference not in self._workers]
        _log.info("serving %s%s", ", ".join(self._workers), f"; gone: {', '.join(gone)}" if gone else "")
        return True


async def _warm_up(worker: Worker) -> None:
    for beam_size in (1, 4):
        search = SearchOptions(beam_size=beam_size)
        attention = AttentionOptions() if worker.manifest.attention_slices else None
        await worker.translate(TranslationRequest(WARM_UP, search, attention, timeout_s=WARM_UP_TIMEOUT_S))
