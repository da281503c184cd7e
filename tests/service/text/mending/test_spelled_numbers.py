"""Numbers of two digits in words."""

from __future__ import annotations

import pytest

from service.text.mending.spelled_numbers import with_spelled_numbers

EN_DE, DE_EN = ("en", "de"), ("de", "en")


@pytest.mark.parametrize(
    ("languages", "read", "text", "expected"),
    [
        (EN_DE, "She is eighty-two.", "Sie ist achtundachtzig.", "Sie ist zweiundachtzig."),
        (EN_DE, "Fifty-two people", "F\xfcnfzig Leute", "Zweiundf\xfcnfzig Leute"),
        (EN_DE, "at the age of fifty-two", "im Alter von F\xfcnfzig", "im Alter von zweiundf\xfcnfzig"),
        (DE_EN, "Er wurde neunundachtzig.", "He was eighty-night.", "He was eighty-nine."),
        (DE_EN, "sechsundsechzig Minuten", "six-six minutes", "sixty-six minutes"),
        (DE_EN, "neunundf\xfcnfzig", "ninety-n", "fifty-nine"),
        (EN_DE, "She is eighty-two.", "Sie ist zweiundachtzig.", None),
        (EN_DE, "She is eighty-two.", "Sie ist 82.", None),
        (EN_DE, "She is twenty-two, not thirty-three.", "Sie ist elf, nicht vierundvierzig.", None),
        (EN_DE, "She is twenty-two, not thirty-three.", "Sie ist elf, nicht dreiunddrei\xdfig.", None),
        (EN_DE, "from twenty to thirty-two", "von zwanzig bis", None),
        (EN_DE, "one hundred and eighty-two", "achtundachtzig", None),
        (EN_DE, "in nineteen eighty-four", "achtundachtzig", None),
        (EN_DE, "eighty-two thousand", "achtundachtzig", None),
        (EN_DE, "an eighty-two-year-old", "achtundachtzig", None),
        (("en", "fr"), "seventy-three minutes", "soixante-tre minutes", "soixante-treize minutes"),
        (("en", "fr"), "eighty-six minutes", "huit-six minutes", "quatre-vingt-six minutes"),
        (("en", "fr"), "forty-one minutes", "quarante-un minutes", "quarante et un minutes"),
        (("en", "fr"), "seventy-eight or eighty", "vingt-huit ou quatre-vingts", "soixante-dix-huit ou quatre-vingts"),
        (("en", "fr"), "twenty-one tables", "vingt et une tables", None),
        (("en", "fr"), "twenty-one tables", "vingt-et-un tables", None),
        (("fr", "en"), "cinquante et un minutes", "fifty and for a minutes", "fifty-one minutes"),
        (("fr", "en"), "trente et un jours", "thirty days", "thirty-one days"),
        (("en", "fr"), "on the twenty-two", "le trente-deux", "le vingt-deux"),
        (("fr", "en"), "le vingt-deux juin", "the twenty-second of June", None),
        (("fr", "en"), "vingt-quatre heures", "twenty four hours", None),
        (("fr", "en"), "vingt et une heures", "twenty hours", "twenty-one hours"),
        (("fr", "en"), "quatre-vingt-deux ans", "ninety years", "eighty-two years"),
        (("fr", "en"), "quatre-vingts ans", "eighty years", None),
        (("fr", "en"), "cent vingt-deux ans", "ninety years", None),
        (EN_DE, "She is old.", "Sie ist achtundachtzig.", None),
    ],
)
def test_the_only_wrong_number_is_that_of_the_source(
    languages: tuple[str, str], read: str, text: str, expected: str | None
) -> None:
    spans = [(0, len(text))]
    new, covered = with_spelled_numbers(text, spans, languages, read)
    assert new == (expected or text)
    assert covered == [(0, len(new))]
