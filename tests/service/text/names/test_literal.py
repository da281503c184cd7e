"""Numbers with a letter stand for themselves."""

from __future__ import annotations

import pytest

from service.text.names.literal import lettered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Figure 2b, class 3a and 12b.", ["2b", "3a", "12b"]),
        ("2B, 3c, 4g, 0a, 1234a, 2ab, x2b, 3.2b, 5a-5b, 2b's, $3b", []),
    ],
)
def test_numbers_with_a_letter(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in lettered(text)] == expected
