"""Leaving a cluster: asked of the head's control directly, without becoming one of Ray's drivers."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

ASK_TIMEOUT_S = 10
_ALIVE = 0
"""State of a node in the answers of Ray's control."""


def drain(head: str, address: str, token_file: Path, seconds: float) -> bool:
    """Tell the head that the machine of that address leaves in so many seconds.

    Whether others are there to take its replicas. Run in a process of its own: Ray reads the token once.
    """
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN_PATH=str(token_file), RAY_USAGE_STATS_ENABLED="0")
    from ray._raylet import GcsClient
    from ray.core.generated import autoscaler_pb2

    control = GcsClient(address=head)
    nodes = control.get_all_node_info(timeout=ASK_TIMEOUT_S)
    alive = {node_id.hex(): info.node_manager_address for node_id, info in nodes.items() if info.state == _ALIVE}
    mine = [node_id for node_id, where in alive.items() if where == address]
    if len(alive) < 2 or not mine:
        return False
    reason = autoscaler_pb2.DrainNodeReason.Value("DRAIN_NODE_REASON_PREEMPTION")
    deadline_ms = time.time_ns() // 1_000_000 + round(seconds * 1000)
    accepted, _ = control.drain_node(mine[0], reason, "attendant node was told to stop", deadline_ms)
    return bool(accepted)


if __name__ == "__main__":
    sys.exit(0 if drain(sys.argv[1], sys.argv[2], Path(sys.argv[3]), float(sys.argv[4])) else 1)
