"""German words whose ß was written as ss are read with it, where the model knows them so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.segments import Segmenter
from service.text.spans.normalise import normalise
from service.text.typed.sharp_s import with_sharp_s

KNOWN = {"straße", "Straße", "groß", "heißt", "Masse", "Wasserstraße", "dass", "Fußballschloss", "Spass", "Spaß"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die Strasse ist gross.", "Die Straße ist groß."),
        ("Wie heisst die Masse?", "Wie heißt die Masse?"),
        ("Wasserstrasse", "Wasserstraße"),
        ("Fussballschloss", "Fußballschloss"),
        ("Ich weiss, dass Messner kommt.", "Ich weiss, dass Messner kommt."),
        ("Das ist die Straße.", "Das ist die Straße."),
        ("Das macht Spass.", "Das macht Spaß."),
        ("", ""),
    ],
)
def test_only_words_that_are_known_with_it_get_it(text: str, expected: str) -> None:
    assert with_sharp_s(normalise(text), KNOWN).text == expected


@given(st.lists(st.sampled_from(["Strasse", "gross", "Masse", "ss", "ab", "  ", "é"]), max_size=8).map(" ".join))
def test_every_code_point_stands_for_what_it_stood_for(text: str) -> None:
    before = normalise(text)
    after = with_sharp_s(before, KNOWN)
    assert len(after.text) == len(after.starts) == len(after.ends)
    spelt = [text[start:end] for start, end in zip(after.starts, after.ends, strict=True)]
    assert [one if one != "ß" else "ss" for one in after.text] == [" " if one.isspace() else one for one in spelt]


def segmenter(language: str) -> Segmenter:
    return Segmenter(language, lambda text: [ord(c) for c in text], 100, known=KNOWN)


def test_segments_of_german_text_are_read_so_and_keep_the_text() -> None:
    (found,) = segmenter("de").segment("Die Strasse ist lang.").segments
    assert found.text == "Die Strasse ist lang."
    assert found.normalised.text == "Die Straße ist lang."
    assert found.normalised.original_span(4, 10) == (4, 11)


def test_other_languages_are_left_alone() -> None:
    (found,) = segmenter("fr").segment("La Strasse est longue.").segments
    assert found.normalised.text == "La Strasse est longue."
