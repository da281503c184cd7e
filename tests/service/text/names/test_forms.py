"""Forms of first names in other languages, which a translation has in place of the name."""

from __future__ import annotations

import time

import pytest

from service.text.names.forms import own_names
from tests.service.text.rewriting import rewritten


def written(source: str, translation: str, languages: tuple[str, str]) -> str:
    found = own_names(source, translation, languages)
    return rewritten(translation, found)


@pytest.mark.parametrize(
    ("languages", "source", "translation", "expected"),
    [
        (
            ("en", "de"),
            "Tom and Mary don't want it.",
            "Tom und Maria wollen es nicht.",
            "Tom und Mary wollen es nicht.",
        ),
        (("en", "de"), "I met Mary's brother.", "Ich traf Marias Bruder.", "Ich traf Marys Bruder."),
        (("en", "fr"), "John loves Mary.", "Jean aime Marie.", "John aime Mary."),
        (("de", "en"), "Marias Buch ist weg.", "Mary's book is gone.", "Maria's book is gone."),
        (("fr", "en"), "Georges est l\xe0.", "George is here.", "Georges is here."),
        (("fr", "en"), "Marie aime Pierre.", "Mary loves Peter.", "Marie loves Pierre."),
        (("en", "de"), "Mary and Maria met.", "Maria und Maria trafen sich.", "Maria und Maria trafen sich."),
        (("en", "de"), "Mary met Mary.", "Maria traf sich.", "Maria traf sich."),
        (("en", "de"), "Mary is here.", "Mary ist hier, Maria auch.", "Mary ist hier, Maria auch."),
        (("en", "de"), "King Charles came.", "K\xf6nig Karl kam.", "K\xf6nig Karl kam."),
        (("en", "it"), "Mary is here.", "Maria \xe8 qui.", "Maria \xe8 qui."),
        (("en", "de"), "Nobody is here.", "Maria ist hier.", "Maria ist hier."),
    ],
)
def test_the_name_takes_the_place_of_its_form(
    languages: tuple[str, str], source: str, translation: str, expected: str
) -> None:
    assert written(source, translation, languages) == expected


def test_long_texts_take_no_time() -> None:
    started = time.monotonic()
    own_names("Mary " * 3000, "Maria " * 3000, ("en", "de"))
    assert time.monotonic() - started < 1
