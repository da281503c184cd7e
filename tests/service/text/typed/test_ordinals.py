"""English ordinals of two words, and the World Wars."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.ordinals import with_ordinals_as_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the twenty-first century, her Thirty second birthday", "the 21st century, her 32nd birthday"),
        ("on the ninety-ninth floor", "on the 99th floor"),
        ("one twenty-fifth of it, a forty-second break", "one twenty-fifth of it, a forty-second break"),
        ("the thirty-second timer, twenty-fifths, twenty one", "the thirty-second timer, twenty-fifths, twenty one"),
        ("twenty-first-century art, the twentieth", "twenty-first-century art, the twentieth"),
        ("World War II ended in 1945.", "The Second World War ended in 1945."),
        ("He fought in World War I.", "He fought in the First World War."),
        ("during WWII and after WW1, he", "during the Second World War and after the First World War, he"),
        (
            "a WWII veteran, a World War II film, in World War II films",
            "a WWII veteran, a World War II film, in World War II films",
        ),
    ],
)
def test_they_are_read_as_numbers(text: str, expected: str) -> None:
    assert with_ordinals_as_numbers(normalise(text), "en").text == expected
    assert with_ordinals_as_numbers(normalise(text), "de").text == text
