"""Stretches between spaces give the subwords of the whole text, and links of subwords are those of their words."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from model_store.contract.tokenizer import Tokenizer
from model_store.data.batching import NOT_LINKED, SubwordLinks, make_batch
from model_store.data.encoding import StretchEncoder
from model_store.data.linked import HALF, SURE, LinkedPair, spaced_words

WORDS = st.lists(st.sampled_from(["cab", "fade", "bag", ",", "a", "igh", "don't", "\u00e9"]), min_size=1, max_size=8)


@settings(max_examples=60)
@given(WORDS)
def test_stretches_give_the_subwords_of_the_whole_text(tokenizer: Tokenizer, words: list[str]) -> None:
    text = " ".join(words).replace(" ,", ",")
    found = StretchEncoder(tokenizer).encode([LinkedPair(spaced_words(text, "en"), ("a",))], 100)
    assert found.sources == [tokenizer.encode(text)]
    assert found.links is not None
    owners = list(found.links[0].source_words)
    assert owners == sorted(owners)
    assert len(owners) == len(found.sources[0])
    assert set(owners) == set(range(len(spaced_words(text, "en"))))


def test_pairs_that_are_too_long_are_left_out(tokenizer: Tokenizer) -> None:
    pairs = [LinkedPair(("a",), ("a",)), LinkedPair(tuple(" a" for _ in range(9)), ("a",))]
    assert len(StretchEncoder(tokenizer).encode(pairs, 5)) == 1


def test_a_linked_word_looks_at_all_subwords_of_its_word_and_others_at_the_end_token() -> None:
    links = SubwordLinks([0, 0, 1], [0, 1, 1, 2], ((0, 0, SURE), (1, 0, HALF), (1, 1, HALF)))
    expected = [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, NOT_LINKED], [0, 0, 0, NOT_LINKED]]
    np.testing.assert_allclose(links.weights(), expected)


def test_a_batch_pads_links_with_nothing(tokenizer: Tokenizer) -> None:
    pairs = [LinkedPair(("cab",), ("cab",), ((0, 0, SURE),)), LinkedPair(("cab", " fade"), ("cab", " fade", " bag"))]
    encoded = StretchEncoder(tokenizer).encode(pairs, 50)
    batch = make_batch(encoded, [0, 1])
    assert batch.links is not None
    assert batch.links.shape == (*batch.labels.shape, batch.source_ids.shape[1])
    num_rows = len(encoded.targets[0]) + 1
    assert not batch.links[0, num_rows:].any()
    assert not batch.links[0, :, len(encoded.sources[0]) + 1 :].any()
    np.testing.assert_allclose(batch.links[0, : num_rows - 1].sum(axis=1), 1.0, rtol=1e-6)
