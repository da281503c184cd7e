"""The engine over ONNX Runtime, for every registered architecture: company, rescoring, memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.data.batching import pad, source_arrays
from model_store.decoding.search import beam
from model_store.export.calibrate import calibrate
from model_store.export.pipeline import ort_stepper
from model_store.export.quantise import quantise
from model_store.export.weights import reopen
from service.engine.engine import Engine
from service.engine.limits import EngineLimits
from service.messages import Hypothesis, SearchOptions, Segment, SegmentResult
from service.runtime.onnx import OnnxRuntime
from service.search.search import Search
from tests.contract.conftest import Exported, random_sources
from tests.service.engine.driving import PATIENT, alone, run_with_arrivals

NUM_SEGMENTS = 60


@pytest.fixture(scope="module")
def runtime(exported: Exported) -> OnnxRuntime:
    return OnnxRuntime(exported.bundle)


def mixed_segments(count: int = NUM_SEGMENTS) -> list[Segment]:
    """Greedy and beam, long and short, some cut early; all with attention."""
    sources = random_sources(count, seed=11, longest=14)
    beams = [(1, 4, 2, 1, 6)[i % 5] for i in range(count)]
    limits = [None if i % 7 else 3 for i in range(count)]
    return [
        Segment(tuple(s), SearchOptions(beam_size=k, num_hypotheses=k, max_output_tokens=n), want_attention=True)
        for s, k, n in zip(sources, beams, limits, strict=True)
    ]


def assert_same(left: Hypothesis, right: Hypothesis) -> None:
    assert left.token_ids == right.token_ids
    assert left.finish_reason == right.finish_reason
    np.testing.assert_allclose(left.token_log_probs, right.token_log_probs, atol=1e-3)
    assert left.attention is not None
    assert right.attention is not None
    np.testing.assert_allclose(left.attention, right.attention, atol=1e-3)


def test_alone_equals_any_company_with_ragged_arrivals(runtime: OnnxRuntime) -> None:
    segments = mixed_segments()
    arrivals = np.random.default_rng(12).integers(0, 30, len(segments)).tolist()
    engine = Engine(runtime, EngineLimits(max_batch_rows=40, max_wait_s=3600.0))
    together = run_with_arrivals(engine, segments, arrivals)
    for segment, outcome in zip(segments, together, strict=True):
        assert isinstance(outcome, SegmentResult)
        for left, right in zip(outcome.hypotheses, alone(Engine(runtime), segment).hypotheses, strict=True):
            assert_same(left, right)


def test_scores_and_attention_equal_a_teacher_forced_rescoring(exported: Exported, runtime: OnnxRuntime) -> None:
    segments = mixed_segments()
    outcomes = run_with_arrivals(Engine(runtime, PATIENT), segments, [i // 4 for i in range(len(segments))])
    for segment, outcome in zip(segments, outcomes, strict=True):
        assert isinstance(outcome, SegmentResult)
        for hypothesis in outcome.hypotheses:
            scores, attention = rescored(exported, segment, hypothesis)
            np.testing.assert_allclose(hypothesis.token_log_probs, scores, atol=1e-3)
            assert hypothesis.attention is not None
            np.testing.assert_allclose(hypothesis.attention, attention, atol=1e-3)


@torch.inference_mode()
def rescored(exported: Exported, segment: Segment, hypothesis: Hypothesis) -> tuple[np.ndarray, np.ndarray]:
    """Token scores [T] and attention [T, A, S] of torch, made to write the hypothesis."""
    written = [*hypothesis.token_ids, END_ID][: len(hypothesis.token_log_probs)]
    source_ids, source_mask = (torch.from_numpy(a) for a in source_arrays([segment.source_ids]))
    out = exported.model.eval().teacher_forced(
        source_ids, source_mask, torch.from_numpy(pad([[BEGIN_ID, *written[:-1]]]))
    )
    log_probs = torch.log_softmax(exported.model.logits(out.hidden), dim=-1)[0].numpy()
    return log_probs[np.arange(len(written)), written], out.attention[0].numpy().swapaxes(0, 1)


def test_a_beam_of_one_takes_the_most_likely_token_at_each_step(runtime: OnnxRuntime) -> None:
    for source in random_sources(12, seed=13):
        encoded, search = runtime.encode([source]), Search(1, BEGIN_ID, END_ID, 30)
        searched, plain = runtime.new_rows(1), runtime.new_rows(1)
        searched.put([0], [encoded], [0])
        plain.put([0], [encoded], [0])
        search.put([0], [Segment(tuple(source), SearchOptions(beam_size=1, max_output_tokens=30))])
        over, written, fed = list[int](), list[int](), BEGIN_ID
        while not over:
            _, over = search.advance(*searched.step(search.tokens))
            fed = int(plain.step(np.array([fed])).logits.argmax())
            written.append(fed)
        found = search.hypotheses(0)[0]
        assert list(found.token_ids) == (written[:-1] if written[-1] == END_ID else written)


def test_the_past_is_written_in_place(runtime: OnnxRuntime) -> None:
    rows = runtime.new_rows(2)
    rows.put([0, 1], [runtime.encode(random_sources(2, seed=14))] * 2, [0, 1])
    rows.step(np.full(4, BEGIN_ID))
    before = {name: array.ctypes.data for name, array in rows._buffers.arrays.items()}
    past = {name: array.copy() for name, array in rows._buffers.arrays.items()}
    rows.step(np.full(4, 301))
    for spec in rows._buffers.specs:
        array = rows._buffers.arrays[spec.name]
        assert array.ctypes.data == before[spec.name]
        axis = spec.axis("T")
        if axis is not None:
            old, new = np.moveaxis(past[spec.name], axis, 0), np.moveaxis(array, axis, 0)
            np.testing.assert_array_equal(new[0], old[0])
            assert np.abs(new[1, :4]).sum() > 0.0


def test_a_lane_that_has_emptied_keeps_its_buffers_for_the_next_to_come(runtime: OnnxRuntime) -> None:
    encoded, rows = runtime.encode([tuple(range(4, 24))]), runtime.new_rows(1)
    rows.put([0], [encoded], [0])
    version = rows._buffers.version
    rows.move([], [], 0)
    rows.put([0], [encoded], [0])
    assert rows._buffers.version == version


def test_rows_follow_their_segments_through_moves_and_their_owners_through_reordering(runtime: OnnxRuntime) -> None:
    """Two rows of each segment are fed different tokens; whatever happens to them, they step as by themselves."""
    sources = random_sources(4, seed=17)
    rows = runtime.new_rows(2)
    rows.put([0, 1], [runtime.encode(sources[:2])] * 2, [0, 1])
    rows.step(np.full(4, BEGIN_ID))
    rows.put([2, 0], [runtime.encode(sources[2:])] * 2, [0, 1])  # source 0 is given up
    rows.step(np.array([BEGIN_ID, BEGIN_ID, 301, 302, BEGIN_ID, BEGIN_ID]))
    rows.reorder(np.array([[0, 0], [1, 1], [1, 1]]))
    rows.move([0], [2], 2)
    logits = rows.step(np.array([303, 304, 305, 306])).logits_of_rows
    expected = [(sources[2], [303]), (sources[2], [304]), (sources[1], [302, 305]), (sources[1], [302, 306])]
    for row, (source, fed) in zip(logits, expected, strict=True):
        single = runtime.new_rows(1)
        single.put([0], [runtime.encode([source])], [0])
        for token in [BEGIN_ID, *fed]:
            alone = single.step(np.array([token])).logits[0]
        np.testing.assert_allclose(row, alone, atol=1e-4)


def test_int8_rows_do_not_depend_on_their_company(exported: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model_store.export.quantise.MIN_TABLE_ROWS", 64)  # so that the small tables are quantised too
    graphs = exported.graphs
    sources = random_sources(24, seed=15)
    encoder_ranges, decoder_ranges = calibrate(graphs, sources)
    encoder, decoder = quantise(graphs.encoder, encoder_ranges), quantise(graphs.decoder_step, decoder_ranges)
    stepper = ort_stepper(graphs, encoder, decoder)
    source_ids, source_mask = source_arrays(sources)
    state = stepper.encode(source_ids, source_mask, 4)
    begin = np.full(len(sources), BEGIN_ID)
    together = stepper.step(begin, np.zeros_like(begin), source_mask, state).log_probs
    for i in range(len(sources)):
        row = slice(i, i + 1)
        single = stepper.encode(source_ids[row], source_mask[row], 4)
        by_itself = stepper.step(begin[row], begin[row] * 0, source_mask[row], single).log_probs
        np.testing.assert_allclose(by_itself, together[row], atol=1e-4)
    exact = exported.stepper.encode(source_ids, source_mask, 4)
    full = exported.stepper.step(begin, np.zeros_like(begin), source_mask, exact).log_probs
    assert (together.argmax(axis=1) == full.argmax(axis=1)).mean() >= 0.9


def test_the_network_can_be_reopened_from_its_bundle(exported: Exported) -> None:
    reopened = reopen(exported.bundle).state_dict()
    for name, tensor in exported.model.state_dict().items():
        torch.testing.assert_close(reopened[name], tensor, rtol=0, atol=0)


def test_a_network_reopened_from_int8_has_its_weights(exported: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model_store.export.quantise.MIN_TABLE_ROWS", 64)
    graphs = exported.graphs
    ranges = calibrate(graphs, random_sources(24, seed=15))
    encoder, decoder = quantise(graphs.encoder, ranges[0]), quantise(graphs.decoder_step, ranges[1])
    files = replace(exported.bundle, encoder=encoder.SerializeToString(), decoder_step=decoder.SerializeToString())
    reopened = reopen(files)
    largest = max(p.abs().max().item() for p in exported.model.parameters())
    for name, tensor in exported.model.state_dict().items():
        assert (reopened.state_dict()[name] - tensor).abs().max().item() <= largest / 127, name


def test_the_servers_search_finds_what_the_workshops_finds(exported: Exported, runtime: OnnxRuntime) -> None:
    sources = random_sources(30, seed=16)
    for beam_size in (1, 4):
        expected = beam(exported.stepper, sources, beam_size)
        segments = [Segment(tuple(source), SearchOptions(beam_size=beam_size)) for source in sources]
        outcomes = run_with_arrivals(Engine(runtime, PATIENT), segments, [i // 3 for i in range(len(segments))])
        for decoded, outcome in zip(expected, outcomes, strict=True):
            assert isinstance(outcome, SegmentResult)
            assert list(outcome.hypotheses[0].token_ids) == decoded.ids
            np.testing.assert_allclose(outcome.hypotheses[0].token_log_probs, decoded.log_probs, atol=1e-3)
