"""Streets without a number."""

from __future__ import annotations

import pytest

from service.text.names.streets import streets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The library on Station Road is closed.", ["Station Road"]),
        ("Meet me at the corner of Mill Lane and Old Kent Road.", ["Mill Lane", "Old Kent Road"]),
        ("We live in St. James's Street.", ["St. James's Street"]),
        ("It is on The Road, in Main Street Bakery, down the Street.", []),
        ("Road works, Street food", []),
    ],
)
def test_streets_stand_as_they_are(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in streets(text, "en")] == expected
    assert streets(text, "fr") == []
