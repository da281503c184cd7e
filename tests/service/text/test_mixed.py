"""Words with a capital inside, as programs write names."""

from __future__ import annotations

import pytest

from service.text.names.literal import mixed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TypeError in OrderService.", ["TypeError", "OrderService"]),
        ("We use JavaScript on YouTube.", ["YouTube"]),
        ("Die LehrerInnen, die LehrerIn, der McDonald, ein PhD, iOS", []),
        ("see a/someName, .someName, @someName, #someName", []),
        ("MitarbeiterInnengespräch, militantEs, SummaryThe company, forYour help", []),
        ("plain words", []),
    ],
)
def test_they_stand_for_themselves_unless_a_model_knows_them(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in mixed(text, {"JavaScript"})] == expected
