"""Batches whose rows stay to the end give what the engine gives."""

from __future__ import annotations

import random

import pytest

from loadtests.peers.fixed_batches import FixedBatches
from model_store.contract.store import EMBEDDED_STORE, Store
from service.engine.engine import Engine
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.onnx import OnnxRuntime
from service.runtime.opening import open_runtime
from tests.service.engine.driving import PATIENT, run_with_arrivals

MODEL = "en-fr-transformer"
pytestmark = pytest.mark.skipif(not EMBEDDED_STORE.joinpath(MODEL).is_dir(), reason="there is no bundle")


def segments_of(beam_size: int, want_attention: bool) -> list[Segment]:
    """Of very different lengths."""
    chance = random.Random(beam_size)
    options = SearchOptions(beam_size=beam_size, num_hypotheses=min(2, beam_size))
    return [
        Segment(tuple(chance.randrange(4, 8000) for _ in range(length)), options, want_attention=want_attention)
        for length in (1, 17, 3, 40, 2, 9)
    ]


@pytest.mark.parametrize("new_runtime", [open_runtime, OnnxRuntime])
@pytest.mark.parametrize("beam_size", [1, 4])
def test_results_are_those_of_the_engine(new_runtime: type[OnnxRuntime], beam_size: int) -> None:
    runtime = new_runtime(Store(EMBEDDED_STORE).open(MODEL))
    fixed, engine = FixedBatches(runtime), Engine(runtime, PATIENT)
    for want_attention in (True, False):  # the second batch finds the lane of the first
        segments = segments_of(beam_size, want_attention)
        by_engine = run_with_arrivals(engine, segments, [0] * len(segments))
        for ours, theirs in zip(fixed.decode(segments), by_engine, strict=True):
            assert isinstance(theirs, SegmentResult)
            for found, expected in zip(ours.hypotheses, theirs.hypotheses, strict=True):
                assert found.token_ids == expected.token_ids
                assert found.token_log_probs == pytest.approx(expected.token_log_probs, abs=1e-4)
                if want_attention:
                    assert found.attention is not None
                    assert expected.attention is not None
                    assert found.attention == pytest.approx(expected.attention, abs=1e-4)
