"""Rows about batching, scale and memory."""

from __future__ import annotations

from loadtests.peers import memory, scripted_scale, static_batching
from loadtests.peers.registry import Measurement

ROWS: dict[str, Measurement] = {
    "continuous-over-static": static_batching.row,
    "scripted-scale": scripted_scale.row,
    "two-replicas": scripted_scale.real_row,
    "memory": memory.table,
}
