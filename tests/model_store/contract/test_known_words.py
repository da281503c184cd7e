"""Words of the training text: known whatever their case, unknown where nobody wrote or copied them."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.errors import ContractError
from model_store.contract.known_words import MIN_COUNT, KnownWords

TEXT = ["The black cat sleeps.", "A cat doesn't sleep, it's black."]


def test_words_are_known_from_their_second_time_on_in_any_case() -> None:
    known = KnownWords.of(TEXT, "en")
    assert "cat" in known
    assert "BLACK" in known
    assert "sleeps" not in known
    assert MIN_COUNT == 2


def test_a_word_with_a_ligature_or_loose_accents_is_the_word_that_tokenizers_read() -> None:
    known = KnownWords.of(["The first office in the flat, café."] * MIN_COUNT, "en")
    words = ["\ufb01rst", "O\ufb03ce", "\ufb02at", "cafe\u0301", "\ufb02ut", "cafè"]
    assert known.unknown_and_count(words, "") == ([4, 5], 6)
    assert known.unknown_and_count(words, "") == ([4, 5], 6)  # what was looked up once counts alike


def test_punctuation_numbers_and_copies_are_never_unknown() -> None:
    known = KnownWords.of(TEXT, "en")
    words = ["Zorbel", "cat", ",", "42", "B-204", "settings", "!"]
    assert known.unknown_and_count(words, "le chat Zorbel")[0] == [5]
    assert known.unknown_and_count(words, "le chat Zorbel") == ([5], 3)
    assert known.unknown_and_count(words, "le chat Zorbel") == ([5], 3)  # what was looked up once counts alike


@given(st.lists(st.text(string.ascii_letters + "éßœ", min_size=1, max_size=12), max_size=50))
def test_a_file_read_again_knows_the_same_words(words: list[str]) -> None:
    known = KnownWords.of([" ".join(words)] * MIN_COUNT, "en")
    again = KnownWords(known.data)
    assert len(again) == len(known)
    assert again.unknown_and_count(words, "")[0] == [] == known.unknown_and_count(words, "")[0]


@pytest.mark.parametrize("data", [b"abc", b"\x02\0\0\0\x01\0\0\0", b"\x01\0\0\0\x01\0\0\0"])
def test_a_file_that_holds_no_sorted_sums_is_refused(data: bytes) -> None:
    with pytest.raises(ContractError, match="known words"):
        KnownWords(data)


def test_no_words_are_a_set_too() -> None:
    assert KnownWords(b"").unknown_and_count(["cat"], "")[0] == [0]
