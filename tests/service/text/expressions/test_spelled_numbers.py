"""Numbers in words and digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import NUMBER, kind_of
from service.text.expressions.spelled_numbers import in_words, spelled_numbers

LANGUAGES = ("en", "fr", "de")


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "within thirty (30) days", ["trente (30)"]),
        (("en", "de"), "Thirty (30) days", ["Drei\u00dfig (30)"]),
        (("en", "fr"), "one hundred and twenty (120) or a hundred twenty (120)", ["cent vingt (120)"] * 2),
        (("en", "de"), "the last twenty four (24) months", ["vierundzwanzig (24)"]),
        (("fr", "en"), "un pr\u00e9avis de trois (3) mois", ["three (3)"]),
        (("de", "en"), "innerhalb von 14 (vierzehn) Tagen", ["14 (fourteen)"]),
        (("de", "fr"), "hundert (100) oder einhundert (100) Euro", ["cent (100)"] * 2),
        (("en", "fr"), "one (1) day, twenty-one (21) days", []),  # the noun tells the gender
        (("en", "fr"), "forty (30) days, Section (3), 5 (five hundred)", []),
        (("en", "it"), "thirty (30) days", []),
    ],
)
def test_numbers_in_words_and_digits(languages: tuple[str, str], text: str, expected: list[str]) -> None:
    assert [each.translated for each in spelled_numbers(text, *languages)] == expected


@given(st.integers(1, 999), st.sampled_from(LANGUAGES), st.sampled_from(LANGUAGES))
def test_every_number_is_found_in_its_own_words(number: int, source: str, target: str) -> None:
    text = f"x {in_words(number, source)} ({number}) y"
    for each in spelled_numbers(text, source, target):
        assert text[each.start : each.end] == f"{in_words(number, source)} ({number})"
        assert each.translated == f"{in_words(number, target)} ({number})"
        assert kind_of(each.translated) == NUMBER


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_have_words_of_their_own(language: str) -> None:
    assert len({in_words(number, language) for number in range(1, 1000)}) == 999


def test_french_numbers() -> None:
    expected = {
        21: "vingt et un", 71: "soixante et onze", 77: "soixante-dix-sept", 80: "quatre-vingts", 81: "quatre-vingt-un",
        91: "quatre-vingt-onze", 200: "deux cents", 280: "deux cent quatre-vingts",
    }  # fmt: skip
    assert {number: in_words(number, "fr") for number in expected} == expected
