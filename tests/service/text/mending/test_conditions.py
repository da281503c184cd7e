"""Second conditions in English translations."""

from __future__ import annotations

import pytest

from service.text.mending.conditions import with_conditions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If it hurts or whether you cough, call us.", "If it hurts or if you cough, call us."),
        ("Ask if it hurts or whether you cough.", "Ask if it hurts or whether you cough."),
        ("If so, call. Or not, or whether.", "If so, call. Or not, or whether."),
    ],
)
def test_a_second_condition_has_if(text: str, expected: str) -> None:
    assert with_conditions(text, [], "en")[0] == expected
    assert with_conditions(text, [], "de")[0] == text
