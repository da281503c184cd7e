"""Copies that the model did not write are put in between spaces."""

from __future__ import annotations

import pytest

from service.text.restoring import Restored, put_back


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [("a bc", 0, "X a bc"), ("a bc", 1, "a X bc"), ("a bc", 4, "a bc X"), ("bc.", 2, "bc X."), ("", 0, "X")],
)
def test_a_lost_copy_stands_between_spaces(text: str, place: int, expected: str) -> None:
    lost = Restored(text, [(0, len(text))], (0,))
    written, spans = put_back(lost, [("\ue000", "X")], lambda number, restored: place)
    assert written == expected
    assert all(0 <= start <= end <= len(written) for start, end in spans)
