"""What the encoder wrote, copied into buffers: many segments at a time where they lie side by side."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.manifest import StateTensors
from model_store.contract.state import Lifetime
from service.runtime.buffers import Buffers, Extent
from service.runtime.encoded import PaddedSegments
from service.runtime.encoder_states import CopiedEncoderStates

SPECS = (
    StateTensors(
        name="memory", dtype="float32", lifetime=Lifetime.STATIC, axes=("S", 3), encoder_output="m", step_input="m"
    ),
    StateTensors(
        name="by_head", dtype="float32", lifetime=Lifetime.STATIC, axes=(2, "S"), encoder_output="h", step_input="h"
    ),
    StateTensors(
        name="hidden",
        dtype="float32",
        lifetime=Lifetime.CARRIED,
        axes=(4,),
        encoder_output="c",
        step_input="c",
        step_output="d",
    ),
)
NUM_SLOTS, WIDTH = 7, 8


def encoded(lengths: list[int], first: int) -> PaddedSegments:
    """Numbers that are like no others; padding is NaN, which nobody may look at."""
    longest = max(lengths)
    arrays = {
        "memory": np.full((len(lengths), longest, 3), np.nan, np.float32),
        "by_head": np.full((len(lengths), 2, longest), np.nan, np.float32),
        "hidden": np.empty((len(lengths), 4), np.float32),
    }
    for b, length in enumerate(lengths):
        arrays["memory"][b, :length] = first + b + np.arange(length)[:, None] / 100
        arrays["by_head"][b, :, :length] = first + b + np.arange(length) / 100
        arrays["hidden"][b] = first + b
    return PaddedSegments(lengths, len(lengths) * longest, arrays)


@given(
    st.lists(st.lists(st.integers(1, WIDTH), min_size=1, max_size=5), min_size=1, max_size=3),
    st.sampled_from([1, 3]),
    st.randoms(use_true_random=False),
)
def test_every_segment_gets_its_own_memory_wherever_it_goes(
    batches: list[list[int]], source_length: int, random: Random
) -> None:
    calls = [encoded(lengths, 100 * i) for i, lengths in enumerate(batches)]
    waiting = [(i, pick) for i, lengths in enumerate(batches) for pick in range(len(lengths))]
    chosen = sorted(random.sample(range(len(waiting)), min(len(waiting), NUM_SLOTS)))
    slots = sorted(random.sample(range(NUM_SLOTS), len(chosen)))
    buffers = Buffers(SPECS, source_length)
    buffers.resize(Extent(NUM_SLOTS, WIDTH, 16), 0, 0)
    CopiedEncoderStates().put(
        slots, [calls[waiting[at][0]] for at in chosen], [waiting[at][1] for at in chosen], buffers
    )
    for slot, at in zip(slots, chosen, strict=True):
        i, pick = waiting[at]
        length, own = batches[i][pick], np.float32(100 * i + pick)
        columns = own + np.arange(length, dtype=np.float32) / 100
        assert buffers.mask[slot].tolist() == [True] * length + [False] * (WIDTH - length)
        np.testing.assert_allclose(buffers.arrays["memory"][slot, :length], columns[:, None].repeat(3, 1), rtol=1e-6)
        np.testing.assert_allclose(buffers.arrays["by_head"][slot, :, :length], [columns] * 2, rtol=1e-6)
        assert (buffers.arrays["hidden"][slot * source_length : (slot + 1) * source_length] == own).all()
    for slot in set(range(NUM_SLOTS)) - set(slots):
        assert not buffers.mask[slot].any()
        assert not buffers.arrays["memory"][slot].any()
