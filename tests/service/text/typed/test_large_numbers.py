"""Numbers above a hundred in words."""

from __future__ import annotations

import pytest

from service.text.expressions.spelled_numbers import in_words
from service.text.spans.normalise import normalise
from service.text.typed.large_numbers import with_digits


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Two hundred and twenty-one pages", "221 pages"),
        ("en", "a hundred and ten people", "110 people"),
        ("en", "two thousand and twenty-four", "2024"),
        ("en", "three thousand five hundred euros", "3500 euros"),
        ("en", "one thousand, two hundred and six", "1206"),
        ("en", "two hundred fifty grams", "250 grams"),
        ("en", "two hundred pages", None),
        ("en", "between a hundred and two hundred people", None),
        ("en", "two hundred and fifty thousand", None),
        ("en", "two hundred five-year-olds", None),
        ("en", "one hundred and three (103) days", None),
        ("en", "nineteen hundred and five", None),
        ("de", "zweihunderteinundzwanzig Seiten", "221 Seiten"),
        ("de", "Hundertf\xfcnf Leute", "105 Leute"),
        ("de", "hundertundeins", "101"),
        ("de", "im Jahr neunzehnhundertf\xfcnfundachtzig", "im Jahr 1985"),
        ("de", "zweitausendvierundzwanzig", "2024"),
        ("de", "dreitausendf\xfcnfhundert Euro", "3500 Euro"),
        ("de", "zweihundert Seiten", None),
        ("de", "tausend Dank", None),
        ("de", "hundertf\xfcnfzigtausend", None),
        ("de", "der zweihundertf\xfcnfzigste", None),
        ("de", "einhundertdrei (103) Tage", None),
        ("fr", "deux cent vingt hundred and one", None),
    ],
)
def test_they_are_read_in_digits(language: str, text: str, expected: str | None) -> None:
    assert with_digits(normalise(text), language).text == (expected or text)


def test_all_below_a_thousand() -> None:
    for number in (n for n in range(101, 1000) if n % 100):
        for language in ("en", "de"):
            assert with_digits(normalise(f"x {in_words(number, language)} y"), language).text == f"x {number} y"
