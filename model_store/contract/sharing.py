"""Weights that several graphs have alike are stored once: stretches of a graph file lie in a file beside it.

A graph as it is used is its file with those stretches put in. They are bytes, so nobody parses ONNX to put a graph
together, and what was hashed is what is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from model_store.contract.errors import ContractError
from model_store.contract.manifest import Graph, SharedStretch

MAX_GRAPH_BYTES = (1 << 31) - 1
"""What one ONNX protobuf can hold."""


def whole_graph(graph: Graph, files: Mapping[str, bytes], shared_file: str | None) -> bytes:
    """The graph with its shared stretches in place. Raises ContractError when they do not fit."""
    stored = files[graph.file]
    if not graph.shared:
        return stored
    source = files.get(shared_file or "")
    if source is None:
        raise ContractError([f"{graph.file} has shared stretches, and there is no file of them"])
    faults = _faults(graph, len(stored), len(source))
    if faults:
        raise ContractError(faults)
    pieces: list[bytes] = []
    position = taken = 0
    for stretch in graph.shared:
        pieces += [stored[taken : taken + stretch.at - position], source[stretch.start : stretch.start + stretch.size]]
        taken += stretch.at - position
        position = stretch.at + stretch.size
    return b"".join([*pieces, stored[taken:]])


def _faults(graph: Graph, stored: int, source: int) -> list[str]:
    total = stored + sum(stretch.size for stretch in graph.shared)
    position, faults = 0, []
    for stretch in graph.shared:
        if stretch.at < position or stretch.at + stretch.size > total or stretch.start + stretch.size > source:
            faults.append(f"{graph.file}: the shared stretch at byte {stretch.at} does not fit")
        position = stretch.at + stretch.size
    return [*faults, *([f"{graph.file} has {total} bytes with what is shared"] if total > MAX_GRAPH_BYTES else [])]


def split_shared(
    graphs: Sequence[bytes], candidates: Sequence[Sequence[bytes]]
) -> tuple[list[bytes], list[tuple[SharedStretch, ...]], bytes]:
    """Take out of `graphs` what two or more have: what is left of each, its stretches, and the shared bytes.

    `candidates[i]` are the weights of graph i, as they stand in its bytes; those of more than one graph are shared.
    """
    counts = Counter(data for weights in candidates for data in dict.fromkeys(weights))
    common = [data for data, count in counts.items() if count > 1]
    starts, shared = {}, b""
    for data in common:
        starts[data] = len(shared)
        shared += data
    left, stretches = [], []
    for graph, weights in zip(graphs, candidates, strict=True):
        places = sorted((graph.index(data), data) for data in dict.fromkeys(weights) if data in starts)
        found = tuple(SharedStretch(at=at, start=starts[data], size=len(data)) for at, data in places)
        pieces, position = [], 0
        for stretch in found:
            pieces.append(graph[position : stretch.at])
            position = stretch.at + stretch.size
        left.append(b"".join([*pieces, graph[position:]]))
        stretches.append(found)
    return left, stretches, shared
