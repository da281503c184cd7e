"""Putting an application on a running cluster, or changing it: everything is checked before anything is touched."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pydantic import ValidationError

from service.api.keys import read_keys
from service.deployments.choices import pinned
from service.deployments.cluster import StartError, last_line, shut_serve_down
from service.deployments.deploying import (
    alone,
    cpus_of_machines,
    has_autoscaler,
    proxies_port,
    require_machine,
    require_port,
    require_room,
)
from service.errors import AttendantError
from service.settings import Settings, read_settings

KEY = b"attendant:settings"
"""Where the cluster's own store has the settings of what serves."""
LOOK_TIMEOUT_S = 120.0

UNBOUND = re.compile(r"cannot bind socket .*")
"""What HAProxy says of a port that is taken."""

Say = Callable[[str], None]
"""Takes a line of progress."""
NewApplication = Callable[[Settings], Any]
"""Makes a Serve application from the settings."""


class DeployError(StartError):
    """The new version does not serve; the old one does, if there was one."""

    code, title = "deploy", "Nothing was deployed"


@dataclass(frozen=True)
class Looked:
    """What one machine would serve."""

    address: str
    release: str
    """Of Attendant and Python."""
    bundles: tuple[tuple[str, str], ...] = ()
    """Reference and a hash of the manifest, which has hashes of everything else."""
    pairs: tuple[str, ...] = ()
    """Language pairs."""
    fault: str = ""


def deploy(
    settings: Settings, timeout_s: float, may_drop_pairs: bool, say: Say, new_application: NewApplication | None = None
) -> None:
    """Make the cluster that this process is connected to serve these settings, and wait until it does.

    Measurements run a `new_application` in place of ours. Raises ConfigurationError or DeployError; what served before
    goes on serving then.
    """
    with alone():
        _deploy(settings, timeout_s, may_drop_pairs, say, new_application)


def _deploy(
    settings: Settings, timeout_s: float, may_drop_pairs: bool, say: Say, new_application: NewApplication | None
) -> None:
    require_port(settings, proxies_port())
    before = served_settings()
    if warning := require_room(settings, cpus_of_machines(), before is not None, has_autoscaler()):
        say(warning)
    looks = _look_at_all(settings, say)
    settings = settings.model_copy(update={"models": tuple(name for name, _ in looks[0].bundles)})
    if before is not None and not may_drop_pairs:
        _require_pairs(looks[0], before)
    _try(settings, timeout_s, say)
    _start_proxies(settings)
    _remember(settings)  # Serve goes on with them when this process is ended meanwhile
    try:
        _roll(settings, timeout_s, say, new_application)
    except KeyboardInterrupt:
        say("The cluster goes on with this change by itself: see `attendant status`, or deploy the version before.")
        raise
    except DeployError as error:
        _remember(before)
        if before is None:
            raise
        say("The new version does not serve; going back to the one before ...")
        _roll(before, timeout_s, say)
        raise DeployError(f"{error}; the version before serves again") from error


def served_settings() -> Settings | None:
    """Of the application on the cluster; None when there is none."""
    from ray.experimental.internal_kv import _internal_kv_get

    found = _internal_kv_get(KEY)
    return restored_settings(found) if found else None


def restored_settings(stored: bytes) -> Settings:
    """Settings as some version of Attendant stored them; a field that this version refuses has its default."""
    try:
        return Settings.model_validate_json(stored)
    except ValidationError as error:
        refused = {fault["loc"][0] for fault in error.errors() if fault["loc"]}
        known = {name: value for name, value in json.loads(stored).items() if name not in refused}
        return Settings.model_validate_json(json.dumps(known if refused else {}))


def _remember(settings: Settings | None) -> None:
    """As what serves; None is nothing."""
    from ray.experimental.internal_kv import _internal_kv_put

    _internal_kv_put(KEY, settings.model_dump_json().encode() if settings else b"", overwrite=True)


def _look_at_all(settings: Settings, say: Say) -> Sequence[Looked]:
    """Look at every machine; they must agree. Raises DeployError."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    say(f"Checking {len(nodes)} machine(s) ...")
    look = ray.remote(num_cpus=0, max_retries=0)(_look)
    asked = [
        look.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote(
            settings, node["NodeManagerAddress"]
        )
        for node in nodes
    ]
    try:
        looks: list[Looked] = ray.get(asked, timeout=LOOK_TIMEOUT_S)
    except ray.exceptions.RayError as error:
        raise DeployError(f"a machine could not be checked: {last_line(error)}") from error
    if faults := [f"{one.address}: {one.fault}" for one in looks if one.fault]:
        raise DeployError("; ".join(faults))
    if others := [one for one in looks if (one.release, one.bundles) != (looks[0].release, looks[0].bundles)]:
        raise DeployError(f"the machines differ: {_told(looks[0])}, but {_told(others[0])}")
    return looks


def _look(settings: Settings, address: str) -> Looked:
    """Runs on a machine: open what it would serve."""
    from service.deployments.choices import open_bundles

    release = f"attendant {version('attendant')}, python {sys.version_info.major}.{sys.version_info.minor}"
    try:
        require_machine(settings, read_settings(os.environ))
        if settings.keys_file is not None:
            read_keys(settings.keys_file)
        manifests = [bundle.manifest for bundle in open_bundles(pinned(settings))]
    except AttendantError as error:
        return Looked(address, release, fault=str(error))
    except Exception as error:  # noqa: BLE001 contract errors are not of the service's tree
        return Looked(address, release, fault=str(error))
    bundles = tuple((one.reference, hashlib.sha256(one.model_dump_json().encode()).hexdigest()) for one in manifests)
    return Looked(address, release, bundles, tuple(sorted({_pair(one) for one in manifests})))


def _pair(manifest: Any) -> str:
    return f"{manifest.source}-{manifest.target}"


def _told(one: Looked) -> str:
    return f"{one.address} has {one.release} with {', '.join(name for name, _ in one.bundles)}"


def _require_pairs(new: Looked, before: Settings) -> None:
    """Raise DeployError when a language pair that is served now would be no more."""
    old = _look(before, new.address)
    if missing := sorted(set(old.pairs) - set(new.pairs)):
        raise DeployError(
            f"{', '.join(missing)} is served now and would be no more: the new version serves {', '.join(new.pairs)}; "
            "name a model for it, or say --drop-pairs"
        )


def _try(settings: Settings, timeout_s: float, say: Say) -> None:
    """Start one replica's contents on some machine, translate with every model, and end it. Raises DeployError."""
    import ray

    say(f"Trying {', '.join(settings.models)} ...")
    trial = ray.remote(num_cpus=0, max_retries=0)(_translate_once).remote(settings)
    try:
        ray.get(trial, timeout=timeout_s)
    except ray.exceptions.GetTimeoutError:
        ray.cancel(trial, force=True)
        raise DeployError(f"a replica of the new version is not ready after {timeout_s:g} s") from None
    except ray.exceptions.RayError as error:
        raise DeployError(f"a replica of the new version does not start: {last_line(error)}") from error


def _translate_once(settings: Settings) -> None:
    """Runs on a machine: all that a replica does before it is ready."""
    from service.deployments.choices import open_bundles, runtime_of
    from service.deployments.replica import Replica
    from service.observability.metrics import Metrics
    from service.observability.series import SeriesTable

    async def run() -> None:
        metrics = Metrics(SeriesTable(None))
        replica = Replica(open_bundles(settings), settings, metrics, lambda bundle: runtime_of(bundle, settings))
        await replica.start()
        await replica.stop()

    asyncio.run(run())


def _start_proxies(settings: Settings) -> None:
    """HAProxy on every machine; nothing when it is there already. Raises DeployError, and leaves none of it then."""
    from ray import serve
    from ray.serve.config import HTTPOptions

    # Replicas listen on every interface, for the proxies of the other machines, and answer nobody without their pass.
    were_there = proxies_port() is not None
    try:
        serve.start(proxy_location="EveryNode", http_options=HTTPOptions(host="0.0.0.0", port=settings.http_port))
    except Exception as error:
        if not were_there:
            shut_serve_down()
        reason = UNBOUND.search(str(error)) or [last_line(error)]
        raise DeployError(f"HAProxy does not start on a machine: {reason[0]}") from error


def _roll(settings: Settings, timeout_s: float, say: Say, new_application: NewApplication | None = None) -> None:
    """Have Serve replace the replicas, one by one, and wait. Raises DeployError."""
    from ray import serve

    from service.deployments.ingress import APPLICATION, application

    made = new_application(settings) if new_application else application(settings, surge=True)
    target = serve.RunTarget(made, name=APPLICATION, route_prefix="/")
    serve.run_many([target], wait_for_ingress_deployment_creation=False, wait_for_applications_running=False)
    deadline, told = time.monotonic() + timeout_s, ""
    while time.monotonic() < deadline:
        app = serve.status().applications[APPLICATION]
        states = [deployment.replica_states for deployment in app.deployments.values()]
        line = ", ".join(f"{count} {state.lower()}" for one in states for state, count in sorted(one.items()))
        if line and line != told:
            say(f"Replicas: {line}")
            told = line
        if app.status == "RUNNING":
            return
        if app.status in ("DEPLOY_FAILED", "UNHEALTHY"):
            reasons = [last_line(one.message) for one in app.deployments.values() if one.message]
            raise DeployError(f"the replicas do not start: {'; '.join(reasons) or app.message}")
        time.sleep(0.2)
    raise DeployError(f"the new version does not serve after {timeout_s:g} s; replicas: {told or 'none'}")
