"""Genitives of names that end with s, as they are read and as German writes them."""

from __future__ import annotations

import pytest

from service.text.mending.genitives import with_genitives
from service.text.spans.normalise import normalise
from service.text.typed.genitives import with_whole_genitives


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("James' car and Mr. Jones\u2019 dog", "James's car and Mr. Jones's dog"),
        ("the dogs' food, the Hendersons' house", "the dogs' food, the Hendersons' house"),
        ("'I saw James' he said", "'I saw James' he said"),
        ("James' Auto", "James' Auto"),
    ],
)
def test_they_have_an_s(text: str, expected: str) -> None:
    assert with_whole_genitives(normalise(text), "en").text == normalise(expected).text
    assert with_whole_genitives(normalise(text), "de").text == normalise(text).text


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        ("James's car", "Jamess Auto", "James' Auto"),
        ("James's car", "James Auto", "James' Auto"),
        ("James saw a car", "James Auto", "James Auto"),
        ("\ue000's car", "\ue000s Auto, Hass, Cross", "\ue000' Auto, Hass, Cross"),
        ("\ue001's car", "\ue001s Auto", "\ue001s Auto"),
    ],
)
def test_german_has_an_apostrophe(read: str, text: str, expected: str) -> None:
    copies = (("\ue000", "Xanthos"), ("\ue001", "Anna"))
    assert with_genitives(text, [], "de", read, copies)[0] == expected
    assert with_genitives(text, [], "fr", read, copies)[0] == text
