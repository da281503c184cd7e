"""Sentences of a text and of its translation, paired in their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.store import EMBEDDED_STORE, Store
from service.text.pairing import Pairing, UnpairedError
from service.text.protection import Protector
from service.text.segments import Segmenter
from tests.bundles import published


@pytest.fixture(scope="module")
def pairing() -> Pairing:
    tokenizer = published("en-fr-transformer").tokenizer
    signs = tokenizer.placeholders
    protector = Protector(signs, tokenizer.knows)
    segmenter = Segmenter("en", tokenizer.encode, 60, tokenizer.encode_with_spans, signs, protector)
    return Pairing(segmenter, "fr", tokenizer.encode_with_spans, 50)


def shown(pairing: Pairing, text: str, translation: str) -> list[tuple[str, str]]:
    return [(pair.source.text, pair.target.text) for pair in pairing.pairs(text, translation)]


def test_as_many_sentences_are_paired_one_by_one(pairing: Pairing) -> None:
    assert shown(pairing, "Hello. How are you?", "Bonjour.  Comment allez-vous ?") == [
        ("Hello.", "Bonjour."),
        ("How are you?", "Comment allez-vous ?"),
    ]


def test_cells_of_tables_are_paired_one_by_one(pairing: Pairing) -> None:
    assert shown(pairing, "| Name | Age |\n| **Sex** | City |", "| Nom | \u00c2ge |\n| **Sexe** | Ville |") == [
        ("Name", "Nom"),
        ("Age", "\u00c2ge"),
        ("Sex", "Sexe"),
        ("City", "Ville"),
    ]


def test_other_numbers_of_sentences_make_one_pair_of_the_whole_texts(pairing: Pairing) -> None:
    assert shown(pairing, " Hello. How are you?\n", "Bonjour, comment allez-vous ?") == [
        ("Hello. How are you?", "Bonjour, comment allez-vous ?")
    ]


def test_sentences_without_anything_to_translate_are_no_pairs_on_either_side(pairing: Pairing) -> None:
    assert shown(pairing, "Hello. 12:30! How are you?", "Bonjour. 12:30! Comment allez-vous ?") == [
        ("Hello.", "Bonjour."),
        ("How are you?", "Comment allez-vous ?"),
    ]
    assert shown(pairing, "Hello.\nhttps://a.org/x\nYes.", "Bonjour.\nhttps://a.org/x\nOui.") == [
        ("Hello.", "Bonjour."),
        ("Yes.", "Oui."),
    ]
    assert shown(pairing, "12:30", "12:30") == []


def test_a_whole_translation_keeps_its_numbers(pairing: Pairing) -> None:
    assert shown(pairing, "12:30. Hello. How are you?", "12:30. Bonjour, comment allez-vous ?") == [
        ("12:30. Hello. How are you?", "12:30. Bonjour, comment allez-vous ?")
    ]
    assert shown(pairing, "Hello.", "12:30") == [("Hello.", "12:30")]


@pytest.mark.parametrize(("text", "fault"), [("12:30", "has nothing to translate"), ("Hello.", "has no translation")])
def test_one_side_without_anything_is_refused(pairing: Pairing, text: str, fault: str) -> None:
    with pytest.raises(UnpairedError, match=f"^{fault}$"):
        pairing.pairs(text, "Bonjour." if text == "12:30" else "\n")


def test_blank_texts_are_no_pairs_and_one_blank_text_is_refused(pairing: Pairing) -> None:
    assert pairing.pairs(" \n", "") == []
    with pytest.raises(UnpairedError, match=r"^has no translation$"):
        pairing.pairs("Hello.", " ")
    with pytest.raises(UnpairedError, match=r"^has nothing to translate$"):
        pairing.pairs("", "Bonjour.")


def test_what_is_too_long_is_refused_with_a_remedy(pairing: Pairing) -> None:
    long = "Nous avons mangé du pain et du fromage. " * 8
    with pytest.raises(UnpairedError, match=r"too long to be one; send it sentence by sentence$"):
        pairing.pairs("We ate bread and cheese. " * 16, long)
    with pytest.raises(UnpairedError, match=r"subwords in one segment, more than 50; send it sentence by sentence$"):
        pairing.pairs("Hello.", long)


def test_copies_have_the_placeholders_of_their_source(pairing: Pairing) -> None:
    (pair,) = pairing.pairs("Write to bob@x.org or see x.org/a today.", "Voyez x.org/a ou écrivez à bob@x.org.")
    signs = dict(pair.source.copies)
    assert sorted(signs.values()) == ["bob@x.org", "x.org/a"]
    assert dict(pair.target.copies) == signs
    assert [sign for sign in pair.target.normalised.text if sign in signs] == [sign for sign, _ in pair.target.copies]
    assert pair.target.spans is not None
    start = pair.target.normalised.original_span(*pair.target.spans[-1])[1]
    assert start == len(pair.target.text)


def test_a_copy_that_the_translation_has_more_seldom_than_the_source_is_looked_for_once(pairing: Pairing) -> None:
    (pair,) = pairing.pairs("Use https://a.org, then https://a.org again.", "https://a.org suffit.")
    assert [copy for _, copy in pair.source.copies] == ["https://a.org", "https://a.org"]
    assert [copy for _, copy in pair.target.copies] == ["https://a.org"]


def test_capitals_are_read_in_lower_case_on_both_sides(pairing: Pairing) -> None:
    (pair,) = pairing.pairs("THE CAT SLEEPS.", "LE CHAT DORT.")
    assert pair.source.normalised.text == "The cat sleeps."
    assert pair.target.normalised.text == "Le chat dort."


@given(st.text(max_size=60), st.text(max_size=60))
def test_segments_lie_where_they_say_or_the_pair_is_refused(text: str, translation: str) -> None:
    if not (EMBEDDED_STORE / "en-fr-bahdanau").is_dir():
        pytest.skip("there is no published bundle")
    tokenizer = Store(EMBEDDED_STORE).open("en-fr-bahdanau").tokenizer
    signs = tokenizer.placeholders
    segmenter = Segmenter(
        "en", tokenizer.encode, 60, tokenizer.encode_with_spans, signs, Protector(signs, tokenizer.knows)
    )
    try:
        pairs = Pairing(segmenter, "fr", tokenizer.encode_with_spans, 200).pairs(text, translation)
    except UnpairedError:
        return
    for source, target in pairs:
        assert text[source.start : source.end] == source.text
        assert translation[target.start : target.end] == target.text
        assert target.spans is not None
        assert len(target.spans) == len(target.token_ids)


PIECES = ("https://a.org", "a@b.org", "the cat", "the dog.")


@given(
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=5), st.lists(st.sampled_from(PIECES), min_size=2, max_size=5)
)
def test_whatever_is_copied_how_often_pairs_are_of_the_texts(
    pairing: Pairing, text: list[str], other: list[str]
) -> None:
    source, translation = " ".join(text), " ".join(other)
    try:
        pairs = pairing.pairs(source, translation)
    except UnpairedError:
        return
    for side, whole in ((0, source), (1, translation)):
        ends = [0]
        for pair in pairs:
            segment = pair[side]
            assert ends[-1] <= segment.start <= segment.end <= len(whole)
            assert segment.text == whole[segment.start : segment.end]
            ends.append(segment.end)


def test_a_pair_of_many_sentences_is_made_in_steps(pairing: Pairing) -> None:
    text = "One here. Another there. A third one."
    assert len(list(pairing.steps(text, text))) >= 9
