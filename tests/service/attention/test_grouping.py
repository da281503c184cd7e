"""Subwords as words, and as tokens that a client can point at."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.tokenizer import Tokenizer
from service.attention.grouping import Grouping, Span, by_subword
from service.attention.kernel import overlap_shares
from service.exchanged import Token
from service.messages import Level
from service.text.spans.normalise import normalise
from service.text.words import words

TEXTS = st.one_of(st.text(), st.text(st.sampled_from("The cat's é日本🙂ﬁ½… .!?'’\t\u00a0e\u0301\u200b\0\u00ad")))


def spans_of(tokenizer: Tokenizer, text: str, offset: int = 0) -> list[Span]:
    normalised = normalise(text)
    spans = [normalised.original_span(*span) for span in tokenizer.encode_with_spans(normalised.text)[1]]
    return [(start + offset, end + offset) for start, end in spans]


def group(tokenizer: Tokenizer, text: str, level: Level, offset: int = 0) -> Grouping:
    spans = spans_of(tokenizer, text, offset)
    return by_subword(spans, text, offset) if level == "token" else Grouping(tuple(words(text, "en", offset)), spans)


def shares(grouping: Grouping) -> np.ndarray:
    """[subwords, tokens]: the share of each subword that belongs to each token."""
    places = np.array([(token.start, token.end) for token in grouping.tokens], np.int64).reshape(-1, 2)
    return overlap_shares(np.array(grouping.spans, np.int64).reshape(-1, 2), places)


@given(text=TEXTS, level=st.sampled_from(["word", "token"]), offset=st.integers(0, 9))
def test_tokens_are_the_clients_own_text_and_every_subword_is_shared_out(
    tokenizer: Tokenizer, text: str, level: Level, offset: int
) -> None:
    grouping = group(tokenizer, text, level, offset)
    assert all(text[t.start - offset : t.end - offset] == t.text != "" for t in grouping.tokens)
    assert [t.start for t in grouping.tokens] == sorted(t.start for t in grouping.tokens)
    assert all(a.end <= b.start for a, b in pairwise(grouping.tokens))
    given_out = shares(grouping)
    assert given_out.shape == (len(grouping.spans), len(grouping.tokens))
    if grouping.tokens:
        np.testing.assert_allclose(given_out.sum(axis=1), 1.0)
        assert (given_out >= 0).all()


@given(text=TEXTS)
def test_every_token_of_the_token_level_has_a_subword_of_its_own(tokenizer: Tokenizer, text: str) -> None:
    grouping = group(tokenizer, text, "token")
    given_out = shares(grouping)
    assert ((given_out == 0) | (given_out == 1)).all()
    assert (given_out.sum(axis=0) >= 1).all()


@given(text=TEXTS)
def test_every_word_of_a_decoded_text_has_a_subword(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(normalise(text).text)
    decoded, spans = tokenizer.decode_with_spans(ids)
    assert (shares(Grouping(tuple(words(decoded, "fr")), spans)).sum(axis=0) > 0).all()


@pytest.mark.parametrize("text", ["🙂 cat 日本", "ﬁne ½", "a\u0301b"])
def test_bytes_of_a_character_are_one_token(tokenizer: Tokenizer, text: str) -> None:
    tokens = [t.text for t in group(tokenizer, text, "token").tokens]
    assert "".join(tokens) == text.replace(" ", "")


def test_a_lone_space_piece_belongs_to_the_word_behind_it() -> None:
    spans = [(0, 1), (1, 2), (2, 3)]
    tokens = (Token("a", 0, 1), Token("b", 2, 3))
    np.testing.assert_array_equal(shares(Grouping(tokens, spans)), [[1, 0], [0, 1], [0, 1]])
    assert by_subword(spans, "a b").tokens == tokens
    np.testing.assert_array_equal(shares(by_subword(spans, "a b")), [[1, 0], [0, 1], [0, 1]])


def test_a_subword_over_two_words_is_shared_by_code_points() -> None:
    grouping = Grouping((Token("l'", 0, 2), Token("un", 2, 4)), [(0, 4)])
    np.testing.assert_array_equal(shares(grouping), [[0.5, 0.5]])


def test_subwords_of_the_same_code_point_are_one_token() -> None:
    grouping = by_subword([(0, 1), (0, 2), (2, 3)], "½xy")
    assert grouping.tokens == (Token("½x", 0, 2), Token("y", 2, 3))
    np.testing.assert_array_equal(shares(grouping), [[1, 0], [1, 0], [0, 1]])


def test_subwords_of_an_empty_text_have_no_token() -> None:
    assert shares(Grouping((), [(0, 0)])).shape == shares(by_subword([(0, 0)], "")).shape == (1, 0)


def test_a_word_without_a_subword_was_not_read() -> None:
    """The tag of `<b>Done`, whose subwords cover *Done* alone."""
    tokens = (Token("<", 0, 1), Token("b", 1, 2), Token(">", 2, 3), Token("Done", 3, 7))
    assert Grouping(tokens, [(3, 5), (5, 7)]).are_read().tolist() == [False, False, False, True]
    assert Grouping(tokens, []).are_read().tolist() == [False] * 4
    assert Grouping((), [(0, 1)]).are_read().tolist() == []
