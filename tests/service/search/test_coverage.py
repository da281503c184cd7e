"""The coverage penalty (Wu et al. 2016, equation 14) against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from service.engine.engine import Engine
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.scripted import END_ID, ScriptedRuntime
from service.search.attention import LEAST_COVERED
from service.search.kernel import length_normalised
from tests.service.engine.driving import alone, run_with_arrivals

SOURCE = (5, 9, 12, 7, 20)


def penalty(attention: np.ndarray, beta: float) -> float:
    """Of attention [T, A, S], whose first slice counts."""
    covered = np.clip(attention[:, 0].sum(axis=0), LEAST_COVERED, 1.0)
    return beta * float(np.log(covered).sum())


@pytest.mark.parametrize("beta", [0.0, 0.2, 2.0])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_hypotheses_are_ranked_by_equation_14(beta: float, alpha: float) -> None:
    options = SearchOptions(4, alpha, 4, coverage_penalty=beta)
    found = alone(Engine(ScriptedRuntime()), Segment(SOURCE, options, want_attention=True)).hypotheses
    scores = []
    for hypothesis in found:
        assert hypothesis.attention is not None
        plain = length_normalised(sum(hypothesis.token_log_probs), len(hypothesis.token_log_probs), alpha)
        scores.append(plain + penalty(hypothesis.attention, beta))
        assert hypothesis.search_score == pytest.approx(scores[-1], abs=1e-5)
    assert scores == sorted(scores, reverse=True)


def test_a_penalty_makes_hypotheses_cover_more_of_the_source() -> None:
    """The scripted runtime looks at one source word a step, so that a short hypothesis leaves words unseen."""

    def unseen(beta: float) -> int:
        runtime = ScriptedRuntime()
        options = SearchOptions(8, 0.0, coverage_penalty=beta)
        segments = [Segment(tuple(range(5, 5 + n)), options, want_attention=True) for n in range(4, 16)]
        results = run_with_arrivals(Engine(runtime), segments, [0] * len(segments))
        maps = [r.hypotheses[0].attention for r in results if isinstance(r, SegmentResult)]
        return sum(int((each[:, 0].sum(axis=0) == 0).sum()) for each in maps if each is not None)

    assert unseen(1.0) < unseen(0.0)


def test_a_penalty_changes_nothing_for_the_company() -> None:
    plain = Segment(SOURCE, SearchOptions(4), want_attention=True)
    covering = Segment(SOURCE[:3], SearchOptions(4, coverage_penalty=1.0))
    together = run_with_arrivals(Engine(ScriptedRuntime()), [plain, covering, plain], [0, 1, 3])
    expected = alone(Engine(ScriptedRuntime()), plain)
    for outcome in (together[0], together[2]):
        assert isinstance(outcome, SegmentResult)
        assert outcome.hypotheses[0].token_ids == expected.hypotheses[0].token_ids
        assert outcome.hypotheses[0].search_score == expected.hypotheses[0].search_score
    assert END_ID not in expected.hypotheses[0].token_ids
