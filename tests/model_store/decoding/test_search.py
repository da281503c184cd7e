"""Search finds what there is to find, on a model small enough to enumerate."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.decoding.search import beam, decode_all, greedy, length_normalised, output_limit
from model_store.decoding.stepper import State, StepResult, take_rows

VOCABULARY_SIZE = 4  # END_ID and three tokens
START = 1


class TableModel:
    """A `StepModel` whose distribution is drawn anew for each source and each prefix, and which ends by `longest`."""

    def __init__(self, longest: int | None) -> None:
        self.longest = longest

    def encode(self, source_ids: np.ndarray, source_mask: np.ndarray, capacity: int) -> State:
        sources = [hash(tuple(ids[mask].tolist())) % 2**31 for ids, mask in zip(source_ids, source_mask, strict=True)]
        return {
            "source": np.array(sources),
            "prefix": np.full(len(sources), START),
            "length": np.zeros(len(sources), int),
        }

    def step(self, token_ids: np.ndarray, position: np.ndarray, source_mask: np.ndarray, state: State) -> StepResult:
        assert (position == state["length"]).all()
        is_first = position == 0
        assert ((token_ids == BEGIN_ID) >= is_first).all()
        prefix = np.where(is_first, START, state["prefix"] * VOCABULARY_SIZE + token_ids)
        rows = zip(state["source"].tolist(), prefix.tolist(), position.tolist(), strict=True)
        log_probs, attention = zip(*(self.look_up(*row) for row in rows), strict=True)
        next_state = {**state, "prefix": prefix, "length": position + 1}
        return StepResult(np.array(log_probs), np.array(attention)[:, None, :], next_state)

    def look_up(self, source: int, prefix: int, position: int) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities [V] and attention [2] after `prefix`."""
        chance = np.random.default_rng([source, prefix])
        scores, attention = chance.normal(size=VOCABULARY_SIZE), chance.random(2)
        if self.longest is None:
            scores[END_ID] = -1e9
        elif position >= self.longest:
            scores[np.arange(VOCABULARY_SIZE) != END_ID] = -1e9
        return scores - np.logaddexp.reduce(scores), attention

    def rescore(self, source: list[int], tokens: tuple[int, ...]) -> tuple[list[float], list[list[float]]]:
        """Log-probability and attention of each of `tokens`."""
        state = self.encode(np.array([[*source, END_ID]]), np.ones((1, len(source) + 1), bool), 0)
        log_probs, attention, last = [], [], BEGIN_ID
        for position, token in enumerate(tokens):
            result = self.step(np.array([last]), np.array([position]), np.ones((1, 1), bool), state)
            log_probs.append(float(result.log_probs[0, token]))
            attention.append(result.attention[0, 0].tolist())
            state, last = result.state, token
        return log_probs, attention


source_ids = st.lists(st.integers(4, 99), min_size=1, max_size=5)
few = settings(max_examples=15, deadline=None)


@few
@given(source_ids, st.sampled_from([0.0, 0.6, 1.0, 2.0]))
def test_a_beam_wider_than_the_space_finds_the_best_of_all_sequences(source: list[int], alpha: float) -> None:
    model = TableModel(longest=3)
    words = [token for token in range(VOCABULARY_SIZE) if token != END_ID]
    space = [(*ids, END_ID) for n in range(4) for ids in itertools.product(words, repeat=n)]
    best = max(space, key=lambda tokens: length_normalised(sum(model.rescore(source, tokens)[0]), len(tokens), alpha))
    (found,) = beam(model, [source], beam_size=64, length_penalty=alpha)
    assert (*found.ids, END_ID) == best


@few
@given(source_ids)
def test_greedy_takes_the_most_likely_token_at_each_step(source: list[int]) -> None:
    model = TableModel(longest=5)
    tokens: tuple[int, ...] = ()
    while not tokens or tokens[-1] != END_ID:
        scores = [model.rescore(source, (*tokens, token))[0][-1] for token in range(VOCABULARY_SIZE)]
        tokens = (*tokens, int(np.argmax(scores)))
    assert (*greedy(model, [source])[0].ids, END_ID) == tokens
    assert (*beam(model, [source], beam_size=1)[0].ids, END_ID) == tokens


@few
@given(source_ids, st.integers(1, 5))
def test_scores_and_attention_are_those_of_the_winner_itself(source: list[int], beam_size: int) -> None:
    model = TableModel(longest=6)
    (found,) = beam(model, [source], beam_size)
    log_probs, attention = model.rescore(source, (*found.ids, END_ID))
    np.testing.assert_allclose(found.log_probs, log_probs)
    np.testing.assert_allclose(found.attention[:, 0], attention)


@few
@given(st.lists(source_ids, min_size=1, max_size=6), st.integers(1, 4))
def test_company_changes_nothing(sources: list[list[int]], beam_size: int) -> None:
    model = TableModel(longest=6)
    together = beam(model, sources, beam_size)
    alone = [beam(model, [source], beam_size)[0] for source in sources]
    assert [found.ids for found in together] == [found.ids for found in alone]


@pytest.mark.parametrize("beam_size", [1, 3])
def test_a_model_that_never_ends_is_cut_at_the_limit(beam_size: int) -> None:
    (found,) = beam(TableModel(longest=None), [[5, 6]], beam_size)
    assert len(found.ids) == len(found.log_probs) == output_limit(3)


def test_results_come_in_the_order_of_the_sources() -> None:
    model = TableModel(longest=4)
    sources = [[9] * n for n in (3, 1, 2, 5, 4)]
    decoded = decode_all(sources, lambda some: greedy(model, some), batch_size=2)
    assert [d.ids for d in decoded] == [greedy(model, [source])[0].ids for source in sources]


def test_the_length_penalty_is_the_formula_of_the_paper() -> None:
    assert length_normalised(-6.0, 7, alpha=1.0) == pytest.approx(-6.0 / ((5 + 7) / 6))
    assert length_normalised(-6.0, 7, alpha=0.0) == -6.0
    assert math.isclose(length_normalised(-6.0, 1, alpha=2.0), -6.0)


def test_taking_rows_selects_repeats_and_reorders_every_array() -> None:
    state = {"a": np.arange(3), "b": np.arange(6).reshape(3, 2)}
    taken = take_rows(state, np.array([2, 0, 2]))
    assert taken["a"].tolist() == [2, 0, 2]
    assert taken["b"].tolist() == [[4, 5], [0, 1], [4, 5]]
