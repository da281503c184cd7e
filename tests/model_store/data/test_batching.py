"""Batches lose nothing, stay in their bounds, and depend on seed and epoch alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID
from model_store.data.batching import TokenPairs, make_batch, plan_epoch

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
