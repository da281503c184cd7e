"""Hints are found where they stand, and nowhere else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.hints import Hints

SHORT = st.text("abc ", min_size=1, max_size=5)


@given(st.lists(SHORT, max_size=8), st.text("abc ", max_size=30))
def test_each_hint_of_a_text_is_found(hints: list[str], text: str) -> None:
    found = Hints(hints)
    assert found.found_in(text) == [number for number, hint in enumerate(hints) if hint in text]
    assert found.are_in(text) == any(hint in text for hint in hints)
