"""Misspelt words and what may be meant by them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import normalise
from service.text.typed.spelling import corrections, with_accents

KNOWN = {
    *(
        [
            "receive",
            "really",
            "relay",
            "before",
            "because",
            "separate",
            "hello",
            "there",
            "want",
            "wait",
            "the",
            "you",
            "mail",
        ]
    ),
    "très",
    "été",
    "êtes",
    "déjà",
    "français",
    "préféré",
    "hésité",
    "cœur",
    "können",
    "für",
    "möglich",
    "natürlich",
    "nicht",
    "wies",
    "f\u00fc\u00dfe",
    "naive",
    "expose",
    "caf\u00e9",
    "cafe",
}
ORDER = ["relay", "really"]


def encode(word: str) -> list[int]:
    """One subword for each known word, frequent ones first; letters of others."""
    return [ORDER.index(word)] if word in ORDER else [len(ORDER)] if word in KNOWN else [9] * len(word)


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "recieve becuase seperate", {"receive", "because", "separate"}),
        ("en", "befor precieve warn wants mait", set()),  # another slip, or none
        ("en", "helo there", {"hello"}),
        ("en", "waant", {"want"}),
        ("en", "realy", {"relay"}),  # as small a slip as really, and more frequent here
        ("en", "there, Recieve, RECIEVE, kubectl, becuase.py, a@becuase.org, becuase-1", set()),
        ("fr", "tres etes deja francais coeur prefere", {"très", "êtes", "déjà", "français", "cœur"}),
        ("de", "koennen fuer moglich naturlich nciht", {"können", "für", "möglich", "natürlich", "nicht"}),
        ("pl", "recieve", set()),
    ],
)
def test_what_may_be_meant(language: str, text: str, meant: set[str]) -> None:
    found = corrections(text, language, KNOWN, encode)
    assert {each.word for each in found} == meant
    assert all(text[each.start : each.end] != each.word for each in found)


def test_the_frequent_word_of_equal_slips_is_meant() -> None:
    ORDER.reverse()
    try:
        (found,) = corrections("realy", "en", KNOWN, encode)
    finally:
        ORDER.reverse()
    assert found.word == "really"


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "Koennen Sie das fuer mich tun? Frauen moeglich", "Können Sie das für mich tun? Frauen möglich"),
        ("de", "KOENNEN, Goethe", "KOENNEN, Goethe"),
        ("fr", "Tres francais, deja", "Très français, déjà"),
        ("fr", "Tres français, deja", "Tres français, deja"),  # the keyboard has accents
        ("fr", "Elle va degenerer deja", "Elle va dégénérer déjà"),  # three accents in a word
        ("fr", "Si tu preferes, deja", "Si tu preferes, déjà"),
        ("fr", "Ils sont preferes.", "Ils sont préférés."),
        ("fr", "Le pont du Golden Deja, Deja", "Le pont du Golden Deja, Déjà"),
        ("en", "deja", "deja"),
        ("de", "Fuesse, neue, Feuer, Poesie, aktuell", "F\u00fc\u00dfe, neue, Feuer, Poesie, aktuell"),
        ("en", "a na\u00efve caf\u00e9, an expos\u00e9, Na\u00efve", "a naive caf\u00e9, an expos\u00e9, Na\u00efve"),
    ],
)
def test_letters_that_a_keyboard_lacks_come_back(language: str, text: str, read: str) -> None:
    found = with_accents(normalise(text), language, {*KNOWN, "frauen", "mich", "dégénérer", "elle", "préférés"}, encode)
    assert found.text == read
    assert len(found.starts) == len(found.ends) == len(read)
    assert found.ends[-1] == len(text)


@given(st.text("abceeoué ß'-.", max_size=40), st.sampled_from(["en", "fr", "de"]))
def test_corrections_are_known_words_in_order(text: str, language: str) -> None:
    found = corrections(text, language, KNOWN, encode)
    assert all(each.word in KNOWN and text[each.start : each.end] not in KNOWN for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_word_with_many_places_for_accents_is_quick() -> None:
    assert corrections("e" * 5000, "fr", KNOWN, encode) == []
