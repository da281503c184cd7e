"""Weights that graphs have alike are stored once and come back byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.bundle import open_bundle, write_bundle
from model_store.contract.errors import ContractError
from model_store.contract.manifest import Graph, SharedStretch
from model_store.contract.sharing import split_shared, whole_graph

PIECES = st.lists(st.binary(min_size=1, max_size=9), max_size=4)


@given(st.lists(st.binary(min_size=12, max_size=20), max_size=4, unique=True), st.lists(PIECES, min_size=3, max_size=3),
       st.randoms())  # fmt: skip
def test_graphs_come_back_byte_for_byte(weights: list[bytes], owns: list[list[bytes]], chance: Any) -> None:
    had = [[weight for weight in weights if chance.random() < 0.7] for _ in owns]
    mixed = [[*some, *own] for some, own in zip(had, owns, strict=True)]
    for pieces in mixed:
        chance.shuffle(pieces)
    graphs = [b"".join(pieces) for pieces in mixed]
    left, stretches, shared = split_shared(graphs, had)
    assert len(shared) == sum(len(weight) for weight in weights if sum(weight in some for some in had) > 1)
    for graph, stored, found in zip(graphs, left, stretches, strict=True):
        described = Graph(file="g", shared=found, inputs=(), outputs=())
        assert whole_graph(described, {"g": stored, "s": shared}, "s") == graph


def test_a_graph_without_shared_stretches_is_its_file() -> None:
    assert whole_graph(Graph(file="g", inputs=(), outputs=()), {"g": b"abc"}, None) == b"abc"


@pytest.mark.parametrize(
    "stretches",
    [
        [SharedStretch(at=9, start=0, size=2)],
        [SharedStretch(at=0, start=3, size=4)],
        [SharedStretch(at=2, start=0, size=2), SharedStretch(at=3, start=0, size=2)],
    ],
)
def test_stretches_that_do_not_fit_are_refused(stretches: list[SharedStretch]) -> None:
    graph = Graph(file="g", shared=tuple(stretches), inputs=(), outputs=())
    with pytest.raises(ContractError, match="does not fit"):
        whole_graph(graph, {"g": b"abcd", "s": b"12345"}, "s")
    with pytest.raises(ContractError, match="no file of them"):
        whole_graph(graph, {"g": b"abcd"}, None)


def test_a_bundle_is_opened_with_what_its_graphs_share(
    tmp_path: Path, bundle_values: dict[str, Any], bundle_files: dict[str, bytes]
) -> None:
    whole = bundle_files["encoder.onnx"]
    stretch = {"at": len(whole) - 8, "start": 0, "size": 8}
    encoder = {**bundle_values["encoder"], "shared": [stretch]}
    values = {**bundle_values, "encoder": encoder, "shared_file": "shared.bin"}
    files = {**bundle_files, "encoder.onnx": whole[:-8], "shared.bin": whole[-8:]}
    assert write_bundle(tmp_path / "b", values, files).encoder == whole
    assert open_bundle(tmp_path / "b").encoder == whole
    (tmp_path / "b" / "shared.bin").write_bytes(b"damaged!")
    with pytest.raises(ContractError, match=r"shared.bin has SHA-256") as caught:
        open_bundle(tmp_path / "b")
    assert len(caught.value.faults) == 1  # the graphs are as the manifest promises
