"""What the proxy alone can do: HAProxy in front of an application that answers at once."""

from __future__ import annotations

import time
from dataclasses import dataclass

from loadtests.peers.http_client import closed_loop, request_bytes
from loadtests.peers.http_load import Load
from loadtests.peers.process_cost import PROXY, RAY, REPLICA, cpu_seconds
from loadtests.peers.serving import running_application
from loadtests.server import Server


@dataclass(frozen=True, slots=True)
class Cost:
    """A closed loop and the CPU time that it took of everybody, in seconds."""

    load: Load
    proxy_s: float
    replica_s: float
    ray_s: float
    wall_s: float
    """Length of the measurement, warming up included, over which the servers' seconds are counted."""
    num_requests: float
    """Requests within it, as many per second as were counted."""

    @property
    def cores(self) -> float:
        """Cores in use, client included."""
        servers = (self.proxy_s + self.replica_s + self.ray_s) / self.wall_s
        return servers + self.load.client_cpu_s / self.load.seconds

    @property
    def proxy_ceiling(self) -> float:
        """Requests per second at which HAProxy's one thread would use a whole core."""
        return self.num_requests / self.proxy_s if self.proxy_s else float("inf")

    def __str__(self) -> str:
        each = {"proxy": self.proxy_s, "replicas": self.replica_s, "Ray": self.ray_s}
        costs = [f"{name} {1e6 * cpu_s / self.num_requests:.0f}" for name, cpu_s in each.items()]
        costs.append(f"client {1e6 * self.load.client_cpu_s / self.load.num_answered:.0f}")
        return f"{self.load.rate:.0f} requests/s, {self.cores:.2f} cores; CPU µs a request: {', '.join(costs)}"


def cost(server: Server, url: str, requests: list[bytes], num_connections: int, seconds: float, warm_s: float) -> Cost:
    """A closed loop against a server, and what it cost."""
    before, started = cpu_seconds(server.process.pid), time.monotonic()
    load = closed_loop(url, requests, num_connections, seconds, warm_s=warm_s).checked(url)
    wall_s = time.monotonic() - started
    after = cpu_seconds(server.process.pid)
    used = {role: after[role] - before[role] for role in (PROXY, REPLICA, RAY)}
    return Cost(load, used[PROXY], used[REPLICA], used[RAY], wall_s, load.rate * wall_s)


def echo_cost(num_connections: int, seconds: float, num_replicas: int = 1) -> Cost:
    """The empty application behind the product's proxy."""
    with running_application("loadtests.peers.echo:application", {}, {}, num_replicas) as server:
        request = request_bytes(f"{server.url}/v1/translate", {"text": "The black cat ate the mouse.", "beam_size": 1})
        return cost(server, server.url, [request], num_connections, seconds, seconds / 4)
