"""English times without a.m. or p.m."""

from __future__ import annotations

import pytest

from service.text.expressions.hours import hours
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("text", "french", "german"),
    [
        ("Table for two at 8, please.", "Table for two at 8h, please.", "Table for two at 8, please."),
        ("Dinner at 12? Home at 6.", "Dinner at 12h? Home at 6h.", "Dinner at 12? Home at 6."),
        ("Pick me up at 10 on Friday", "Pick me up at 10h on Friday", "Pick me up at 10 on Friday"),
        ("Open at 9 and close at 5 today", "Open at 9h and close at 5h today", "Open at 9 and close at 5 today"),
        (
            "Open until 9 tonight, till 5 of them",
            "Open until 9h tonight, till 5 of them",
            "Open until 9 tonight, till 5 of them",
        ),
        ("The bus leaves at 7:45.", "The bus leaves at 7:45.", "The bus leaves at 7:45."),
        ("See you at 5ish", "See you at 5h environ", "See you at etwa 5 Uhr"),
        ("5:30-ish is fine", "5h30 environ is fine", "etwa 5:30 Uhr is fine"),
    ],
)
def test_hours_are_said_to_be_hours(text: str, french: str, german: str) -> None:
    assert (rewritten(text, hours(text, "en", "fr")), rewritten(text, hours(text, "en", "de"))) == (french, german)


@pytest.mark.parametrize(
    "text",
    [
        "She could read at 4.",
        "Look at 3.",
        "Meet at 8 pm, leave at 7:45 p.m.",
        "Dinner at 8 restaurants",
        "The game at 14.",
        "It starts at 3% and 4:5, leave at 1.5",
        "reddish, 15ish, 10ish people, a 5ish minute walk",
        "Prices start at 5. Look at 4, then call. The film is rated at 9.",
        "See you at 7:45:10",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    assert hours(text, "en", "fr") == []


def test_other_languages_have_none() -> None:
    assert hours("Dinner at 8", "fr", "en") == hours("Dinner at 8", "en", "it") == []
