"""Rows about batching, scale and memory."""

from __future__ import annotations

from functools import partial

from loadtests.peers import memory, scripted_scale, static_batching
from loadtests.peers.registry import Measurement

ROWS: dict[str, Measurement] = {
    "continuous-over-static": static_batching.row,
    "continuous-over-static-leaving": partial(static_batching.row, rows_leave=True),
    "scripted-scale": scripted_scale.row,
    "two-replicas": scripted_scale.real_row,
    "memory": memory.table,
}
