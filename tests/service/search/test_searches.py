"""Beam search against enumeration, and its stopping rules."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from service.messages import FinishReason, SearchOptions
from service.search.beam import BeamSearch
from service.search.candidates import best_continuations, best_tokens
from service.search.greedy import GreedySearch
from service.search.score import length_normalised

END, SIZE = 0, 4


def next_log_probs(prefix: tuple[int, ...]) -> np.ndarray:
    """A model without a network: what comes next depends on the whole prefix."""
    logits = np.random.default_rng([len(prefix), *prefix]).normal(size=SIZE) * 2.0
    return np.asarray(logits - np.log(np.exp(logits).sum()), dtype=np.float32)


def search_with(beam: BeamSearch) -> None:
    prefixes: list[tuple[int, ...]] = [()]
    while prefixes:
        log_probs = np.stack([next_log_probs(prefix) for prefix in prefixes])
        ids = best_tokens(log_probs, 2 * SIZE)
        values = np.take_along_axis(log_probs, ids, axis=1)
        width = beam._options.beam_size
        ranked = best_continuations(np.array([beam.totals]), ids[None], values[None], 2 * width)
        parents = beam.advance(*(array[0].tolist() for array in ranked), None)
        tokens = beam.tokens if parents else []
        prefixes = [(*prefixes[p], t) for p, t in zip(parents, tokens, strict=True)]


def total(written: tuple[int, ...]) -> float:
    return float(sum(next_log_probs(written[:i])[token] for i, token in enumerate(written)))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_wide_beam_finds_the_best_of_all_possible_outputs(limit: int) -> None:
    beam = BeamSearch(SearchOptions(beam_size=16, length_penalty=0.0), END, limit)
    search_with(beam)
    words = range(1, SIZE)
    complete = [(*w, END) for n in range(limit) for w in itertools.product(words, repeat=n)]
    cut = list(itertools.product(words, repeat=limit))
    best = max([*complete, *cut], key=total)
    (found,) = beam.hypotheses()
    assert (*found.token_ids, *([END] if found.finish_reason is FinishReason.EOS else [])) == best
    assert sum(found.token_log_probs) == pytest.approx(total(best), abs=1e-5)


def test_hypotheses_come_best_first_by_the_normalised_score() -> None:
    beam = BeamSearch(SearchOptions(beam_size=4, length_penalty=1.0, num_hypotheses=4), END, 6)
    search_with(beam)
    scores = [length_normalised(sum(h.token_log_probs), len(h.token_log_probs), 1.0) for h in beam.hypotheses()]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)


def test_the_length_penalty_is_equation_14_of_wu_et_al() -> None:
    assert length_normalised(-6.0, 7, 1.0) == pytest.approx(-6.0 / (12.0 / 6.0))
    assert length_normalised(-6.0, 7, 0.0) == -6.0
    assert length_normalised(-6.0, 1, 1.7) == -6.0


def test_greedy_ends_at_the_end_token_or_at_its_limit() -> None:
    ended, cut = GreedySearch(END, 5), GreedySearch(END, 2)
    assert ended.advance(3, -0.5, None)
    assert not ended.advance(END, -0.25, None)
    assert cut.advance(3, -0.5, None)
    assert not cut.advance(2, -0.5, None)
    assert ended.hypotheses()[0].token_ids == (3,)
    assert ended.hypotheses()[0].finish_reason is FinishReason.EOS
    assert ended.hypotheses()[0].score == pytest.approx(-0.375)
    assert cut.hypotheses()[0].token_ids == (3, 2)
    assert cut.hypotheses()[0].finish_reason is FinishReason.LENGTH
