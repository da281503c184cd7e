"""Every text has ids, none of them unknown, and comes back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_store.contract.errors import ContractError
from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID, UNKNOWN_ID, Tokenizer

# Text that nmt_nfkc leaves alone: no compatibility, control, format or replacement characters, no spaces.
plain = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp", "Mn")), max_size=40
).filter(lambda text: unicodedata.is_normalized("NFKC", text) and not set(text) & set("▁～\ufffd"))
any_text = st.text(st.characters(codec="utf-8"), max_size=60)
same_tokenizer = settings(max_examples=200, deadline=None)
signs = st.text(st.sampled_from("ab É.,!?/\u2013\"'\u201c\u201e\u00ab\u00bb()[]{}"), max_size=30)


@pytest.fixture(scope="module")
def spacing(tokenizer_model: bytes) -> Tokenizer:
    """One that puts spaces behind opening signs."""
    return Tokenizer(tokenizer_model, spaced_signs=True)


@same_tokenizer
@given(text=plain)
def test_normal_text_of_any_script_comes_back_exactly(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode(text)) == text


@same_tokenizer
@given(text=any_text)
def test_no_text_has_an_unknown_or_special_id(tokenizer: Tokenizer, text: str) -> None:
    assert not {UNKNOWN_ID, PAD_ID, BEGIN_ID, END_ID} & set(tokenizer.encode(text))


@same_tokenizer
@given(text=any_text)
def test_a_round_trip_changes_nothing_the_second_time(tokenizer: Tokenizer, text: str) -> None:
    once = tokenizer.decode(tokenizer.encode(text))
    assert tokenizer.decode(tokenizer.encode(once)) == once


@same_tokenizer
@given(text=any_text)
def test_spans_lie_in_the_text_in_order(tokenizer: Tokenizer, text: str) -> None:
    ids, spans = tokenizer.encode_with_spans(text)
    assert ids == tokenizer.encode(text)
    assert len(spans) == len(ids)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)


@same_tokenizer
@given(text=any_text)
def test_spans_of_a_decoded_text_cover_it(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    decoded, spans = tokenizer.decode_with_spans(ids)
    assert decoded == tokenizer.decode(ids)
    assert len(spans) == len(ids)
    assert "".join(decoded[start:end] for start, end in spans) == decoded


def test_offsets_are_code_points_and_not_bytes(tokenizer: Tokenizer) -> None:
    text = "日本 abc 😀"
    assert "".join(text[start:end] for start, end in tokenizer.encode_with_spans(text)[1]) == text


def test_special_ids_are_left_out_of_decoded_text(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("abc de")
    assert tokenizer.decode([BEGIN_ID, *ids, END_ID, PAD_ID]) == "abc de"


def test_a_batch_is_encoded_like_its_texts(tokenizer: Tokenizer) -> None:
    texts = ["abc", "", "de fgh"]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]


def test_the_promises_of_the_contract_hold(tokenizer: Tokenizer) -> None:
    assert tokenizer.has_byte_fallback
    assert tokenizer.special_ids == {"pad": PAD_ID, "unknown": UNKNOWN_ID, "begin": BEGIN_ID, "end": END_ID}


@pytest.mark.parametrize("model", [b"", b"nonsense", b"\0" * 100])
def test_bytes_that_are_no_model_are_refused(model: bytes) -> None:
    with pytest.raises(ContractError, match="no sentencepiece model"):
        Tokenizer(model)


@same_tokenizer
@given(text=signs)
def test_spaced_signs_leave_spans_in_the_text_and_a_second_round_as_it_is(spacing: Tokenizer, text: str) -> None:
    ids, spans = spacing.encode_with_spans(text)
    assert ids == spacing.encode(text) == spacing.encode_batch([text])[0]
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
    decoded, covered = spacing.decode_with_spans(ids)
    assert decoded == spacing.decode(ids)
    assert "".join(decoded[start:end] for start, end in covered) == decoded
    assert spacing.decode(spacing.encode(decoded)) == decoded


def test_a_word_behind_an_opening_sign_has_the_pieces_of_the_word_alone(
    spacing: Tokenizer, tokenizer: Tokenizer, sentences: list[str]
) -> None:
    word = max(sentences[0].split(), key=len)
    alone = spacing.encode(word)
    assert tokenizer.encode(f"a ({word}")[-len(alone) :] != alone
    for sign in "(\"['\u201e{":
        text = f"a {sign}{word}"
        assert spacing.encode(text)[-len(alone) :] == alone
        assert spacing.decode(spacing.encode(text)) == text
