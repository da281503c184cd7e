"""The published networks in kernels: against ONNX Runtime, and by themselves against any company."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import onnx as onnx_format
import pytest

from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.limits import EngineLimits
from service.lowering.graph import UnsupportedGraphError
from service.messages import Hypothesis, SearchOptions, Segment, SegmentResult
from service.runtime.bundled import BundleRuntime
from service.runtime.encoded import EncodedSegments, PaddedSegments, PlacedSegments
from service.runtime.native import NativeRuntime
from service.runtime.native_encoder import TOKENS_AT_ONCE
from service.runtime.onnx import OnnxRuntime
from service.runtime.opening import open_runtime
from tests.service.engine.driving import alone, run_with_arrivals
from tests.service.kernels.programs import needs_instruction

pytestmark = needs_instruction

SENTENCES = [
    "A man in an orange hat is looking at something.",
    "Two dogs play in the snow.",
    "The black cat ate the mouse.",
    "A girl in a red dress is standing in front of a wooden house.",
    "People are walking down the street.",
    "A young woman is reading a book on a bench in the park.",
    "Yes.",
    "Three children are riding their bicycles along the river while their parents watch them from a bridge.",
    "A group of men are loading cotton onto a truck.",
    "The weather is very nice today, isn't it?",
    "A boy jumps into the water.",
    "An old man with a white beard is selling vegetables at the market.",
    "Somebody has left the door of the kitchen open again.",
    "A football player in blue runs with the ball.",
    "Where is the nearest station?",
    "A dog is running on the beach with a stick in its mouth.",
    "Several women wait outside in a city.",
    "The band is playing a song on the stage in front of a large crowd at night.",
    "A child is drinking milk.",
    "Four people are sitting around a table, eating dinner and talking about their holidays in Italy.",
    "He doesn't know what to do.",
]


@pytest.fixture(scope="module")
def onnx(bundle: Bundle) -> OnnxRuntime:
    return OnnxRuntime(bundle)


@pytest.fixture(scope="module")
def sources(bundle: Bundle) -> list[list[int]]:
    return bundle.tokenizer.encode_batch(SENTENCES)


def segments_of(sources: Sequence[Sequence[int]], beams: Sequence[int]) -> list[Segment]:
    """Of each source a segment, with attention; `beams` are taken in turn."""
    return [
        Segment(tuple(ids), SearchOptions(beam_size=k, num_hypotheses=k), want_attention=True)
        for ids, k in zip(sources, [beams[i % len(beams)] for i in range(len(sources))], strict=True)
    ]


def translated(runtime: BundleRuntime, segments: Sequence[Segment], arrivals: Sequence[int]) -> list[list[Hypothesis]]:
    outcomes = run_with_arrivals(
        Engine(runtime, EngineLimits(max_batch_rows=40, max_wait_s=3600.0)), segments, arrivals
    )
    assert all(isinstance(outcome, SegmentResult) for outcome in outcomes)
    return [list(outcome.hypotheses) for outcome in outcomes if isinstance(outcome, SegmentResult)]


def forced(
    runtime: BundleRuntime, sources: Sequence[Sequence[int]], fed: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Logits [steps, B, V] when `fed` [steps, B] is fed, and the attention [steps, A, S] of each segment."""
    encoded, rows = runtime.encode(sources), runtime.new_rows(1)
    slots = list(range(len(sources)))
    rows.put(slots, [encoded] * len(slots), slots)
    steps = []
    for token_ids in fed:
        output = rows.step(token_ids)
        steps.append((np.array(output.logits_of_rows), np.array(output.attention)))
    attention = np.array([a for _, a in steps])
    return np.array([x for x, _ in steps]), [attention[:, b, :, :n] for b, n in enumerate(encoded.lengths)]


def states(runtime: BundleRuntime, encoded: EncodedSegments, pick: int) -> dict[str, np.ndarray]:
    """What a segment got from the encoder by name, with the axes of the manifest, S being its own length."""
    length, found = encoded.lengths[pick], {}
    for i, spec in enumerate(spec for spec in runtime.manifest.state if spec.encoder_output):
        axis, shape = spec.axis("S"), [length if size == "S" else int(size) for size in spec.axes]
        if isinstance(encoded, PaddedSegments):
            own = () if axis is None else (slice(None),) * (axis - 1) + (slice(length),)
            found[spec.name] = np.array(encoded.arrays[spec.name][pick][own])
        else:
            assert isinstance(encoded, PlacedSegments)
            if axis == 2:  # kernels have heads side by side in each token
                shape[0], shape[1] = shape[1], shape[0]
            numbers = (ctypes.c_float * math.prod(shape)).from_address(int(encoded.addresses[i, pick]))
            array = np.array(numbers, np.float32).reshape(shape)
            found[spec.name] = array.swapaxes(0, 1) if axis == 2 else array
    return found


# ---- against ONNX Runtime -------------------------------------------------------------------------------------------


def test_encoded_segments_are_those_of_onnx_runtime(
    native: NativeRuntime, onnx: OnnxRuntime, sources: list[list[int]]
) -> None:
    ours, theirs = native.encode(sources), onnx.encode(sources)
    assert list(ours.lengths) == list(theirs.lengths)
    differences, sizes = [], []
    for pick in range(len(sources)):
        left, right = states(native, ours, pick), states(onnx, theirs, pick)
        assert {name: array.shape for name, array in left.items()} == {n: a.shape for n, a in right.items()}
        differences += [np.abs(left[name] - right[name]).reshape(-1) for name in left]
        sizes += [np.abs(right[name]).reshape(-1) for name in left]
    size = np.concatenate(sizes).mean()
    assert np.median(np.concatenate(differences)) <= 1e-2 * size
    assert np.quantile(np.concatenate(differences), 0.999) <= 0.3 * size


def test_steps_are_those_of_onnx_runtime(native: NativeRuntime, onnx: OnnxRuntime, sources: list[list[int]]) -> None:
    best = [found[0].token_ids for found in translated(onnx, segments_of(sources, [1]), [0] * len(sources))]
    fed = np.full((1 + max(map(len, best)), len(sources)), native.end_id)
    fed[0] = native.begin_id
    for b, ids in enumerate(best):
        fed[1 : 1 + len(ids), b] = ids
    (ours, our_attention), (theirs, their_attention) = (forced(runtime, sources, fed) for runtime in (native, onnx))
    counts = [1 + len(ids) for ids in best]
    left, right = (np.concatenate([x[:n, b] for b, n in enumerate(counts)]) for x in (ours, theirs))
    differences = np.abs(left - right)
    assert np.median(differences) <= 1e-5
    assert np.quantile(differences, 0.999) <= 0.4
    assert (left.argmax(axis=1) == right.argmax(axis=1)).mean() >= 0.99
    apart = [np.abs(x[:n] - y[:n]).reshape(-1) for x, y, n in zip(our_attention, their_attention, counts, strict=True)]
    assert np.median(np.concatenate(apart)) <= 1e-6
    assert np.quantile(np.concatenate(apart), 0.999) <= 0.03


@pytest.mark.parametrize("beam_size", [1, 4])
def test_translations_are_mostly_those_of_onnx_runtime(
    native: NativeRuntime, onnx: OnnxRuntime, sources: list[list[int]], beam_size: int
) -> None:
    segments, arrivals = segments_of(sources, [beam_size]), [0] * len(sources)
    ours, theirs = (translated(runtime, segments, arrivals) for runtime in (native, onnx))
    same = [left[0].token_ids == right[0].token_ids for left, right in zip(ours, theirs, strict=True)]
    assert np.mean(same) >= 0.8
    for left, right in zip(ours, theirs, strict=True):
        assert left[0].score == pytest.approx(right[0].score, abs=0.1)


# ---- company --------------------------------------------------------------------------------------------------------


def test_alone_equals_any_company_with_ragged_arrivals(native: NativeRuntime, sources: list[list[int]]) -> None:
    segments = segments_of(sources, [1, 4, 2, 6])
    arrivals = np.random.default_rng(12).integers(0, 25, len(segments)).tolist()
    for segment, together in zip(segments, translated(native, segments, arrivals), strict=True):
        for left, right in zip(together, alone(Engine(native), segment).hypotheses, strict=True):
            assert left.token_ids == right.token_ids
            assert left.finish_reason == right.finish_reason
            np.testing.assert_allclose(left.token_log_probs, right.token_log_probs, rtol=0, atol=1e-6)
            assert left.attention is not None
            assert right.attention is not None
            np.testing.assert_allclose(left.attention, right.attention, rtol=0, atol=1e-6)
            np.testing.assert_allclose(left.attention.sum(axis=2), 1.0, atol=1e-5)


def test_encoding_gives_the_same_bits_in_any_company(transformer: Bundle, native_transformer: NativeRuntime) -> None:
    """Also in a later run of the encoder than the first, and when a segment is more than one run takes."""
    native, sources = native_transformer, transformer.tokenizer.encode_batch(SENTENCES)
    longest = native.max_source_tokens
    long = [(ids * longest)[:longest] for ids in sources[:3]]
    company = [*sources, *long, *sources[::-1], [5], []]
    assert sum(map(len, company)) > 3 * TOKENS_AT_ONCE
    together = native.encode(company)
    assert together.num_tokens == together.num_padded_tokens
    for pick, ids in enumerate(company):
        by_itself, beside = states(native, native.encode([ids]), 0), states(native, together, pick)
        assert together.lengths[pick] == len(ids) + 1
        for name, array in by_itself.items():
            np.testing.assert_array_equal(array, beside[name])


def test_a_segment_longer_than_a_run_of_the_encoder_is_encoded(
    native: NativeRuntime, onnx: OnnxRuntime, sources: list[list[int]]
) -> None:
    long = (sources[7] * TOKENS_AT_ONCE)[: TOKENS_AT_ONCE + 9]
    left, right = states(native, native.encode([[5], long]), 1), states(onnx, onnx.encode([long]), 0)
    for name, array in left.items():
        assert array.shape == right[name].shape
        assert np.median(np.abs(array - right[name])) <= 2e-2 * np.abs(right[name]).mean()


def test_what_was_encoded_stays_when_more_is(native: NativeRuntime, sources: list[list[int]]) -> None:
    first = native.encode(sources[:4])
    before = states(native, first, 2)
    native.encode(sources[4:])
    for name, array in states(native, first, 2).items():
        np.testing.assert_array_equal(array, before[name])


# ---- rows -----------------------------------------------------------------------------------------------------------


def stepped_alone(runtime: NativeRuntime, source: Sequence[int], fed: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Logits [V] and attention [A, S] of the last of `fed`, nobody beside."""
    rows = runtime.new_rows(1)
    rows.put([0], [runtime.encode([source])], [0])
    for token in [runtime.begin_id, *fed]:
        output = rows.step(np.array([token]))
    return np.array(output.logits[0]), np.array(output.attention[0, :, : len(source) + 1])


def test_rows_follow_their_segments_through_moves_and_their_owners_through_reordering(
    native: NativeRuntime, sources: list[list[int]]
) -> None:
    """Two rows of each segment are fed different tokens; whatever happens to them, they step as by themselves."""
    begin, rows = native.begin_id, native.new_rows(2)
    rows.put([0, 1], [native.encode(sources[:2])] * 2, [0, 1])
    rows.step(np.full(4, begin))
    rows.put([2, 0], [native.encode(sources[2:4])] * 2, [0, 1])  # source 0 is given up
    rows.step(np.array([begin, begin, 301, 302, begin, begin]))
    rows.reorder(np.array([[0, 0], [1, 1], [1, 1]]))
    rows.move([0], [2], 2)
    output = rows.step(np.array([303, 304, 305, 306]))
    expected = [(2, [303]), (2, [304]), (1, [302, 305]), (1, [302, 306])]
    for row, (pick, fed) in enumerate(expected):
        logits, attention = stepped_alone(native, sources[pick], fed)
        np.testing.assert_array_equal(output.logits_of_rows[row], logits)
        np.testing.assert_array_equal(output.attention[row, :, : len(sources[pick]) + 1], attention)
        assert (output.attention[row, :, len(sources[pick]) + 1 :] == 0.0).all()


def test_segments_may_be_put_where_they_leave_holes(native: NativeRuntime, sources: list[list[int]]) -> None:
    begin, rows = native.begin_id, native.new_rows(2)
    rows.put([3, 1, 0, 2], [native.encode(sources[:4])] * 4, [0, 1, 2, 3])
    rows.step(np.full(8, begin))
    rows.put([0], [native.encode(sources[7:8])], [0])
    output = rows.step(np.array([begin, begin, 301, 302, 0, 0, 303, 304]))
    assert output.places is not None
    assert output.places[0] == output.places[1], "the first row of a segment that begins stands for the others"
    np.testing.assert_array_equal(output.logits_of_rows[1], stepped_alone(native, sources[7], [])[0])
    expected = {0: (7, []), 2: (1, [301]), 3: (1, [302]), 6: (0, [303]), 7: (0, [304])}
    for row, (pick, fed) in expected.items():
        logits, attention = stepped_alone(native, sources[pick], fed)
        np.testing.assert_array_equal(output.logits_of_rows[row], logits)
        np.testing.assert_array_equal(output.attention[row, :, : len(sources[pick]) + 1], attention)


def test_rows_step_on_when_their_buffers_grow(native: NativeRuntime, sources: list[list[int]]) -> None:
    """Along segments, source columns and entries, in the middle of a translation."""
    random, rows = np.random.default_rng(5), native.new_rows(1)
    fed = random.integers(4, 8000, 40)
    rows.put([0], [native.encode(sources[6:7])], [0])
    rows.step(np.array([native.begin_id]))
    for step, token in enumerate(fed):
        if step == 10:
            others = list(range(12))
            rows.put([1 + i for i in others], [native.encode(sources[7:19])] * len(others), others)
        output = rows.step(np.full(rows.num_segments, native.begin_id if step == 10 else token))
    before, after = fed[:10].tolist(), fed[11:].tolist()
    expected = [(6, [*before, native.begin_id, *after]), (7, after), (18, after)]
    for row, (pick, tokens) in zip((0, 1, 12), expected, strict=True):
        np.testing.assert_array_equal(output.logits_of_rows[row], stepped_alone(native, sources[pick], tokens)[0])


def test_two_lanes_do_not_disturb_each_other(native: NativeRuntime, sources: list[list[int]]) -> None:
    lanes = [native.new_rows(1), native.new_rows(1)]
    for lane, pick in zip(lanes, (0, 1), strict=True):
        lane.put([0], [native.encode([sources[pick]])], [0])
    first = lanes[0].step(np.array([native.begin_id]))
    lanes[1].step(np.array([native.begin_id]))
    np.testing.assert_array_equal(first.logits[0], stepped_alone(native, sources[0], [])[0])


def test_attention_of_some_layers_can_be_shown_alone(transformer: Bundle, native_transformer: NativeRuntime) -> None:
    """A graph may give the attention of its last layer only; it runs like that, or is refused before it is served."""
    model = onnx_format.load_from_string(transformer.decoder_step)
    weights = {node.output[0] for node in model.graph.node if node.op_type == "Softmax"}
    (shown,) = (node for node in model.graph.node if node.op_type == "Concat" and set(node.input) <= weights)
    last = shown.input[-1]
    del shown.input[:]
    shown.input.append(last)
    for tensor in model.graph.initializer:
        if onnx_format.numpy_helper.to_array(tensor).tolist() == [-1, 8]:  # rows, and slices of both layers
            tensor.CopyFrom(onnx_format.numpy_helper.from_array(np.array([-1, 4]), tensor.name))
    for output in model.graph.output:
        if output.name == "attention":
            output.type.tensor_type.shape.dim[1].dim_value = 4
    slices = [each for each in transformer.manifest.attention_slices if each.layer > 1]
    manifest = transformer.manifest.model_copy(update={"attention_slices": slices})
    runtime = open_runtime(replace(transformer, manifest=manifest, decoder_step=model.SerializeToString()))
    rows, all_rows = runtime.new_rows(1), native_transformer.new_rows(1)
    for each, of in ((rows, runtime), (all_rows, native_transformer)):
        each.put([0], [of.encode([[5, 6, 7]])], [0])
    some, every = (each.step(np.array([runtime.begin_id])).attention for each in (rows, all_rows))
    np.testing.assert_allclose(some[:, :, :4], every[:, -len(slices) :, :4], atol=0.05)


def test_two_states_may_be_made_of_the_same_numbers(transformer: Bundle) -> None:
    """A network may attend with its keys as values; one result is then two outputs of the encoder."""
    model = onnx_format.load_from_string(transformer.encoder)
    made_by = {name: node for node in model.graph.node for name in node.output}
    made_by["cross_value_1"].input[0] = made_by["cross_key_1"].input[0]
    tied = replace(transformer, encoder=model.SerializeToString())
    runtime = open_runtime(tied)
    encoded = states(runtime, runtime.encode([[5, 6, 7], [8]]), 0)
    np.testing.assert_array_equal(encoded["cross_value_1"], encoded["cross_key_1"])


def test_limits_beyond_the_positions_of_a_graph_are_refused(transformer: Bundle) -> None:
    """Kernels do not look whether a position is one of the table's, so none may come that is not."""
    for name in ("max_source_tokens", "max_target_tokens"):
        limits = transformer.manifest.limits.model_copy(update={name: 5000})
        manifest = transformer.manifest.model_copy(update={"limits": limits})
        with pytest.raises(UnsupportedGraphError, match="position"):
            NativeRuntime(replace(transformer, manifest=manifest))


def test_without_the_instruction_there_is_no_such_runtime(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.kernels.target.Target.is_here", lambda self: False)
    with pytest.raises(UnsupportedGraphError, match="neither AVX-512 with VNNI nor AVX2"):
        NativeRuntime(bundle)
