"""Several "machines" on one: network namespaces on a bridge, each with an address and a node of a cluster.

Needs Linux, iproute2 and the right to make namespaces (root); `why_not` says what is missing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from loadtests.server import ServerError, sigterm_unwinds
from service.deployments.environment import haproxy_binary

NETWORK = "10.77.0"
BRIDGE = "att-br"
CONTROL_PORT = 6379
HTTP_PORT = 8000
METRICS_PORT = 9100
BALANCER_PORT = 28_080
PASSWORD = "redis.key"
"""File of the password of Redis, in the folder of a cluster."""
LOCK = Path(tempfile.gettempdir()) / "attendant-machines.lock"
"""Held by the run that has the machines: their names and addresses are the same in every run."""
STARTED_WITHIN_S = 90.0
STOPPED_WITHIN_S = 90.0


def why_not() -> str:
    """Why machines cannot be made here; empty when they can."""
    if shutil.which("ip") is None:
        return "iproute2 is not installed"
    probe = f"att-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    if made.returncode == 0:
        _ip("netns", "del", probe)
        return ""
    return f"this user may not make network namespaces: {made.stderr.strip()}"


@dataclass
class Machine:
    """A namespace with an address."""

    number: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Of the namespace."""
        return f"att{self.number}"

    @property
    def address(self) -> str:
        """On the bridge."""
        return f"{NETWORK}.{self.number}"

    @property
    def url(self) -> str:
        """Of its HTTP API."""
        return f"http://{self.address}:{HTTP_PORT}"

    @property
    def metrics_url(self) -> str:
        """Of its node, which serves metrics whether or not a replica runs there."""
        return f"http://{self.address}:{METRICS_PORT}"

    def start(self, command: Sequence[str], log: Path, **variables: str) -> subprocess.Popen[bytes]:
        """Run a command on the machine, its output going to `log`."""
        with log.open("ab") as stream:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *command],
                env={**os.environ, **variables},
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def pids(self) -> list[int]:
        """Everything that runs on it."""
        return [int(pid) for pid in _ip("netns", "pids", self.name).split()]

    def kill(self) -> None:
        """Cut the power: every process on it ends at once."""
        while pids := self.pids():  # again for those that were just being started
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for process in self.processes:
                process.poll()

    def set_link(self, is_up: bool) -> None:
        """Pull its cable, or plug it in again."""
        _ip("link", "set", f"attv{self.number}", "up" if is_up else "down")


@contextlib.contextmanager
def machines(count: int) -> Iterator[list[Machine]]:
    """So many machines; everything on them has ended, and they are gone, afterwards, also after SIGTERM.

    Raises ServerError when another run has them.
    """
    made = [Machine(number) for number in range(1, count + 1)]
    with _alone(), sigterm_unwinds(), _plugged_in(made):
        yield made


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock of the machines; the kernel lets it go when this process ends, however it does."""
    with LOCK.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ServerError(f"another run has the machines ({LOCK} is locked); wait until it has ended") from None
        yield


@contextlib.contextmanager
def _plugged_in(made: Sequence[Machine]) -> Iterator[None]:
    """The machines' namespaces on a bridge."""
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{NETWORK}.254/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        for machine in made:
            _plug_in(machine)
        yield
    finally:
        for machine in made:
            with contextlib.suppress(subprocess.CalledProcessError):
                machine.kill()
                _ip("link", "del", f"attv{machine.number}")  # the namespace goes when its last process has
                _ip("netns", "del", machine.name)
            for process in machine.processes:
                process.wait(10)
        with contextlib.suppress(subprocess.CalledProcessError):
            _ip("link", "del", BRIDGE)


def _plug_in(machine: Machine) -> None:
    outside, inside = f"attv{machine.number}", f"atte{machine.number}"
    _ip("netns", "add", machine.name)
    _ip("link", "add", outside, "type", "veth", "peer", "name", inside)
    _ip("link", "set", outside, "master", BRIDGE)
    _ip("link", "set", outside, "up")
    _ip("link", "set", inside, "netns", machine.name)
    _ip("-n", machine.name, "addr", "add", f"{machine.address}/24", "dev", inside)
    for device in (inside, "lo"):
        _ip("-n", machine.name, "link", "set", device, "up")


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=True).stdout


@dataclass
class Cluster:
    """Machines with `attendant node` on each."""

    machines: list[Machine]
    folder: Path
    """Token and logs."""
    redis: str | None = None

    @property
    def head(self) -> Machine:
        """The first one."""
        return self.machines[0]

    @property
    def control(self) -> str:
        """Address of the head's control."""
        return f"{self.head.address}:{CONTROL_PORT}"

    def node(self, machine: Machine) -> subprocess.Popen[bytes]:
        """Start `attendant node` there and wait until it is in the cluster. Raises ServerError."""
        keeping = ["--redis", self.redis, "--redis-password-file", f"{self.folder}/{PASSWORD}"] if self.redis else []
        role = ["--head", *keeping] if machine is self.head else ["--join", self.control]
        log = self.log(machine)
        before = log.read_text().count("Ready after") if log.exists() else 0
        command = self._command("node", *role, "--address", machine.address, "--cpus", "1")
        process = machine.start(command, log, ATTENDANT_METRICS_PORT=str(METRICS_PORT))
        deadline = time.monotonic() + STARTED_WITHIN_S
        while log.read_text().count("Ready after") == before:
            if process.poll() is not None or time.monotonic() > deadline:
                raise ServerError(f"{machine.address} did not join\n{log.read_text()[-2000:]}")
            time.sleep(0.1)
        return process

    def deploy(self, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """`attendant deploy` with these settings, letting everybody in."""
        return self.ask("deploy", "--open", *options, **settings)

    def ask(self, name: str, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """A command of `attendant` that asks the cluster, run on the head."""
        variables = {f"ATTENDANT_{setting.upper()}": value for setting, value in settings.items()}
        command = self._on_head(name, *options)
        return subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)

    def asking(self, name: str, *options: str) -> subprocess.Popen[str]:
        """The same of a command that runs until it is interrupted."""
        return subprocess.Popen(
            self._on_head(name, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def log(self, machine: Machine) -> Path:
        """What its node wrote."""
        return self.folder / f"{machine.name}.log"

    def _on_head(self, name: str, *options: str) -> list[str]:
        command = self._command(name, *options, "--cluster", self.control)
        return ["ip", "netns", "exec", self.head.name, *command]

    def _command(self, name: str, *options: str) -> list[str]:
        return [
            str(Path(sys.executable).with_name("attendant")),
            name,
            *options,
            "--token-file",
            f"{self.folder}/token",
        ]


@contextlib.contextmanager
def cluster(count: int, redis: bool = False) -> Iterator[Cluster]:
    """A cluster of so many machines, nothing deployed; with a Redis of its own when asked for."""
    with tempfile.TemporaryDirectory(prefix="attendant-cluster-") as folder, machines(count) as made:
        made_cluster = Cluster(made, Path(folder), f"{NETWORK}.254:{CONTROL_PORT + 1}" if redis else None)
        with _redis(Path(folder)) if redis else contextlib.nullcontext():
            for machine in made:
                made_cluster.node(machine)
            yield made_cluster


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[None]:
    """A Redis on the bridge, which outlives every machine and asks for the password of the file that is written."""
    password, file = secrets.token_hex(16), folder / PASSWORD
    file.touch(mode=0o600)
    file.write_text(password)
    options = ["--requirepass", password]
    options += ["--bind", f"{NETWORK}.254", "--port", str(CONTROL_PORT + 1), "--protected-mode", "no", "--save", ""]
    process = subprocess.Popen(
        ["redis-server", *options, "--dir", str(folder), "--appendonly", "no"], stdout=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def load_balancer(of: Sequence[Machine]) -> Iterator[str]:
    """A HAProxy before the machines, which asks each second whether they are ready; its URL."""
    servers = "\n".join(f"    server {one.name} {one.address}:{HTTP_PORT}" for one in of)
    config = f"""defaults
    mode http
    timeout client 60s
    timeout server 60s
    timeout connect 1s
    retry-on conn-failure empty-response
    option redispatch 1
frontend everybody
    bind 127.0.0.1:{BALANCER_PORT}
    default_backend machines
backend machines
    option httpchk GET /health/ready
    default-server check inter 1s fall 2 rise 1
{servers}
"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "haproxy.cfg")
        path.write_text(config)
        silent = subprocess.DEVNULL
        process = subprocess.Popen([haproxy_binary(), "-db", "-f", str(path)], stdout=silent, stderr=silent)
        try:
            time.sleep(2.0)  # until it has asked everybody
            yield f"http://127.0.0.1:{BALANCER_PORT}"
        finally:
            process.terminate()
            process.wait(10)


def wait_until_answering(machine: Machine, within_s: float) -> float:
    """Seconds until its HTTP API was ready. Raises ServerError."""
    started = time.monotonic()
    with httpx.Client(base_url=machine.url, timeout=2.0, trust_env=False) as client:
        while (waited := time.monotonic() - started) < within_s:
            with contextlib.suppress(httpx.HTTPError):
                if client.get("/health/ready").status_code == 200:
                    return waited
            time.sleep(0.1)
    raise ServerError(f"{machine.address} did not answer within {within_s:g} s")
