"""Whether this process may deploy to the cluster that it is connected to: one at a time, and to the port there is."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from service.deployments.cluster import StartError
from service.errors import ConfigurationError
from service.settings import Settings

WAIT_S = 5.0
"""For the mark of a process that has just ended."""
NAME, SPACE = "deploying", "attendant"


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """No other process deploys to this cluster while the block runs. Raises StartError when one does already.

    The mark is an actor with a name, which the cluster ends with the process that made it, however that ends.
    """
    import ray

    mark = _mark(ray.remote(num_cpus=0)(_Mark).options(name=NAME, namespace=SPACE).remote)
    try:
        yield
    finally:
        ray.kill(mark)


def _mark(make: Callable[[], Any]) -> Any:
    """What `make` makes; it raises ValueError as long as there is one."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            return make()
        except ValueError:
            if time.monotonic() > deadline:
                told = "another `attendant deploy` runs on this cluster; wait until it has ended"
                raise StartError(told) from None
            time.sleep(0.2)


class _Mark:
    """Does nothing."""


def proxies_port() -> int | None:
    """Where the proxies of the cluster listen; None before its first deploy."""
    from ray.serve.context import _get_global_client

    client = _get_global_client(raise_if_no_controller_running=False)
    return None if client is None else int(client.http_config.port)


def require_port(settings: Settings, port: int | None) -> None:
    """Raise ConfigurationError when proxies listen on another `port` than the settings': Serve would leave them there.

    None means that there are no proxies.
    """
    if port not in (None, settings.http_port):
        told = (
            f"http_port {settings.http_port}: the proxies of this cluster listen on port {port} since its first deploy"
        )
        raise ConfigurationError(f"{told}; deploy with http_port = {port}, or begin the cluster anew for another one")
