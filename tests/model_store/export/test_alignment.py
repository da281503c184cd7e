"""Choosing and measuring attention as alignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.architectures.transformer import Transformer
from model_store.contract.tokenizer import Tokenizer
from model_store.data.gold import GoldPair
from model_store.export.alignment import (
    EncodedSide,
    WordMap,
    encode_words,
    unmeasured_alignment,
    with_leftovers,
    word_links,
    word_map,
)
from model_store.training.recipe import GuidedPart
from service.attention.alignment import are_words, links
from service.attention.grouping import Grouping
from service.attention.kernel import with_leftovers as served_with_leftovers
from service.attention.maps import Merging
from service.attention.selection import SelectedMap
from service.exchanged import Token


def test_gold_words_are_encoded_as_they_stand_in_a_sentence(tokenizer: Tokenizer) -> None:
    french = encode_words(tokenizer, ("qu\u2019", "il", "avait", ",", "non", "?"), "fr")
    text = "qu'il avait, non ?"
    assert french.ids == tokenizer.encode(text)
    assert [text[a:b] for a, b in french.words] == ["qu'", "il", "avait", ",", "non", "?"]
    english = encode_words(tokenizer, ("(", "his", "cat", "'s", ")", "!"), "en")
    assert english.ids == tokenizer.encode("(his cat's)!")


@st.composite
def sides(draw: st.DrawFn) -> EncodedSide:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    words = [(10 * i, 10 * i + 9) for i in range(len(sizes))]
    spans = [(10 * i + 3 * j, 10 * i + 3 * j + 3) for i, size in enumerate(sizes) for j in range(size)]
    return EncodedSide([1] * len(spans), spans, words)


@given(sides(), sides(), st.sampled_from([0, 1]), st.sampled_from([0.0, 0.2, 0.5]), st.integers(0, 99))
def test_links_are_those_that_the_server_would_make(
    source: EncodedSide, target: EncodedSide, shift: int, least: float, seed: int
) -> None:
    rows = np.random.default_rng(seed).dirichlet(np.full(len(source.ids) + 1, 0.3), len(target.ids) + 1)
    ours = word_links(word_map(rows, source, target, shift), least)
    groupings = [Grouping(tuple(Token("x" * 9, a, b) for a, b in side.words), side.spans) for side in (source, target)]
    chosen = SelectedMap(1, 1, (0,), shift, least)
    theirs = Merging(*groupings).merge(rows[:, None].astype(np.float32), chosen)
    assert ours == frozenset(links(theirs.linked))


def test_a_word_that_looks_at_the_end_token_most_has_no_link() -> None:
    found = WordMap(np.array([[0.4, 0.1], [0.3, 0.6]]), np.array([0.5, 0.1]))
    assert word_links(found, 0.0) == {(1, 1)}
    assert word_links(found, 0.7) == frozenset()


@pytest.mark.parametrize("guided", [True, False])
def test_without_gold_the_guided_heads_are_taken(guided: bool) -> None:
    part = GuidedPart.model_validate({"heads": [{"layer": 2, "head": 1}, {"layer": 2, "head": 2, "shift": 1}]})
    found = unmeasured_alignment(Transformer.tiny(), part if guided else None)
    shown = found.alignment
    assert (shown.layer, shown.head, shown.shift) == ((2, 2, 1) if guided else (2, "mean", 0))
    assert (found.links is not None) is guided
    if found.links is not None:
        assert (found.links.layer, found.links.head, found.links.shift) == (2, 2, 1)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 999), st.sampled_from([0.2, 0.5]))
def test_left_over_words_are_linked_as_the_server_does(
    num_sources: int, num_targets: int, seed: int, least: float
) -> None:
    chance = np.random.default_rng(seed)
    sources, targets = (tuple(chance.choice(["cat", ".", "me"], n)) for n in (num_sources, num_targets))
    weights = chance.dirichlet(np.full(num_sources, 0.4), num_targets)
    found = frozenset((int(chance.integers(num_sources)), t) for t in range(num_targets) if chance.random() < 0.5)
    pair = GoldPair(sources, targets, frozenset(), frozenset())
    ours = with_leftovers(found, weights, pair, least)
    flags = [are_words([Token(word, 0, 1) for word in side]) for side in (sources, targets)]
    linked = np.full(num_targets, -1)
    for source, target in found:
        linked[target] = source
    served = served_with_leftovers(linked, weights, *flags, least)
    assert ours == frozenset(links(served))
    assert found <= ours
    added = ours - found
    assert len({t for _, t in added}) == len(added)
    assert not {s for s, _ in added} & {s for s, _ in found}
    assert all(sources[s] != "." and targets[t] != "." for s, t in added)
