"""Serve applications that are not the product, started like it: private Ray, HAProxy, the same settings.

    python -m loadtests.peers.serving loadtests.peers.scripted_runtime:application '{"step_s": 0.05}'

serves what that function makes until it is told to stop, as `attendant serve` would. So measurements differ from the
product in exactly what they mean to compare.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from loadtests.server import Server, free_port, running_command
from service.errors import AttendantError
from service.settings import Settings, read_settings


@contextmanager
def running_application(
    application: str, options: Mapping[str, Any], settings: Mapping[str, str], num_replicas: int = 1
) -> Iterator[Server]:
    """A Serve application with ATTENDANT_* settings on a free port, ready; stopped in the end, whatever happens.

    `application` is `module:function`, which is called with the settings and `options`. Raises
    ServerError with the tail of its log.
    """
    command = [sys.executable, "-m", "loadtests.peers.serving", application, json.dumps(dict(options))]
    numbers = {"ATTENDANT_HTTP_PORT": str(free_port()), "ATTENDANT_NUM_REPLICAS": str(num_replicas)}
    with running_command(command, {**settings, **numbers}) as server:
        yield server


def deployed(ingress: type, settings: Settings, *arguments: Any) -> Any:
    """A Serve application of one deployment with the product's own limits; `ingress` builds an ASGI application."""
    from ray import serve

    from service.deployments.ingress import MAX_ONGOING_REQUESTS

    deployment: Any = serve.deployment(
        serve.ingress()(ingress),
        name="replica",
        num_replicas=settings.num_replicas,
        ray_actor_options={"num_cpus": settings.cpus_per_replica},
        max_ongoing_requests=MAX_ONGOING_REQUESTS,
        graceful_shutdown_wait_loop_s=0.1,
        graceful_shutdown_timeout_s=5.0,
    )
    return deployment.bind(*arguments)


def main() -> None:
    """Serve the application named on the command line until SIGINT or SIGTERM."""
    from service.app import serve_until_told

    name, options = sys.argv[1], json.loads(sys.argv[2])
    module, _, function = name.partition(":")
    new_application: Callable[..., Any] = getattr(importlib.import_module(module), function)
    ready = partial(print, "ready:", file=sys.stderr)
    try:
        serve_until_told(read_settings(os.environ), ready, partial(new_application, **options))
    except AttendantError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
