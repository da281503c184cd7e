"""Whether this process may deploy to the cluster that it is connected to: one at a time, what its machines take, and
to the port there is."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from service.deployments.cluster import StartError
from service.deployments.node import SPARE
from service.errors import ConfigurationError
from service.settings import Settings, variable

WAIT_S = 5.0
"""For the mark of a process that has just ended."""
NAME, SPACE = "deploying", "attendant"
MACHINES = {
    name: f"is a machine's own, and no application's; set {variable(name)} where `attendant node` runs"
    for name in ("http_host", "metrics_port", "tls_certificate")
}
"""Settings of a machine, which only `attendant node` reads, and what to tell who deploys them."""
BOUNDED = "max_body_bytes", "request_timeout_s", "drain_timeout_s"
"""Settings of an application that a machine has too, for its HAProxy and its end: there they may not be less."""


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


def require_machine(settings: Settings, machine: Settings) -> None:
    """Raise ConfigurationError for settings that go beyond those with which `attendant node` runs on a machine."""
    values = [(name, getattr(settings, name), getattr(machine, name)) for name in BOUNDED]
    if over := [(name, value, its) for name, value, its in values if value > its]:
        told = ", ".join(f"{name} {value} is more than {its}" for name, value, its in over)
        remedy = " ".join(f"{variable(name)}={value}" for name, value, _ in over)
        raise ConfigurationError(f"{told}, which this machine has; start `attendant node` there with {remedy}")


def cpus_of_machines() -> list[float]:
    """Of each living machine, the cores that Ray gives away: `attendant node` says `SPARE` times as many as it has."""
    import ray

    nodes = ray.nodes()  # type: ignore[no-untyped-call]
    return [node["Resources"].get("CPU", 0.0) for node in nodes if node["Alive"]]


def has_autoscaler() -> bool:
    """Whether machines come when replicas find no room, as KubeRay's autoscaler has them."""
    from ray.autoscaler.v2.utils import is_autoscaler_v2
    from ray.experimental.internal_kv import _internal_kv_get

    return bool(is_autoscaler_v2() or _internal_kv_get("__autoscaling_status"))


def require_room(settings: Settings, cpus: Sequence[float], is_change: bool, may_grow: bool) -> str:
    """Raise ConfigurationError when machines with so many cores have no room for the replicas, unless more machines may
    come. A warning when not all replicas have room, else nothing.

    A change needs room for one replica more: a new one is ready before an old one stops.
    """
    found = max(0, sum(int(one / settings.cpus_per_replica) for one in cpus) - is_change)
    if settings.most_replicas <= found:
        return ""
    name = "num_replicas" if settings.num_replicas > found else "max_replicas"
    besides = ", and for the one that a change needs besides" if is_change else ""
    why = f"{SPARE} times their --cpus, so that old and new replicas fit side by side"
    size = f"cpus_per_replica {settings.cpus_per_replica:g}"
    room = f"{len(cpus)} machine(s) have room for {found} with {size}{besides} ({why})"
    told = f"{name} {getattr(settings, name)}: {room}"
    if name == "max_replicas" or may_grow:
        return f"{told}; the others wait until machines join."
    raise ConfigurationError(f"{told}; deploy fewer, or let more machines join, or some again with more --cpus")
