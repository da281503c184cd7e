"""Spaces before semicolons and colons."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spacing import with_spaces


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Raum 12 ; es ist frei.", "Raum 12; es ist frei."),
        ("en", "The price : 5 ;", "The price: 5;"),
        ("en", "It is 17:30 :) and :-) too.", "It is 17:30 :) and :-) too."),
        ("fr", "Il est parti: elle reste; c'est tout:", "Il est parti : elle reste ; c'est tout :"),
        ("fr", "Le prix : 5 ; à 17:30 :)", "Le prix : 5 ; à 17:30 :)"),
        ("fr", ": oui", ": oui"),
        ("it", "Sono qui ; e tu:", "Sono qui ; e tu:"),
        ("fr", "Rien.", "Rien."),
    ],
)
def test_each_language_has_its_spaces(language: str, text: str, expected: str) -> None:
    assert with_spaces(text, (), language)[0] == expected


@given(
    st.lists(st.sampled_from(["ab", "c", ";", ":", " ;", " :", " ", "  ;", "é"]), max_size=10),
    st.sampled_from(["fr", "en", "de"]),
)
def test_spans_keep_their_text_but_for_spaces(pieces: list[str], language: str) -> None:
    text, spans, at = "".join(pieces), [], 0
    for piece in pieces:
        spans.append((at, at + len(piece)))
        at += len(piece)
    written, moved = with_spaces(text, spans, language)
    assert [written[start:end].strip() for start, end in moved] == [piece.strip() for piece in pieces]
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(moved))
    assert with_spaces(written, moved, language) == (written, moved)
