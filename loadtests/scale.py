"""Change how many replicas a running server has, so that Serve starts or drains them as when an operator scales it.

    python -m loadtests.scale SERVER_PID NUM_REPLICAS

Ray Serve offers this to operators through its dashboard and to external scalers; `attendant serve` runs without either.
So this speaks to Serve's controller as `serve.run` does: the same deployment, the same version, another number.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from loadtests.processes import descendants, replica_pids, title

APPLICATION = "attendant"
DEPLOYMENT = "replica"


def main() -> None:
    """Find the server's Ray, join it, change the number."""
    server_pid, num_replicas = map(int, sys.argv[1:])
    os.environ.update(ray_variables(replica_pids(server_pid)[0]))  # before Ray is imported
    scale(gcs_address(server_pid), num_replicas)


def gcs_address(server_pid: int) -> str:
    """Where the server's Ray keeps its state, as its processes are told on their command lines."""
    for pid in descendants(server_pid):
        if found := re.search(r"--gcs-address=(\S+)", title(pid)):
            return found.group(1)
    raise LookupError(f"no process of Ray below {server_pid}")


def ray_variables(pid: int) -> dict[str, str]:
    """The variables of Ray that a process was started with: where its token is, that its node is on loopback, ..."""
    pairs = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    found = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    return {name: value for name, value in found.items() if name.startswith("RAY_")}


def scale(address: str, num_replicas: int) -> None:
    """Give the controller the deployment that it has, with another number of replicas."""
    import ray
    from ray.serve._private.constants import SERVE_CONTROLLER_NAME, SERVE_NAMESPACE
    from ray.serve.generated import serve_pb2

    ray.init(address=address, namespace=SERVE_NAMESPACE, log_to_driver=False)
    messages: Any = serve_pb2  # generated: its classes are made at import
    controller = ray.get_actor(SERVE_CONTROLLER_NAME, namespace=SERVE_NAMESPACE)
    route = messages.DeploymentRoute.FromString(ray.get(controller.get_deployment_info.remote(DEPLOYMENT, APPLICATION)))
    info = route.deployment_info
    info.deployment_config.num_replicas = num_replicas
    info.deployment_config.version = info.version
    arguments = messages.DeploymentArgs(
        deployment_name=DEPLOYMENT,
        deployment_config=info.deployment_config.SerializeToString(),
        replica_config=info.replica_config.SerializeToString(),
        deployer_job_id=ray.get_runtime_context().get_job_id(),
        ingress=True,
        route_prefix="/",
    )
    deployments = {APPLICATION: [arguments.SerializeToString()]}
    applications = {APPLICATION: messages.ApplicationArgs().SerializeToString()}
    ray.get(controller.deploy_applications.remote(deployments, applications))
    ray.shutdown()


if __name__ == "__main__":
    main()
