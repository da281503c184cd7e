"""Buffers: what a change of their extent moves."""

from __future__ import annotations

import pytest

from model_store.contract.manifest import StateTensors
from model_store.contract.state import Lifetime
from service.runtime.buffers import Buffers, Extent

CARRIED = StateTensors(
    name="hidden",
    lifetime=Lifetime.CARRIED,
    axes=(8,),
    dtype="float32",
    encoder_output="hidden",
    step_input="hidden",
    step_output="next_hidden",
)
GROWING = StateTensors(
    name="keys",
    lifetime=Lifetime.GROWING,
    axes=("T", 8),
    dtype="float32",
    step_input="keys",
    step_output="next_keys",
)


@pytest.mark.parametrize(("specs", "stay"), [([CARRIED], True), ([CARRIED, GROWING], False)])
def test_another_depth_moves_only_what_grows(specs: list[StateTensors], stay: bool) -> None:
    buffers = Buffers(specs, beam_size=1)
    buffers.resize(Extent(4, 8, 16), 0, 0)
    version = buffers.version
    buffers.arrays["hidden"][:] = 3.0
    buffers.resize(Extent(4, 8, 64), 4, 16)
    assert (buffers.version == version) is stay
    assert buffers.extent == Extent(4, 8, 64)
    assert (buffers.arrays["hidden"] == 3.0).all()
    assert "keys" not in buffers.arrays or buffers.arrays["keys"].shape == (4, 64, 8)


@pytest.mark.parametrize("extent", [Extent(8, 8, 16), Extent(4, 12, 16)])
def test_more_segments_or_columns_are_another_version(extent: Extent) -> None:
    buffers = Buffers([CARRIED], beam_size=2)
    buffers.resize(Extent(4, 8, 16), 0, 0)
    version = buffers.version
    buffers.mask[:] = True
    buffers.resize(extent, 4, 16)
    assert buffers.version > version
    assert buffers.mask.shape == (extent.segments, extent.source_length)
    assert buffers.mask[:4, :8].all()
    assert not buffers.mask[:, 8:].any()
