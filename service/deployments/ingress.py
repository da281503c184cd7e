"""The one deployment: Ray Serve around a replica. No logic of its own."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from typing import Any

from ray import serve

from model_store.contract.bundle import Bundle
from model_store.contract.errors import StoreError
from service.api.app import Api
from service.deployments.choices import among, limits_with, open_bundles, runtime_of, up_to_date, version_of
from service.deployments.environment import CLUSTER_DEREGISTRATION_S, LOG, node_folder
from service.deployments.node_parts import node_parts
from service.deployments.replica import Replica
from service.deployments.scaling import FULL, WAIT, autoscaling
from service.deployments.whole_answers import send_whole_answers
from service.engine.limits import EngineLimits
from service.errors import AttendantError
from service.observability.logs import ROOT, configure_logging
from service.observability.metrics import Metrics
from service.runtime.seam import Runtime
from service.settings import Settings

APPLICATION = "attendant"
MAX_ONGOING_REQUESTS = 10_000
"""Far above an engine's batch: load shedding is the engine's job, because only it can say when to retry."""
GC_THRESHOLDS = (10_000, 20, 50)
"""Thresholds of Python's garbage collector. A request of 64 texts makes thousands of objects that live as long as the
request; with Python's defaults the collector scans them again and again, for a tenth of the request's time."""
LOGS_HELD_S = 0.1
"""Seconds for which log lines are gathered before they are written."""

_log = logging.getLogger(f"{ROOT}.replica")

NewRuntime = Callable[[Bundle, Settings], Runtime[Any]]
"""Loads a bundle into a runtime."""


class Ingress:
    """What Serve calls: build, reconfigure, check_health."""

    def __init__(self, settings: Settings, new_runtime: NewRuntime = runtime_of) -> None:
        folder = node_folder()
        configure_logging(settings.log_level, (folder / LOG).open("a") if folder else None, LOGS_HELD_S)
        send_whole_answers()
        metrics = Metrics()
        metrics.replica_started()
        try:
            parts = node_parts(folder, settings) if folder else None
            settings = up_to_date(settings)
            bundles = open_bundles(settings)
            self._replica = Replica(bundles, settings, metrics, lambda bundle: new_runtime(bundle, settings), parts)
        except (AttendantError, StoreError) as error:
            _log.error("a replica cannot start: %s", error)  # Ray tells its own logs alone
            raise

    async def __serve_build_asgi_app__(self) -> Api:
        """Warm up; Serve sends requests only afterwards."""
        await self._replica.start()
        gc.set_threshold(*GC_THRESHOLDS)  # Serve freezes what is there when this returns
        return self._replica.app

    def reconfigure(self, user_config: dict[str, Any]) -> None:
        """Take engine limits at run time."""
        self._replica.configure(user_config)

    def record_autoscaling_stats(self) -> dict[str, float]:
        """What the autoscaler's policy looks at."""
        wait_s, full = self._replica.load()
        return {WAIT: wait_s, FULL: full}

    def check_health(self) -> None:
        """Raise when an engine is stuck; Serve then replaces the replica."""
        self._replica.check_health()


def application(
    settings: Settings,
    user_config: dict[str, Any] | None = None,
    new_runtime: NewRuntime = runtime_of,
    surge: bool = False,
) -> Any:
    """The Serve application. `user_config` holds engine limits. `surge`: a replica of another version starts before an
    old one stops, which needs room for one more.

    Replicas log to their node's pipe, or to stderr where no server of ours runs. Measurements of the service itself run
    it on another `new_runtime`.

    Deployed again with the same settings and another `user_config`, the running replicas take it in place. Raises
    ConfigurationError before anything is deployed.
    """
    limits_with(among(settings, EngineLimits), user_config or {})
    deployment: Any = serve.deployment(
        serve.ingress()(Ingress),
        name="replica",
        num_replicas=settings.num_replicas if (scaled := autoscaling(settings)) is None else None,
        autoscaling_config=scaled,
        ray_actor_options={"num_cpus": settings.cpus_per_replica},
        user_config=user_config or {},
        logging_config={"log_level": "WARNING", "enable_access_log": False},  # nobody reads Serve's own lines
        max_surge_percent=max(1, 100 // settings.num_replicas) if surge else 0,
        max_ongoing_requests=MAX_ONGOING_REQUESTS,
        health_check_period_s=1.0,
        health_check_timeout_s=10.0,
        graceful_shutdown_wait_loop_s=0.1,
        graceful_shutdown_timeout_s=settings.drain_timeout_s + CLUSTER_DEREGISTRATION_S + 5.0,
    )
    deployment._version = version_of(settings)  # Serve 2.60 takes none, and draws a new one for every deploy
    return deployment.bind(settings, new_runtime)
