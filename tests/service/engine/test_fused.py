"""Steps and choices in one compiled call: the same as one by one, and over when somebody else has to act."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.fused import advance_rows
from service.engine.limits import EngineLimits
from service.kernels.interpreter import interpret
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.native import MOST_STEPS, NativeRuntime
from service.runtime.onnx import OnnxRuntime
from service.runtime.rows import StateRows
from service.runtime.seam import Turns
from service.search.search import Search
from tests.service.engine.driving import Events, run_with_arrivals
from tests.service.kernels.programs import needs_instruction

pytestmark = needs_instruction

TEXTS = (
    *("Yes.", "Two dogs play in the snow.", "The black cat ate the mouse.", "Where is the nearest station?"),
    "Three children are riding their bicycles along the river while their parents watch them from a bridge.",
    "Four people are sitting around a table, eating dinner and talking about their holidays in Italy.",
)


class StepByStep(NativeRuntime):
    """The same runtime, with an interpreter between two steps."""

    def new_rows(self, beam_size: int) -> StateRows:
        rows = super().new_rows(beam_size)
        rows._fused_stepper = None
        return rows


@pytest.fixture(scope="module")
def sources(bundle: Bundle) -> list[list[int]]:
    return bundle.tokenizer.encode_batch(TEXTS)


def started(
    runtime: NativeRuntime, sources: Sequence[Sequence[int]], k: int, limit: int, wants_attention: bool = False
) -> tuple[StateRows, Search]:
    """Rows and searches of segments that begin."""
    rows, search = runtime.new_rows(k), Search(k, runtime.begin_id, runtime.end_id, limit)
    slots, encoded = range(len(sources)), runtime.encode(sources)
    rows.put(slots, [encoded] * len(slots), slots)
    options = SearchOptions(beam_size=k, max_output_tokens=limit)
    search.put(slots, [Segment(tuple(ids), options, wants_attention) for ids in sources])
    return rows, search


@pytest.mark.parametrize("want_attention", [False, True])
@pytest.mark.parametrize("beams", [[1], [4], [1, 4]])
@pytest.mark.parametrize("arrivals", [[0] * 6, [0, 0, 1, 4, 5, 9]])
def test_segments_end_with_the_same_hypotheses_in_as_many_steps(
    bundle: Bundle, native: NativeRuntime, sources: list[list[int]], beams: list[int], want_attention: bool,
    arrivals: list[int],
) -> None:  # fmt: skip
    options = [SearchOptions(beam_size=beams[i % len(beams)], num_hypotheses=1) for i in range(len(sources))]
    segments = [Segment(tuple(ids), o, want_attention) for ids, o in zip(sources, options, strict=True)]
    results, events = [], []
    for runtime in (native, StepByStep(bundle)):
        told = Events()
        engine = Engine(runtime, EngineLimits(max_batch_rows=40, max_wait_s=3600.0), told)
        results.append(run_with_arrivals(engine, segments, arrivals))
        events.append(told)
    for ours, theirs in zip(*results, strict=True):
        assert isinstance(ours, SegmentResult)
        assert isinstance(theirs, SegmentResult)
        for left, right in zip(ours.hypotheses, theirs.hypotheses, strict=True):
            assert left.token_ids == right.token_ids
            assert left.token_log_probs == right.token_log_probs
            assert (left.attention is not None) == want_attention
            if left.attention is not None:
                assert right.attention is not None
                np.testing.assert_array_equal(left.attention, right.attention)
    if not any(arrivals):
        assert events[0].step_rows == events[1].step_rows
    assert sum(rows for rows in events[0].step_rows) == sum(rows for rows in events[1].step_rows)


@pytest.mark.parametrize("k", [1, 4])
def test_a_halt_ends_it_after_the_step_under_way(native: NativeRuntime, sources: list[list[int]], k: int) -> None:
    rows, search = started(native, sources[:2], k, 50)
    assert advance_rows(rows, search, Turns(9, np.ones(1, np.int64))) == (1, [])
    assert search.searches.slots["length"].tolist() == [1, 1]


@pytest.mark.parametrize("most", [1, 3, MOST_STEPS])
def test_no_more_steps_are_done_than_were_allowed(native: NativeRuntime, sources: list[list[int]], most: int) -> None:
    rows, search = started(native, sources[4:], 1, 50, wants_attention=True)
    assert advance_rows(rows, search, Turns(most, np.zeros(1, np.int64))) == (most, [])
    attention = rows.fused_steps(most, wants_attention=True).attention
    assert attention.shape[0] == most
    assert attention.shape[2:] == (len(native.manifest.attention_slices), rows.source_length)
    np.testing.assert_allclose(attention[:, :2].sum(axis=3), 1.0, atol=1e-4)


def test_attention_that_nobody_wants_is_not_kept(native: NativeRuntime, sources: list[list[int]]) -> None:
    rows, _ = started(native, sources[:2], 1, 50)
    assert len(rows.fused_steps(4, wants_attention=False).attention) == 0


def test_it_ends_with_the_step_that_ends_a_search(native: NativeRuntime, sources: list[list[int]]) -> None:
    rows, search = started(native, sources[4:], 1, 5)
    assert advance_rows(rows, search, Turns(MOST_STEPS, np.zeros(1, np.int64))) == (5, [0, 1])


def test_it_ends_where_the_buffers_do_and_goes_on_in_larger_ones(
    native: NativeRuntime, sources: list[list[int]]
) -> None:
    """Rows have room for 16 entries at first."""
    rows, search = started(native, sources[4:], 1, 30)
    turns, done, over = Turns(10, np.zeros(1, np.int64)), list[int](), list[int]()
    while not over:
        num_steps, over = advance_rows(rows, search, turns)
        done.append(num_steps)
    assert done[:2] == [10, 6]
    assert sum(done) > 16
    fed, plain = [native.begin_id], native.new_rows(1)
    plain.put([0], [native.encode(sources[4:5])], [0])
    for _ in range(sum(done)):
        fed.append(int(plain.step(np.array(fed[-1:])).logits.argmax()))
    written = search.searches.steps["token"][0, : sum(done) - 1, 0].tolist()
    assert written == fed[1:-1], "the last token is kept with the finished hypothesis"


def test_searches_are_those_of_live_slots_only(native: NativeRuntime, sources: list[list[int]]) -> None:
    rows, search = started(native, sources[:3], 2, 20)
    rows.move([0], [2], 2)
    search.move([0], [2], 2)
    assert search.searches.rows.shape == (2, 2)
    advance_rows(rows, search, Turns(1, np.zeros(1, np.int64)))
    assert search.searches.slots["length"].tolist() == [1, 1]


def test_an_interpreter_declares_that_it_makes_single_steps(bundle: Bundle) -> None:
    assert NativeRuntime(bundle, interpret).new_rows(1).fused is None
    assert OnnxRuntime(bundle).new_rows(1).fused is None
