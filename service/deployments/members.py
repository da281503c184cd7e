"""The machines of a cluster, asked of the head's control directly, without becoming one of Ray's drivers.

Run in a process of its own, because Ray reads the token once: `list HEAD TOKEN_FILE` prints the addresses of living
machines, `drain HEAD TOKEN_FILE ADDRESS SECONDS` says that one leaves and ends with 0 when others take its replicas.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

ASK_TIMEOUT_S = 10
_ALIVE = 0
"""State of a node in the answers of Ray's control."""


def control_of(head: str, token_file: Path) -> Any:
    """A client of the control at `address:port`."""
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN_PATH=str(token_file), RAY_USAGE_STATS_ENABLED="0")
    from ray._raylet import GcsClient  # type: ignore[attr-defined]

    return GcsClient(address=head)


def living(control: Any) -> dict[str, str]:
    """Ray's id and the address of every machine that is alive."""
    nodes = control.get_all_node_info(timeout=ASK_TIMEOUT_S)
    return {node_id.hex(): info.node_manager_address for node_id, info in nodes.items() if info.state == _ALIVE}


def drain(control: Any, address: str, seconds: float) -> bool:
    """Say that the machine of that address leaves in so many seconds. Whether others are there to take its replicas."""
    from ray.core.generated import autoscaler_pb2

    alive = living(control)
    mine = [node_id for node_id, where in alive.items() if where == address]
    if len(alive) == len(mine) or not mine:
        return False
    reason = autoscaler_pb2.DrainNodeReason.Value(  # type: ignore[attr-defined]
        "DRAIN_NODE_REASON_PREEMPTION"
    )
    deadline_ms = time.time_ns() // 1_000_000 + round(seconds * 1000)
    why = "attendant node was told to stop"
    answers = [control.drain_node(one, reason, why, deadline_ms) for one in mine]  # one that was lost just now, too
    return any(accepted for accepted, _ in answers)


def main(words: list[str]) -> int:
    """`list` or `drain`; the exit status."""
    control = control_of(words[1], Path(words[2]))
    if words[0] == "list":
        print("\n".join(sorted(living(control).values())))
        return 0
    return 0 if drain(control, words[3], float(words[4])) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
