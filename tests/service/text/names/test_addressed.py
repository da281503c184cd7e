"""Words that a name may follow."""

from __future__ import annotations

import pytest

from service.text.names.addressed import is_title


@pytest.mark.parametrize(
    ("word", "expected"),
    [("M", True), ("Mr", True), ("Herr", True), ("Mme", True), ("Milk", False), ("", False)],
)
def test_a_title_is_told_from_other_words(word: str, expected: bool) -> None:
    assert is_title(word) is expected
