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
        ("Don't hesitate to ask questions.", "Don't hesitate to ask questions."),
    ],
)
def test_german_models_get_other_words_than_french_ones(text: str, read: str) -> None:
    assert with_paired(normalise(text), "en", "de").text == read
    assert with_paired(normalise(text), "en", "fr").text == text
