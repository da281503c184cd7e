"""Where sentences begin and end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.sentences import WINDOW, about_num_sentences, sentence_spans

HOSTILE = ['‘。"', "“'\"", "“", "(", "\n", "[1].", "a.", "Mr. ", ". ", "?!", "a@b.", "\0. ", "\ud800. ", "x", " ", "日"]
PROSE = st.text(st.sampled_from("aB1 .!?\"'“”()\n\t,;。é\u2028😀\ud800\0"), max_size=200)


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    assert sentences("Mr. Smith paid $3.50 at 5 p.m. on Monday. He left! Why?") == [
        "Mr. Smith paid $3.50 at 5 p.m. on Monday.",
        "He left!",
        "Why?",
    ]


def test_lines_are_sentences_of_their_own() -> None:
    assert sentences("A title\n\n A line that\r\ngoes on. \u2028Last") == ["A title", "A line that", "goes on.", "Last"]


def test_japanese_sentences_need_no_space() -> None:
    assert sentences("これは文です。次の文です。", "ja") == ["これは文です。", "次の文です。"]


def test_an_unknown_language_has_the_general_rules() -> None:
    assert sentences("One. Two.", "zzz") == ["One.", "Two."]


@pytest.mark.parametrize(
    ("text", "language"),
    [("I saw Ms. Jones here.", "en"), ("Où est M. Dupont ?", "fr"), ("J'ai vu Mme. Durand.", "fr")],
)
def test_a_title_does_not_end_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} Yes.", language) == [text, "Yes."]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Call tel. 555 1234 now.", "en"),
        ("It takes approx. 20 minutes.", "en"),
        ("See vol. 2 and ch. 6.", "en"),
        ("Facture no. 2024-118 du 3 mars.", "fr"),
        ("Voir réf. 99, bd. 5.", "fr"),
        ("Die Rechnung Nr. 2024-118 ist da.", "de"),
        ("Der 2. Versuch klappte.", "de"),
        ("Im 19. Jahrhundert war das so.", "de"),
    ],
)
def test_neither_an_abbreviation_before_a_number_nor_an_ordinal_ends_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} OK!", language) == [text, "OK!"]


@pytest.mark.parametrize(("text", "language"), [("Meet at 5 p.m.", "en"), ("Il a dit non.", "fr")])
def test_a_number_may_begin_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} 20 people came.", language) == [text, "20 people came."]


@given(PROSE)
def test_sentences_are_ordered_and_only_white_space_lies_between_them(text: str) -> None:
    position = 0
    for start, end in sentence_spans(text, "en"):
        assert position <= start < end
        assert text[start:end] == text[start:end].strip()
        assert not text[position:start].strip()
        position = end
    assert not text[position:].strip()


def test_a_text_longer_than_the_window_has_the_same_sentences() -> None:
    one = "The cat sat on the mat, said Dr. Smith. "
    assert sentences(one * 200) == [one.strip()] * 200


def test_a_sentence_longer_than_the_window_is_cut_at_a_space() -> None:
    found = sentences("word " * 1000)
    assert " ".join(found) == ("word " * 1000).strip()
    assert all(len(sentence) <= WINDOW for sentence in found)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_cut_in_bounded_time(unit: str) -> None:
    text = (unit * 5000)[:5000]
    started = time.process_time()
    sentence_spans(text, "en")
    assert time.process_time() - started < 1.0  # tens of milliseconds at worst


def test_the_number_of_sentences_is_about_right() -> None:
    assert [about_num_sentences(text) for text in ("", " \n ", "One", "One. Two! Three?", "One\nTwo", "3.5 is it")] == [
        0, 0, 1, 3, 2, 1,
    ]  # fmt: skip
