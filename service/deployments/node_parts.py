"""What a replica has of its machine: signs of life, counts and keys that its replicas share, the pass of the proxy."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from service.api.ledger import Ledger
from service.deployments.environment import HEARTBEATS, KEYS, LEDGER, SCHEMAS, TOKEN, on_one_machine
from service.deployments.haproxy import proxy_pass
from service.deployments.heartbeat import Heartbeat, MachineShare, Siblings
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class NodeParts:
    """All None: a replica that no server of ours has started, as in a test."""

    heartbeat: Heartbeat | None = None
    """Leaves signs of life once the replica is ready."""
    siblings: Siblings | None = None
    """The replicas of the machine."""
    proxy_pass: bytes | None = None
    """See `Api`."""
    ledger: Ledger | None = None
    """Of the machine; None is one of this process."""
    share: Callable[[], float] | None = None
    """The machine's share of each limit of a key; None is all of it."""
    schemas_file: Path | None = None
    """See `Api`."""
    kept_keys: Path | None = None
    """See `Keyring`."""


def node_parts(folder: Path, settings: Settings) -> NodeParts:
    """The parts that lie in a node's private folder."""
    keys = hashlib.sha256(str(settings.keys_file).encode()).hexdigest()[:16]  # a machine may have several such files
    return NodeParts(
        Heartbeat(folder / HEARTBEATS),
        Siblings(folder / HEARTBEATS),
        proxy_pass((folder / TOKEN).read_text("ascii")).encode(),
        Ledger(folder / LEDGER),
        None if on_one_machine() else MachineShare(folder / HEARTBEATS, settings.most_replicas),
        folder / SCHEMAS,
        folder / f"{KEYS}-{keys}",
    )
