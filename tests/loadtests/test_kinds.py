"""How sentences with addresses, times and codes are judged."""

from __future__ import annotations

import pytest

from loadtests.measure.kinds import COLUMNS, is_right
from loadtests.measure.served import listed


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Schreiben Sie unter a@b.org.", True),
        ("Schreiben Sie UNTER A@B.org.", True),
        ("Schreiben Sie um a@b.org Uhr.", False),
        ("Unter a@b.org Uhr.", False),
        ("Um 14:30 Uhr unter a@b.org", True),
    ],
)
def test_a_sentence_is_right_with_a_fragment_and_without_uhr_behind_anything_but_a_time(text: str, right: bool) -> None:
    assert is_right(text, "an a@b.org|unter a@b.org") == right


def test_every_sentence_of_the_list_has_fragments_for_every_language() -> None:
    for row in listed("kinds.tsv"):
        assert len(row) == 1 + len(COLUMNS)
        assert all(fragment.strip() for cell in row[1:] for fragment in cell.split("|"))
