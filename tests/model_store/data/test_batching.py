"""Batches lose nothing, stay in their bounds, and depend on seed and epoch alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID
from model_store.data.batching import TokenPairs, join_pairs, make_batch, plan_epoch

sentence = st.lists(st.integers(4, 99), min_size=1, max_size=12)
some_pairs = st.lists(st.tuples(sentence, sentence), min_size=1, max_size=40).map(
    lambda rows: TokenPairs([source for source, _ in rows], [target for _, target in rows])
)
bound = st.integers(4, 200)
seed = st.integers(0, 5)


@given(some_pairs, bound, seed)
def test_every_pair_is_in_exactly_one_batch_of_an_epoch(pairs: TokenPairs, batch_tokens: int, epoch: int) -> None:
    plan = plan_epoch(pairs, batch_tokens, 1, epoch)
    assert sorted(i for batch in plan for i in batch) == list(range(len(pairs)))


@given(some_pairs, bound, seed)
def test_no_batch_of_several_pairs_has_more_padded_tokens_than_allowed(
    pairs: TokenPairs, batch_tokens: int, epoch: int
) -> None:
    for chosen in plan_epoch(pairs, batch_tokens, 1, epoch):
        batch = make_batch(pairs, chosen)
        assert len(chosen) == 1 or batch.source_ids.size + batch.target_ids.size <= batch_tokens


@given(some_pairs, bound, seed, seed)
def test_the_same_seed_and_epoch_give_the_same_plan(pairs: TokenPairs, batch_tokens: int, a: int, b: int) -> None:
    assert plan_epoch(pairs, batch_tokens, a, b) == plan_epoch(pairs, batch_tokens, a, b)


def test_another_seed_or_epoch_gives_another_order() -> None:
    pairs = TokenPairs([[5] * (i % 7 + 1) for i in range(200)], [[6] * (i % 5 + 1) for i in range(200)])
    plans = [plan_epoch(pairs, 60, a, b) for a, b in ((1, 0), (1, 1), (2, 0))]
    assert plans[0] != plans[1] != plans[2] != plans[0]


def test_pairs_of_like_length_share_a_batch() -> None:
    chance = np.random.default_rng(1)
    lengths = chance.integers(1, 40, 2000)
    pairs = TokenPairs([[5] * n for n in lengths], [[6] * n for n in lengths])
    batches = [make_batch(pairs, chosen) for chosen in plan_epoch(pairs, 1000, 1, 0)]
    padded = sum(b.source_ids.size + b.target_ids.size for b in batches)
    assert sum(b.num_tokens for b in batches) > 0.93 * padded


@given(some_pairs)
def test_a_batch_holds_its_pairs_with_begin_end_and_padding(pairs: TokenPairs) -> None:
    batch = make_batch(pairs, range(len(pairs)))
    for i in range(len(pairs)):
        source, target = pairs.sources[i], pairs.targets[i]
        assert batch.source_ids[i][batch.source_mask[i]].tolist() == [*source, END_ID]
        assert (batch.source_ids[i][~batch.source_mask[i]] == PAD_ID).all()
        assert batch.target_ids[i][: len(target) + 1].tolist() == [BEGIN_ID, *target]
        assert batch.labels[i][batch.labels[i] != PAD_ID].tolist() == [*target, END_ID]
    assert batch.num_tokens == sum(map(len, [*pairs.sources, *pairs.targets])) + 2 * len(pairs)


@given(some_pairs, st.integers(1, 12))
def test_long_pairs_are_left_out(pairs: TokenPairs, longest: int) -> None:
    kept = pairs.shorter_than(longest)
    assert all(len(ids) <= longest for ids in [*kept.sources, *kept.targets])
    assert len(kept) == sum(max(len(s), len(t)) <= longest for s, t in zip(pairs.sources, pairs.targets, strict=True))


@given(some_pairs, st.floats(0, 1), seed)
def test_joining_loses_no_token_and_keeps_both_sides_together(pairs: TokenPairs, fraction: float, epoch: int) -> None:
    marked = TokenPairs([[i, *ids] for i, ids in enumerate(pairs.sources, start=1000)], pairs.targets)
    targets = dict(enumerate(marked.targets, start=1000))
    joined = join_pairs(marked, fraction, 1, epoch)
    assert sorted(t for ids in joined.sources for t in ids) == sorted(t for ids in marked.sources for t in ids)
    for source, target in zip(joined.sources, joined.targets, strict=True):
        assert target == [token for mark in source if mark >= 1000 for token in targets[mark]]


def test_about_the_fraction_asked_for_is_joined_in_groups_of_two_to_five() -> None:
    joined = join_pairs(TokenPairs([[5]] * 1000, [[6]] * 1000), 0.3, 1, 0)
    sizes = [len(source) for source in joined.sources if len(source) > 1]
    assert set(sizes) == {2, 3, 4, 5}
    assert 300 <= sum(sizes) <= 305


def test_joining_depends_on_seed_and_epoch_alone() -> None:
    pairs = TokenPairs([[i] for i in range(50)], [[i] for i in range(50)])
    assert join_pairs(pairs, 0.5, 1, 2) == join_pairs(pairs, 0.5, 1, 2) != join_pairs(pairs, 0.5, 1, 3)
    assert join_pairs(pairs, 0.0, 1, 2) == pairs
