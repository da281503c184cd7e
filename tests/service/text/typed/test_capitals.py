"""Text in capitals is read in lower case and written in capitals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import normalise
from service.text.typed.capitals import (
    in_capitals,
    is_capitals,
    was_capitals,
    with_accented_a,
    without_capital_terms,
    without_capitals,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("STOP", True), ("I AM HERE!", True), ("I", False), ("A-1", False), ("Stop", False), ("", False)],
)
def test_capitals_are_recognised(text: str, expected: bool) -> None:
    assert is_capitals(text) is expected


def test_a_compound_in_small_letters_is_not_in_capitals() -> None:
    assert not was_capitals("A \ue000 TV", "A 40-inch TV")
    assert was_capitals("A \ue000 TV", "A 40-INCH TV")
    assert was_capitals("ASK \ue000", "ASK a@b.org")


def test_the_pronoun_and_the_first_letter_stay() -> None:
    assert without_capitals(normalise("WHO AM I? I'M TOM."), "en").text == "Who am I? I'm tom."
    assert without_capitals(normalise("QUI SUIS-JE ?"), "fr").text == "Qui suis-je ?"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "The Tenant shall tell the Landlord.", "The tenant shall tell the landlord."),
        ("en", "each Party to this Agreement", "each party to this agreement"),
        ("en", "The Property Market Review and Landlord", "The Property Market Review and Landlord"),
        (
            "en",
            "the Order of the Phoenix, Law and Order, The Client",
            "the Order of the Phoenix, Law and Order, The Client",
        ),
        ("en", "Tenant of the Year", "Tenant of the Year"),
        ("fr", "Le Locataire et l'Acheteur, le Parti", "Le locataire et l'acheteur, le Parti"),
        ("de", "Der Mieter", "Der Mieter"),
    ],
)
def test_words_that_contracts_define_have_a_small_letter(language: str, text: str, expected: str) -> None:
    assert without_capital_terms(normalise(text), language).text == expected


@given(st.text(max_size=40).map(str.upper).filter(is_capitals))
def test_every_code_point_stands_for_what_it_stood_for(text: str) -> None:
    normalised = normalise(text)
    if not any(c.isupper() for c in normalised.text):
        return
    lower = without_capitals(normalised, "en")
    assert (lower.starts, lower.ends) == (normalised.starts, normalised.ends)
    assert len(lower.text) == len(normalised.text)


@given(st.text(max_size=30))
def test_spans_follow_letters_that_become_two(text: str) -> None:
    spans = [(i, i + 1) for i in range(len(text))]
    raised, moved = in_capitals(text, spans)
    assert [raised[a:b] for a, b in moved] == [c.upper() for c in text]


@pytest.mark.parametrize(
    ("text", "had_accents", "expected"),
    [
        ("Entree a gauche de la cour", False, "Entree \u00e0 gauche de la cour"),
        ("A louer", False, "\u00c0 louer"),
        ("Bienvenue a la ferme", False, "Bienvenue \u00e0 la ferme"),
        ("Le maire a la parole", True, "Le maire a la parole"),
        ("Jean a la grippe", False, "Jean a la grippe"),
        ("Il a votre cle, elle a la v\u00f4tre", False, "Il a votre cle, elle a la v\u00f4tre"),
        ("Il y a demain une fete a l'ecole", False, "Il y a demain une fete \u00e0 l'ecole"),
    ],
)
def test_a_without_its_accent_is_read_with_it(text: str, had_accents: bool, expected: str) -> None:
    assert with_accented_a(normalise(text), had_accents).text == expected
