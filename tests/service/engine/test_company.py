"""A translation does not depend on the company it has in the batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.engine import Engine
from service.engine.limits import EngineLimits
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.scripted import ScriptedRuntime
from tests.service.engine.driving import Events, alone, run_with_arrivals

_SEGMENTS = st.builds(
    Segment,
    source_ids=st.lists(st.integers(4, 31), min_size=1, max_size=9).map(tuple),
    options=st.builds(
        lambda beam, penalty, wanted, limit: SearchOptions(beam, penalty, min(wanted, beam), limit),
        st.sampled_from([1, 1, 2, 4, 5]),
        st.sampled_from([0.0, 1.0, 1.7]),
        st.integers(1, 3),
        st.none() | st.integers(1, 6),
    ),
    want_attention=st.booleans(),
)
_ARRIVALS = st.lists(st.tuples(_SEGMENTS, st.integers(0, 12)), min_size=1, max_size=12)


def assert_same(together: SegmentResult, by_itself: SegmentResult) -> None:
    assert len(together.hypotheses) == len(by_itself.hypotheses)
    for left, right in zip(together.hypotheses, by_itself.hypotheses, strict=True):
        assert left.token_ids == right.token_ids
        assert left.finish_reason == right.finish_reason
        assert left.token_log_probs == pytest.approx(right.token_log_probs)
        assert (left.attention is None) == (right.attention is None)
        if left.attention is not None and right.attention is not None:
            np.testing.assert_array_equal(left.attention, right.attention)


@settings(max_examples=60, deadline=None)
@given(_ARRIVALS, st.integers(16, 40), st.integers(1024, 3000))
def test_alone_equals_any_company_and_the_row_budget_holds(
    arriving: list[tuple[Segment, int]], max_rows: int, max_tokens: int
) -> None:
    runtime, events = ScriptedRuntime(), Events()
    limits = EngineLimits(max_batch_rows=max_rows, max_batch_tokens=max_tokens)
    engine = Engine(runtime, limits, events)
    segments, arrivals = [s for s, _ in arriving], [t for _, t in arriving]
    outcomes = run_with_arrivals(engine, segments, arrivals)
    for segment, outcome in zip(segments, outcomes, strict=True):
        assert isinstance(outcome, SegmentResult)
        assert_same(outcome, alone(Engine(runtime), segment))
    assert max(events.step_rows) <= max_rows
    assert engine.num_running_rows == 0
    assert engine.num_queued == 0
    assert len(events.reasons) == len(segments)


def test_hypotheses_carry_the_attention_of_their_own_ancestors() -> None:
    segment = Segment((7, 8, 9, 10), SearchOptions(beam_size=4, num_hypotheses=4), want_attention=True)
    result = alone(Engine(ScriptedRuntime()), segment)
    for hypothesis in result.hypotheses:
        assert hypothesis.attention is not None
        looked_at = hypothesis.attention[:, 0].argmax(axis=1).tolist()
        columns = [3, 2, 1, 0, *([4] * 20)]
        assert looked_at == columns[: len(hypothesis.token_log_probs)]


def test_nobody_pays_for_attention_that_was_not_asked_for() -> None:
    result = alone(Engine(ScriptedRuntime()), Segment((5, 6), SearchOptions(beam_size=1)))
    assert result.hypotheses[0].attention is None
