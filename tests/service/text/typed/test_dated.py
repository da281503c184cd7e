"""Days in digits and short weekdays get their words."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.dated import with_days


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "Am 12.3. kommen wir.", "Am 12. M\u00e4rz kommen wir."),
        ("de", "Wir kommen am 1. 12. und am 03.04. an", "Wir kommen am 1. Dezember und am 03. April an"),
        ("de", "Die Pr\u00fcfung ist am 12.3.", "Die Pr\u00fcfung ist am 12. M\u00e4rz."),
        ("de", "Er starb am 12.3.2024.", "Er starb am 12.3.2024."),
        ("de", "Am 12.3.2024 kam er.", "Am 12. M\u00e4rz 2024 kam er."),
        ("de", "am 12.3.24, am 12.3. bis zum 15.3.", "am 12.3.24, am 12.3. bis zum 15.3."),
        ("de", "am 32.3. nicht, am 3.13. nicht, am 3.5 Volt", "am 32.3. nicht, am 3.13. nicht, am 3.5 Volt"),
        ("de", "am 12.3.-15.3. und vom 12.3. an, Team 12.3. ist", "am 12.3.-15.3. und vom 12.3. an, Team 12.3. ist"),
        ("en", "We meet next Tues. at noon", "We meet next Tuesday at noon"),
        ("en", "See you next Thurs.", "See you next Thursday."),
        ("en", "I saw her last Fri and this Sat", "I saw her last Friday and this Saturday"),
        (
            "en",
            "This sat on it; the last Sun-Times, this Fri to Mon",
            "This sat on it; the last Sun-Times, this Fri to Mon",
        ),
        ("en", "next Monday, last Satellite, am 12.3. da", "next Monday, last Satellite, am 12.3. da"),
        ("fr", "am 12.3. next Tues. ici", "am 12.3. next Tues. ici"),
    ],
)
def test_days_get_words(language: str, text: str, read: str) -> None:
    assert with_days(normalise(text), language).text == read


def test_a_month_stands_for_its_digits() -> None:
    found = with_days(normalise("Am 12.3. kommt er"), "de")
    assert found.original_span(found.text.index("M"), found.text.index(" kommt")) == (6, 8)
