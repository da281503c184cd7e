"""Beam search against enumeration, and its stopping rules."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from service.messages import FinishReason, Hypothesis, SearchOptions, Segment
from service.search.kernel import length_normalised
from service.search.search import Search

BEGIN, END, SIZE = 3, 0, 4
MOST = 100


def asked(options: SearchOptions, limit: int, num_source_tokens: int = 1, wants_attention: bool = False) -> Segment:
    """A segment whose hypotheses are cut after `limit` tokens."""
    return Segment((5,) * (num_source_tokens - 1), replace(options, max_output_tokens=limit), wants_attention)


def next_log_probs(prefix: tuple[int, ...]) -> np.ndarray:
    """A model without a network: what comes next depends on the whole prefix. It never writes the begin token again."""
    logits = np.random.default_rng([len(prefix), *prefix]).normal(size=SIZE) * 2.0
    return np.asarray(logits - np.log(np.exp(logits).sum()), dtype=np.float32)


def found_by(options: SearchOptions, limit: int) -> tuple[Hypothesis, ...]:
    """The result of a search over `next_log_probs`."""
    search = Search(options.beam_size, BEGIN, END, MOST)
    search.put([0], [asked(options, limit, 1)])
    prefixes: list[tuple[int, ...]] = [()] * options.beam_size
    while True:
        logits = np.stack([next_log_probs(prefix) for prefix in prefixes])
        parents, over = search.advance(logits, np.zeros((len(logits), 1, 1), dtype=np.float32))
        if over:
            return search.hypotheses(0)
        kept = range(options.beam_size) if parents is None else parents[0].tolist()
        prefixes = [(*prefixes[row], token) for row, token in zip(kept, search.tokens.tolist(), strict=True)]


def total(written: tuple[int, ...]) -> float:
    return float(sum(next_log_probs(written[:i])[token] for i, token in enumerate(written)))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_wide_beam_finds_the_best_of_all_possible_outputs(limit: int) -> None:
    words = range(1, SIZE)
    complete = [(*w, END) for n in range(limit) for w in itertools.product(words, repeat=n)]
    cut = list(itertools.product(words, repeat=limit))
    best = max([*complete, *cut], key=total)
    (found,) = found_by(SearchOptions(beam_size=40, length_penalty=0.0), limit)
    assert (*found.token_ids, *([END] if found.finish_reason is FinishReason.EOS else [])) == best
    assert sum(found.token_log_probs) == pytest.approx(total(best), abs=1e-5)


def test_hypotheses_come_best_first_by_the_normalised_score() -> None:
    found = found_by(SearchOptions(beam_size=4, length_penalty=1.0, num_hypotheses=4), 6)
    scores = [length_normalised(sum(h.token_log_probs), len(h.token_log_probs), 1.0) for h in found]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    for hypothesis in found:
        written = (*hypothesis.token_ids, *([END] if hypothesis.finish_reason is FinishReason.EOS else []))
        assert sum(hypothesis.token_log_probs) == pytest.approx(total(written), abs=1e-5)


def test_a_hypothesis_that_cannot_win_any_more_is_given_up_while_others_go_on() -> None:
    search = Search(3, BEGIN, END, MOST)
    search.put([0], [asked(SearchOptions(beam_size=3, length_penalty=0.0), 9, 1)])
    nobody_looks = np.zeros((3, 1, 1), np.float32)
    with np.errstate(divide="ignore"):
        search.advance(np.log(np.array([[0.0, 0.6, 0.3, 0.1]] * 3, np.float32)), nobody_looks)
        after = {1: [0.4, 0.6, 0.0, 0.0], 2: [0.0, 1.0, 0.0, 0.0], 3: [0.0, 1.0, 0.0, 0.0]}
        logits = np.log(np.array([after[token] for token in search.tokens], np.float32))
    _, over = search.advance(logits, nobody_looks)
    totals = search.searches.rows["total"][0]
    # 0.24 has ended; 0.36 and 0.3 may still be better, 0.1 may not
    assert sorted(np.exp(totals)) == pytest.approx([0.0, 0.3, 0.36])
    assert over == []


def test_the_length_penalty_is_equation_14_of_wu_et_al() -> None:
    assert length_normalised(-6.0, 7, 1.0) == pytest.approx(-6.0 / (12.0 / 6.0))
    assert length_normalised(-6.0, 7, 0.0) == -6.0
    assert length_normalised(-6.0, 1, 1.7) == -6.0


@pytest.mark.parametrize("limit", [1, 2, 9])
def test_greedy_takes_the_most_likely_token_until_the_end_or_the_limit(limit: int) -> None:
    (found,) = found_by(SearchOptions(beam_size=1), limit)
    written: tuple[int, ...] = ()
    while len(written) < limit and END not in written:
        written = (*written, int(next_log_probs(written).argmax()))
    ended = written[-1] == END
    assert found.token_ids == (written[:-1] if ended else written)
    assert found.finish_reason is (FinishReason.EOS if ended else FinishReason.LENGTH)
    assert found.score == pytest.approx(total(written) / len(written), abs=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(beam_size=3, min_output_tokens=5),
        SearchOptions(beam_size=3, forbidden=(0, 1, 2)),
        SearchOptions(beam_size=3, target_prefix=(2, 1)),
    ],
)
def test_filters_of_one_segment_leave_the_logits_of_others_alone(options: SearchOptions) -> None:
    """Only live rows have logits: the place of a dead one is whatever it was, here the other segment's."""

    def first_step(of_other: SearchOptions) -> tuple[np.ndarray, list[float]]:
        search = Search(3, BEGIN, END, MOST)
        search.put([0, 1], [asked(SearchOptions(beam_size=3), 9), asked(of_other, 9)])
        logits = np.stack([next_log_probs(()), next_log_probs((1,))])
        search.advance(logits, np.zeros((6, 1, 1), np.float32), np.array([0, 0, 0, 1, 0, 0]))
        return logits[0], search.searches.rows["total"][0].tolist()

    (logits, totals), (expected_logits, expected) = first_step(options), first_step(SearchOptions(beam_size=3))
    assert logits.tolist() == expected_logits.tolist()
    assert totals == expected


def test_slots_can_be_used_again_and_moved() -> None:
    options = SearchOptions(beam_size=2, num_hypotheses=2)
    search = Search(2, BEGIN, END, MOST)
    search.put([0, 1, 2], [asked(options, 5, 1)] * 3)
    logits = np.tile(next_log_probs(()), (6, 1))
    attention = np.zeros((6, 1, 1), dtype=np.float32)
    search.advance(logits, attention)
    search.put([1], [asked(options, 5, 1)])
    assert search.tokens.reshape(3, 2)[1].tolist() == [BEGIN, BEGIN]
    kept = search.tokens.reshape(3, 2)[2].tolist()
    search.move([0], [2], 2)
    assert search.tokens.reshape(2, 2)[0].tolist() == kept
    search.put([2], [asked(options, 5, 1)])
    assert len(search.tokens) == 6


def test_a_model_that_gives_no_numbers_has_no_hypotheses() -> None:
    search = Search(2, BEGIN, END, MOST)
    search.put([0, 1], [asked(SearchOptions(beam_size=2), 5, 1)] * 2)
    logits = np.tile(next_log_probs(()), (4, 1))
    logits[2:] = np.nan
    _, over = search.advance(logits, np.zeros((4, 1, 1), dtype=np.float32))
    assert over == [1]
    assert search.hypotheses(1) == ()


@pytest.mark.parametrize("width", [1, 3])
def test_attention_follows_hypotheses_through_moves_and_reordering(width: int) -> None:
    """Each row's weights are its own number at that step, so a hypothesis shows which rows it went through."""
    random, limit = np.random.default_rng(5), 7
    search = Search(width, BEGIN, END, MOST)
    task = asked(SearchOptions(beam_size=width, num_hypotheses=width), limit, 2, True)
    search.put([0, 1], [asked(SearchOptions(beam_size=width), 2 * limit, 2), task])
    paths: list[list[int]] = [[]] * width
    for step in range(limit):
        if step == 3:
            search.move([0], [1], 1)
        num_rows = search.num_slots * width
        logits = random.normal(size=(num_rows, 40)).astype(np.float32)
        logits[:, END] = -50.0
        attention = np.tile(np.arange(num_rows, dtype=np.float32)[:, None, None], (1, 1, 3)) + 100 * step
        parents, over = search.advance(logits, attention)
        first = num_rows - width
        kept = np.arange(width) if parents is None else parents[search.num_slots - 1]
        paths = [[*paths[row], 100 * step + first + row] for row in kept.tolist()]
    slot = search.num_slots - 1
    assert over == [slot]
    found = [h.attention for h in search.hypotheses(slot)]
    assert all(a is not None and a.shape == (limit, 1, 2) for a in found)
    assert sorted(a[:, 0, 0].tolist() for a in found if a is not None) == sorted(paths)


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_ngram_comes_twice_where_that_is_forbidden(beam_size: int, size: int) -> None:
    options = SearchOptions(beam_size=beam_size, num_hypotheses=beam_size, no_repeat_ngram=size)
    free = SearchOptions(beam_size=beam_size, num_hypotheses=beam_size)

    def repeats(hypothesis: Hypothesis) -> bool:
        written = (*hypothesis.token_ids, *([END] if hypothesis.finish_reason is FinishReason.EOS else []))
        grams = [written[i : i + size] for i in range(len(written) - size + 1)]
        return len(set(grams)) < len(grams)

    assert not any(map(repeats, found_by(options, 14)))
    if size == 1:
        assert any(map(repeats, found_by(free, 14)))


@pytest.mark.parametrize(("history", "expected"), [((1, 2, 5, 1, 2), 4), ((1, 2, 5, 4, 2), 5), ((2, 5, 1, 2), 5)])
def test_only_the_token_that_completes_an_ngram_is_forbidden(history: tuple[int, ...], expected: int) -> None:
    """The likeliest token would be 5, the second one 4."""
    search = Search(1, BEGIN, END, MOST)
    search.put([0], [asked(SearchOptions(1, no_repeat_ngram=3), 9, 1)])
    for token in (*history, 5):
        logits = np.zeros((1, 6), np.float32)
        logits[0, [4, token]] = 8.0, 9.0
        search.advance(logits, np.zeros((1, 1, 1), np.float32))
    assert search.tokens.tolist() == [expected]


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("prefix", [(2,), (1, 1, 1, 1), (3, 2, 1)])
@pytest.mark.parametrize("size", [0, 2])
def test_every_hypothesis_begins_with_the_prefix_at_no_cost(beam_size: int, prefix: tuple[int, ...], size: int) -> None:
    """Behind it a search goes on as if the model had written it, also where the prefix repeats what may not come."""
    options = SearchOptions(
        beam_size=beam_size, num_hypotheses=beam_size, target_prefix=prefix, no_repeat_ngram=size, length_penalty=0.0
    )
    found = found_by(options, len(prefix) + 4)
    assert found
    for hypothesis in found:
        assert hypothesis.token_ids[: len(prefix)] == prefix
        assert hypothesis.token_log_probs[: len(prefix)] == (0.0,) * len(prefix)
    if size == 0:
        written = (*found[0].token_ids, *([END] if found[0].finish_reason is FinishReason.EOS else []))
        assert sum(found[0].token_log_probs) == pytest.approx(total(written) - total(prefix), abs=1e-5)


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("fewest", [0, 1, 4, 6])
def test_no_hypothesis_ends_before_its_least_length(beam_size: int, fewest: int) -> None:
    """End token included; without a bound some end sooner, and with a bound of one token nothing changes."""
    free = SearchOptions(beam_size=beam_size, num_hypotheses=beam_size)
    found = found_by(replace(free, min_output_tokens=fewest), 6)
    assert found
    assert all(len(hypothesis.token_log_probs) >= fewest for hypothesis in found)
    assert min(len(hypothesis.token_log_probs) for hypothesis in found_by(free, 6)) < 6
    if fewest <= 1:
        assert found == found_by(free, 6)


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("count", [1, 2])
def test_no_hypothesis_has_a_forbidden_token_but_in_its_prefix(beam_size: int, count: int) -> None:
    """The others share their probability: what is chosen first is the likeliest of them."""
    free = SearchOptions(beam_size=beam_size, num_hypotheses=beam_size, min_output_tokens=3)
    usual = found_by(free, 6)[0].token_ids
    forbidden = tuple(dict.fromkeys(usual))[:count]
    found = found_by(replace(free, forbidden=forbidden), 6)
    assert found
    assert not any(set(forbidden) & set(hypothesis.token_ids) for hypothesis in found)
    first = np.exp(next_log_probs(()))
    first[[END, *forbidden]] = 0.0
    chosen = found[0]
    assert chosen.token_log_probs[0] == pytest.approx(np.log(first[chosen.token_ids[0]] / first.sum()), abs=1e-5)
    begun = found_by(replace(free, forbidden=forbidden, target_prefix=forbidden), 6)
    for hypothesis in begun:
        assert hypothesis.token_ids[: len(forbidden)] == forbidden
        assert not set(forbidden) & set(hypothesis.token_ids[len(forbidden) :])


def test_the_end_token_may_be_the_token_that_completes_the_least_length() -> None:
    search = Search(1, BEGIN, END, MOST)
    search.put([0], [asked(SearchOptions(1, min_output_tokens=3), 9, 1)])
    over = []
    for _ in range(3):
        logits = np.zeros((1, SIZE), np.float32)
        logits[0, [END, 3]] = 9.0, 8.0
        over.append(search.advance(logits, np.zeros((1, 1, 1), np.float32))[1])
    assert over == [[], [], [0]]
    (found,) = search.hypotheses(0)
    assert (found.token_ids, found.finish_reason) == ((3, 3), FinishReason.EOS)


def test_a_prefix_goes_with_its_segment_and_ends_with_it() -> None:
    """Slots are filled again and moved; each search has its own prefix, or none."""
    search = Search(1, BEGIN, END, MOST)
    search.put(
        [0, 1, 2], [asked(SearchOptions(1, target_prefix=prefix), 3, 1) for prefix in ((1, 1, 1), (), (2, 2, 2))]
    )
    logits = np.zeros((3, SIZE), np.float32)
    logits[:, 3] = 1.0
    attention = np.zeros((3, 1, 1), np.float32)
    search.advance(logits.copy(), attention)
    assert search.tokens.tolist() == [1, 3, 2]
    search.move([0], [2], 2)
    search.advance(logits[:2].copy(), attention[:2])
    assert search.tokens.tolist() == [2, 3]
    search.put([0], [asked(SearchOptions(1), 3, 1)])
    search.advance(logits[:2].copy(), attention[:2])
    assert search.tokens.tolist()[0] == 3
