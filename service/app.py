"""The composition root: settings -> deployments -> the Ray Serve application -> a running server."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import Any

from service.deployments.certificate import renewed_certificate
from service.deployments.choices import pinned, require_doors
from service.deployments.cluster import StartError, private_folder, private_ray, run, watched
from service.deployments.environment import CERTIFICATE, LOG, METRICS, PROXY, listening_error
from service.deployments.logs import forwarded_logs
from service.deployments.metrics_port import metrics_server
from service.deployments.probe import is_ready, local_url
from service.deployments.reaper import reaped
from service.deployments.rollout import NewApplication
from service.errors import ConfigurationError
from service.observability.logs import configure_logging
from service.settings import Settings, read_settings, variable
from service.stop import Stop

READY_TIMEOUT_S = 30.0


def build(args: dict[str, Any]) -> Any:
    """The Serve application for `serve run service.app:build` and Serve's configuration file.

    `args` are settings by field name, over those from the environment.
    """
    from service.deployments.ingress import application

    settings = read_settings(os.environ, args)
    require_doors(settings)
    return application(pinned(settings), surge=True)


def serve_until_told(
    settings: Settings, ready: Callable[[str], None], new_application: NewApplication | None = None
) -> None:
    """Run the server until SIGINT or SIGTERM, then drain and stop everything; a second signal skips the draining.

    Calls `ready` with the URL once requests are answered. Measurements run other applications in place of ours; they
    must answer GET /health/ready. Raises ConfigurationError, StoreError or StartError.
    """
    require_free_port(settings.http_host, settings.http_port)
    require_doors(settings)
    settings = pinned(settings)  # a store that cannot be served is told before anything starts
    configure_logging(settings.log_level)
    stop = Stop()
    stop.listen()
    with (
        private_folder() as folder,
        reaped(folder),
        forwarded_logs(folder / LOG),
        private_ray(settings, folder),
        watched(folder),
        metrics_server(settings, folder),
        renewed_certificate(settings.tls_certificate, folder / PROXY, folder / CERTIFICATE, folder / METRICS),
    ):
        stop.listen()  # again, because Ray has set handlers of its own
        _deploy(settings, new_application)
        url = local_url(settings.http_host, settings.http_port, settings.tls_certificate is not None)
        stop.may_drain = True
        _wait_until_ready(url, stop)
        if not stop.was_told:
            ready(url)
        stop.wait()


def require_free_port(host: str, port: int) -> None:
    """Raise ConfigurationError unless the port can be listened on."""
    if (error := listening_error(port, host)) is not None:
        reason = "is in use by another program" if error.errno == errno.EADDRINUSE else f"cannot be used: {error}"
        remedy = f"set {variable('http_port')} to a free port or {variable('http_host')} to another address"
        raise ConfigurationError(f"port {port} of {host} {reason}; {remedy}")


def _deploy(settings: Settings, new_application: NewApplication | None) -> None:
    from service.deployments.ingress import APPLICATION, application  # only now may Ray be imported

    run((new_application or application)(settings), APPLICATION)


def _wait_until_ready(url: str, stop: Stop) -> None:
    """Return when the whole path answers: HAProxy learns of the replicas a moment after Serve says they run.

    Or when there was a signal.
    """
    deadline = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < deadline:
        if stop.was_told or is_ready(url, timeout_s=2.0):
            return
        time.sleep(0.05)
    raise StartError(f"{url}/health/ready did not answer within {READY_TIMEOUT_S:g} s of the replicas' start")
