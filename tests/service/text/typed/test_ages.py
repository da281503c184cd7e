"""Short ages are read as words."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.ages import with_ages


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "My 5yo loves it, a 3yo and a 7yo.",
            "My 5-year-old child loves it, a 3-year-old child and a 7-year-old child.",
        ),
        ("My 5 yo son, her 12-y/o dog", "My 5-year-old son, her 12-year-old dog"),
        ("She is 3 y/o. He's almost 40yo.", "She is 3 years old. He's almost 40 years old."),
        ("My 80yo father is 80 yo", "My 80-year-old father is 80 years old"),
        ("My 80yo is here.", "My 80yo is here."),
        ("I have 5 yo-yos and 5 you sent", "I have 5 yo-yos and 5 you sent"),
        ("Yo, 5 of you; the 5 young ones", "Yo, 5 of you; the 5 young ones"),
        ("She turned 90. He'll turn 6 on Friday.", "She turned 90 years old. He'll turn 6 years old on Friday."),
        ("My son is turning 6", "My son is turning 6 years old"),
        ("He turned 3 pages in turn 4 and turned 1.5.", "He turned 3 pages in turn 4 and turned 1.5."),
        ("It is $5 yo, v1.5yo", "It is $5 yo, v1.5yo"),
    ],
)
def test_ages_are_written_out(text: str, read: str) -> None:
    assert with_ages(normalise(text), "en").text == read
    assert with_ages(normalise(text), "fr").text == text
