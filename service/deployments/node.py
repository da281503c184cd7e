"""One machine of a cluster: Ray in a process of its own, with the safety that `attendant serve` has on one machine."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from service.deployments import members
from service.deployments.certificate import renewed_certificate, require_certificate
from service.deployments.cluster import OBJECT_STORE_BYTES, StartError, private_folder, watched
from service.deployments.draining import finish_requests
from service.deployments.environment import (
    CERTIFICATE,
    HEARTBEATS,
    LOG,
    METRICS,
    TOKEN,
    is_free,
    node_environment,
    prepare,
    shared_proxy_folder,
)
from service.deployments.logs import forwarded_logs
from service.deployments.metrics_port import metrics_server
from service.deployments.processes import end_all, processes_of
from service.deployments.reaper import reaped
from service.errors import ConfigurationError
from service.lifetimes import is_running, named
from service.observability.logs import configure_logging
from service.settings import Settings
from service.stop import Stop

PORT = 6379
"""Of the head's control, unless it is told another."""
STARTED = "Ray runtime started."
"""The line with which `ray start` says that the machine is in the cluster."""
REFUSED = "InvalidAuthToken"
"""What Ray says of a token that is not the head's."""
START_TIMEOUT_S = 120.0
HEAD_TIMEOUT_S = 5.0
HEAD_REMEDY = "name where `attendant node --head` listens, and see whether it runs"
STOP_TIMEOUT_S = 15.0
HAND_OVER_S = 30.0
"""For replicas to start on other machines, beside the time that the work under way is given."""
SPARE = 2
"""Replicas that Ray may place for each core: while a version replaces another, both have replicas."""


@dataclass(frozen=True)
class NodeOptions:
    """A machine's place in a cluster."""

    address: str
    """Of this machine, as others reach it."""
    token: str
    """The cluster's, which every machine has."""
    join: str | None = None
    """`address:port` of the head's control; None makes this machine the head."""
    port: int = PORT
    """Where the head's control listens."""
    redis: str | None = None
    """`host:port` of a Redis in which a head keeps the cluster's state, so that it may be lost and started again;
    `rediss://host:port` is TLS."""
    redis_password: str = ""
    """Of that Redis; empty where it asks for none. Ray shows it on its command lines to users of this machine."""
    cpus: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Replicas of one core that fit on this machine."""
    command: str = ""
    """The shell's words that start Ray, where something else has chosen them; empty for our own."""

    @property
    def head(self) -> str:
        """`address:port` of the head's control."""
        return self.join or f"{self.address}:{self.port}"


def serve_node(settings: Settings, options: NodeOptions, ready: Callable[[], None], stop: Stop) -> None:
    """Be a machine of the cluster until `stop` is told, then hand the work over and leave; at once when it is told
    again.

    `ready` is called once the machine is in the cluster. Raises StartError when Ray does not start, or ends by itself.
    """
    if settings.tls_certificate is not None:
        require_certificate(settings.tls_certificate)
    if not options.command:
        _require_place(options)
    configure_logging(settings.log_level)
    proxy = shared_proxy_folder(options.token)
    with (
        _only_one(options),
        private_folder() as folder,
        reaped(folder, proxy),
        forwarded_logs(folder / LOG),
        watched(folder),
    ):
        prepare(settings, folder, options.token, in_cluster=True)
        with (
            _proxy_folder(proxy),
            metrics_server(settings, folder, options.head),
            renewed_certificate(settings.tls_certificate, proxy, folder / CERTIFICATE, folder / METRICS),
            _ray(settings, options, folder) as process,
        ):
            stop.may_drain = True
            raylet = _raylet(folder)
            ready()
            while not stop.wait(timeout_s=0.5):
                if process.poll() is not None or not is_running(raylet):
                    raise StartError(_why_ended(folder, options))
            if options.join is not None:
                _hand_over(settings, options, folder)
            finish_requests(folder, settings.drain_timeout_s)


@contextlib.contextmanager
def _ray(settings: Settings, options: NodeOptions, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`ray start --block`, once this machine is in the cluster; all that it started has ended afterwards."""
    environment = {**os.environ, **node_environment(settings, folder, options.token), **_storage(options)}
    environment.pop("RAY_ADDRESS", None)
    with (folder / "ray.out").open("wb") as output:
        process = subprocess.Popen(
            _command(options, folder), env=environment, stdout=output, stderr=output, start_new_session=True
        )
    patience_s = 1.0  # there is nothing to finish while it starts
    try:
        _await_start(process, folder, options)
        patience_s = STOP_TIMEOUT_S
        yield process
    finally:
        _end(process, folder, patience_s)


@contextlib.contextmanager
def _only_one(options: NodeOptions) -> Iterator[None]:
    """Raise StartError when a machine of that address and cluster runs here already: Ray would take both, and who
    drains one could not tell them apart. The mark is an abstract Unix socket, which ends with this process."""
    name = f"attendant {hashlib.sha256(options.token.encode()).hexdigest()[:32]} {options.address}"
    with socket.socket(socket.AF_UNIX) as mark:
        try:
            mark.bind(f"\0{name}")
        except OSError:
            remedy = "end it, or say another --address"
            raise StartError(f"`attendant node` runs here with --address {options.address} already; {remedy}") from None
        yield


@contextlib.contextmanager
def _proxy_folder(path: Path) -> Iterator[None]:
    """HAProxy's folder, gone afterwards unless another machine's processes on this one use it, too.

    Raises StartError when somebody else has made it: HAProxy would read a stranger's configuration.
    """
    path.mkdir(mode=0o700, exist_ok=True)
    status = path.lstat()
    if path.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise StartError(f"{path} is not this user's alone; remove it")
    try:
        yield
    finally:
        if not any(processes_of(path)):
            shutil.rmtree(path, ignore_errors=True)


def _command(options: NodeOptions, folder: Path) -> list[str]:
    if options.command:
        return ["/bin/sh", "-c", options.command]
    where = ["--address", options.join] if options.join else ["--head", "--port", str(options.port), "--no-monitor"]
    head = [] if options.join else ["--include-dashboard", "false"]
    password = ["--redis-password", options.redis_password] if options.redis_password else []
    return [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", *where, *head, "--block", "--disable-usage-stats"),
        *("--node-ip-address", options.address, "--num-cpus", str(options.cpus * SPARE)),
        *("--object-store-memory", str(OBJECT_STORE_BYTES), "--temp-dir", str(folder / "ray"), *password),
    ]


def kuberay_options(environment: Mapping[str, str]) -> NodeOptions:
    """The place in the cluster that KubeRay gives a pod. Raises ConfigurationError outside of one."""
    needed = ("KUBERAY_GEN_RAY_START_CMD", "RAY_AUTH_TOKEN", "POD_IP")
    if missing := [name for name in needed if not environment.get(name)]:
        told = f"{', '.join(missing)} must be set: --kuberay runs in a pod of deploy/kubernetes/rayservice.yaml"
        raise ConfigurationError(told)
    command, token, address = (environment[name] for name in needed)
    head = None if " --head" in command else f"{environment.get('FQ_RAY_IP', '')}:{environment.get('RAY_PORT', PORT)}"
    return NodeOptions(address, token, join=head, command=command)


def _storage(options: NodeOptions) -> dict[str, str]:
    """Where a head keeps the cluster's state, if anywhere."""
    if options.redis is None:
        return {}
    return {"RAY_REDIS_ADDRESS": options.redis, "RAY_external_storage_namespace": "attendant"}


def _require_place(options: NodeOptions) -> None:
    """Raise StartError when the address is not of this machine, or somebody listens where its control is to."""
    if not is_free(0, options.address):
        raise StartError(f"--address {options.address} is not of this machine")
    if options.join is None and not is_free(options.port, options.address):
        remedy = "end the head that runs there, or say another --port"
        raise StartError(f"port {options.port} of {options.address} cannot be listened on; {remedy}")


def require_head(head: str) -> None:
    """Raise StartError unless something like a head's control listens at `address:port`: Ray would try for minutes."""
    try:
        with _connected(head) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            if connection.recv(5).startswith(b"HTTP/"):  # Ray's control speaks first, and HTTP/2 in frames
                raise StartError(f"{head} is a port for HTTP, and no cluster's control; {HEAD_REMEDY}")
    except (OSError, OverflowError) as error:
        raise StartError(f"no cluster answers at {head}: {error}; {HEAD_REMEDY}") from None


def _connected(place: str) -> socket.socket:
    """A connection to `address:port`. Raises OSError, and OverflowError for a port that cannot be."""
    address, _, port = place.rpartition(":")
    return socket.create_connection((address.strip("[]"), int(port)), HEAD_TIMEOUT_S)


def _await_start(process: subprocess.Popen[bytes], folder: Path, options: NodeOptions) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if STARTED in (folder / "ray.out").read_text("utf-8", "replace"):
            return
        if process.poll() is not None:
            if REFUSED in (folder / "ray.out").read_text("utf-8", "replace"):
                remedy = "copy the head's token file to this machine, and name it with --token-file"
                raise StartError(f"the cluster of {options.head} has another token than this machine; {remedy}")
            raise StartError(f"Ray did not start: {_last_words(folder)}")
        time.sleep(0.1)
    if options.join is not None:
        require_head(options.join)
    raise StartError(f"Ray did not start within {START_TIMEOUT_S:g} s: {_last_words(folder)}")


def _raylet(folder: Path) -> str:
    """The name, see `lifetimes`, of the process without which Ray has left the machine."""
    found = [pid for pid, words in processes_of(folder) if words[0].endswith(b"/raylet")]
    if not found:
        raise StartError(f"Ray ended on this machine: {_last_words(folder)}")
    return named(found[0])


def _why_ended(folder: Path, options: NodeOptions) -> str:
    """What is known of the end of a Ray that nobody told to stop."""
    told = f"Ray ended on this machine: {_last_words(folder)}"
    if options.redis is None:
        return told
    try:
        _connected(options.redis.rpartition("://")[2]).close()
    except OSError as error:
        return f"the Redis at {options.redis}, without which a head ends, does not answer: {error}; {told}"
    return told


def _last_words(folder: Path) -> str:
    """The last lines that Ray wrote, without its decoration."""
    text = (folder / "ray.out").read_text("utf-8", "replace")
    said = [line.rpartition(" -- ")[2].strip() for line in text.splitlines()]
    said = [line for line in said if line and not line.startswith(("---", "Remaining processes will be killed"))]
    return "; ".join(said[-3:]) or "it said nothing"


def _hand_over(settings: Settings, options: NodeOptions, folder: Path) -> None:
    """Have Serve move this machine's replicas to others, and wait until none is left here or it takes too long."""
    seconds = settings.drain_timeout_s + HAND_OVER_S
    asked = ["drain", options.head, str(folder / TOKEN), options.address, str(seconds)]
    done = subprocess.run([sys.executable, "-m", members.__name__, *asked], capture_output=True, check=False)
    if done.returncode != 0:  # nobody can take them, or the head is gone
        return
    deadline = time.monotonic() + seconds
    while any((folder / HEARTBEATS).iterdir()) and time.monotonic() < deadline:
        time.sleep(0.1)


def _end(process: subprocess.Popen[bytes], folder: Path, patience_s: float) -> None:
    """End Ray within that time, then whatever it left behind, known by this machine's private folder in its
    environment."""
    try:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience_s)
    finally:
        end_all(folder)
        process.wait()
