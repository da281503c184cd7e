"""Words that one pair of languages needs otherwise."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.paired import with_paired


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("However, it rained.", "But it rained."),
        ("However hard it is, go on. He came, however, late.", "However hard it is, go on. He came, however, late."),
        ("Don't hesitate to call me.", "Please call me."),
        ("Do not hesitate to ask.", "Please ask."),
        ("The hotel is right on the beach.", "The hotel is directly on the beach."),
        ("It takes coins only. It takes courage.", "It accepts coins only. It takes courage."),
        ("Well done on passing!", "Congratulations on passing!"),
        ("The forecast says rain.", "The forecast predicts rain."),
        ("Only 3 left in stock - order soon", "Only 3 left in stock - please order soon"),
        ("She brought up the subject and her children.", "She mentioned the subject and her children."),
        ("He came back the very next day.", "He came back the next day."),
        ("Don't hesitate to ask questions.", "Don't hesitate to ask questions."),
    ],
)
def test_german_models_get_other_words_than_french_ones(text: str, read: str) -> None:
    assert with_paired(normalise(text), "en", "de").text == read
    assert with_paired(normalise(text), "en", "fr").text == text
