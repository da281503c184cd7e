"""Amounts for a unit are written as the target language does."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.protection import Protector
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("languages", "text", "copies"),
    [
        (("en", "fr"), "It costs $9.99/month or \u20ac20 / night.", ["$9.99/mois", "\u20ac20/nuit"]),
        (("en", "de"), "Only 5 \u20ac/hour, 12/person, $3/mo", ["5 \u20ac/Stunde, 12/Person, $3/Monat"]),
        (
            ("fr", "en"),
            "20 \u20ac/nuit, 9,99 \u20ac/mois et 3 %/an",
            ["20 \u20ac/night, 9,99 \u20ac/month", "3 %/year"],
        ),
        (("de", "en"), "Nur 20 \u20ac/Nacht, 5 \u20ac/St\u00fcck", ["20 \u20ac/night, 5 \u20ac/piece"]),
        (("en", "fr"), "See https://a.org/5/month or /var/3/day/x.", ["https://a.org/5/month", "/var/3/day/x"]),
        (("fr", "en"), "Voir https://a.org/9h30 et `8h15`", ["https://a.org/9h30", "`8h15`"]),
        (("de", "en"), "Es kostet 5 \u20ac/Std. mehr.", ["5 \u20ac/hour"]),
        (("de", "en"), "5 \u20ac/Std.", ["5 \u20ac/hour"]),
        (("en", "it"), "a day/night shift, 2/monthly", []),
        (("en", "fr"), "a day/night shift, and/or a person/piece", []),
    ],
)
def test_a_unit_behind_a_slash_is_that_of_the_target_language(
    languages: tuple[str, str], text: str, copies: list[str]
) -> None:
    protector = Protector(PLACEHOLDERS, lambda sign: sign in "\u20ac\u00fc", languages)
    read = protector.protect(normalise(text), text)
    assert [copy for _, copy in read.copies] == copies
