"""Tiny int8 networks of every registered architecture: in kernels where these know all operators, else refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.state import Lifetime
from model_store.export.calibrate import calibrate
from model_store.export.quantise import quantise
from service.engine.engine import Engine
from service.kernels.interpreter import interpret
from service.kernels.machine import run_compiled
from service.lowering.graph import UnsupportedGraphError
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.bundled import BundleRuntime
from service.runtime.native import NativeRuntime
from service.runtime.onnx import OnnxRuntime
from service.runtime.opening import open_runtime
from service.runtime.plans import Run
from tests.contract.conftest import VOCABULARY_SIZE, Exported, random_sources
from tests.service.engine.driving import PATIENT, alone, run_with_arrivals
from tests.service.kernels.programs import needs_instruction

IN_KERNELS = {
    f"xx-yy-{name}"
    for name in (
        "bahdanau",
        "bahdanau-word-in-query",
        "rctm",
        "rnn-encoder-decoder",
        "seq2seq",
        "transformer",
        "transformer-post-norm-swish",
        "transformer-gelu-learned",
        "transformer-pruned",
    )
}
"""Bundles whose graphs consist of what kernels know. Others may, too: then the tests below are run for them."""


@pytest.fixture(scope="module")
def int8(exported: Exported) -> Bundle:
    """The network with int8 weights and words; positions stay float32, as in the published bundles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model_store.export.quantise.MIN_TABLE_ROWS", VOCABULARY_SIZE)
        graphs = exported.graphs
        ranges = calibrate(graphs, random_sources(24, seed=15))
        encoder, decoder = quantise(graphs.encoder, ranges[0]), quantise(graphs.decoder_step, ranges[1])
    return replace(exported.bundle, encoder=encoder.SerializeToString(), decoder_step=decoder.SerializeToString())


@pytest.fixture(scope="module")
def is_native(int8: Bundle) -> bool:
    """Whether the network runs in kernels."""
    runtime = open_runtime(int8)
    assert isinstance(runtime, NativeRuntime | OnnxRuntime)
    return isinstance(runtime, NativeRuntime)


def translated(runtime: BundleRuntime, segments: list[Segment]) -> list[SegmentResult]:
    outcomes = run_with_arrivals(Engine(runtime, PATIENT), segments, [i // 3 for i in range(len(segments))])
    return [outcome for outcome in outcomes if isinstance(outcome, SegmentResult)]


@needs_instruction
def test_an_int8_network_runs_in_kernels_or_is_refused(int8: Bundle, is_native: bool) -> None:
    """Refused means ONNX Runtime: `is_native` asked what opens."""
    assert is_native or int8.manifest.name not in IN_KERNELS
    if not is_native:
        with pytest.raises(UnsupportedGraphError, match="operator"):
            NativeRuntime(int8)


@needs_instruction
def test_the_past_of_int8_networks_takes_16_bits_and_that_of_float32_32(
    int8: Bundle, is_native: bool, exported: Exported
) -> None:
    """int8 graphs round it to half precision, which `test_kernels_translate_as_onnx_runtime_does` needs them to do."""
    if not is_native:
        pytest.skip("not in kernels")
    for bundle, dtype in ((int8, np.float16), (exported.bundle, np.float32)):
        kept = NativeRuntime(bundle).new_rows(1)._buffers.arrays
        growing = [spec.name for spec in bundle.manifest.state if spec.lifetime is Lifetime.GROWING]
        if not growing:
            pytest.skip("nothing grows")
        assert {kept[name].dtype for name in growing} == {np.dtype(dtype)}


@pytest.mark.parametrize("run", [pytest.param(run_compiled, marks=needs_instruction), interpret])
def test_float32_steps_are_those_of_onnx_runtime(exported: Exported, run: Run) -> None:
    manifest = exported.bundle.manifest
    if manifest.name not in IN_KERNELS:
        with pytest.raises(UnsupportedGraphError):
            NativeRuntime(exported.bundle, run)
        return
    runtimes, sources = (NativeRuntime(exported.bundle, run), OnnxRuntime(exported.bundle)), random_sources(9, seed=22)
    lanes = []
    for runtime in runtimes:
        lanes.append(runtime.new_rows(1))
        lanes[-1].put(range(9), [runtime.encode(sources)] * 9, range(9))
    for fed in (manifest.special_tokens.begin, 301, 302, 303):
        ours, theirs = (rows.step(np.full(9, fed)) for rows in lanes)
        np.testing.assert_allclose(ours.logits, theirs.logits, atol=1e-4)
        np.testing.assert_allclose(ours.attention, theirs.attention, atol=1e-5)


@needs_instruction
def test_kernels_translate_as_onnx_runtime_does(int8: Bundle, is_native: bool) -> None:
    if not is_native:
        pytest.skip("not in kernels")
    segments = [
        Segment(tuple(source), SearchOptions(beam_size=(1, 4)[i % 2]), want_attention=True)
        for i, source in enumerate(random_sources(60, seed=21))
    ]
    ours, theirs = (translated(runtime, segments) for runtime in (NativeRuntime(int8), OnnxRuntime(int8)))
    pairs = [(x.hypotheses[0], y.hypotheses[0]) for x, y in zip(ours, theirs, strict=True)]
    assert len(pairs) == len(segments)
    same = [(x, y) for x, y in pairs if x.token_ids == y.token_ids]
    assert len(same) >= 0.9 * len(pairs)
    for left, right in same:
        assert left.attention is not None
        assert right.attention is not None
        assert left.score == pytest.approx(right.score, abs=0.2)
        assert np.abs(left.attention - right.attention).sum() <= 0.02 * left.attention.size


@needs_instruction
def test_in_kernels_alone_equals_any_company(int8: Bundle, is_native: bool) -> None:
    if not is_native:
        pytest.skip("not in kernels")
    runtime = NativeRuntime(int8)
    segments = [
        Segment(tuple(source), SearchOptions(beam_size=(1, 4, 2)[i % 3]), want_attention=True)
        for i, source in enumerate(random_sources(40, seed=22, longest=14))
    ]
    for segment, result in zip(segments, translated(runtime, segments), strict=True):
        for left, right in zip(result.hypotheses, alone(Engine(runtime), segment).hypotheses, strict=True):
            assert left.token_ids == right.token_ids
            assert left.token_log_probs == right.token_log_probs
            assert left.attention is not None
            assert right.attention is not None
            np.testing.assert_array_equal(left.attention, right.attention)
