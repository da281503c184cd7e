"""Words of a text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.words import words


def texts(text: str, language: str = "en") -> list[str]:
    return [word.text for word in words(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The black cat ate the mouse.", ["The", "black", "cat", "ate", "the", "mouse", "."]),
        (
            "I don't know -- it's 3.50, e-mail me...",
            ["I", "don't", "know", "--", "it's", "3.50", ",", "e-mail", "me", "..."],
        ),
        ('"Really?" (No!)', ['"', "Really", "?", '"', "(", "No", "!", ")"]),
        ("at 5:30, 1,000 dogs'", ["at", "5:30", ",", "1,000", "dogs", "'"]),
        ("猫がいる。ok", ["猫", "が", "い", "る", "。", "ok"]),
        ("cafe\u0301s noirs", ["cafe\u0301s", "noirs"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("ok 👩\u200d👩\u200d👧👍🏽🇫🇷❤\ufe0f!", ["ok", "👩\u200d👩\u200d👧", "👍🏽", "🇫🇷", "❤\ufe0f", "!"]),
        (" \n", []),
    ],
)
def test_words_are_cut_at_white_space_and_punctuation(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L'homme n'a pas d\u2019eau.", ["L'", "homme", "n'", "a", "pas", "d\u2019", "eau", "."]),
        ("jusqu'ici, aujourd'hui", ["jusqu'", "ici", ",", "aujourd'hui"]),
        ("Où est-il ?", ["Où", "est-il", "?"]),
    ],
)
def test_french_elisions_are_words(text: str, expected: list[str]) -> None:
    assert texts(text, "fr") == expected


@given(st.text(), st.sampled_from(["en", "fr", "it", "ja"]), st.integers(0, 5))
def test_words_are_all_of_the_text_but_white_space(text: str, language: str, offset: int) -> None:
    found = words(text, language, offset)
    assert all(text[w.start - offset : w.end - offset] == w.text for w in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert "".join(w.text for w in found) == "".join(c for c in text if not c.isspace())


@pytest.mark.timeout(5)
@pytest.mark.parametrize("unit", ["a'", "a-", "1.", "qu'", "'", "日", "\u0301", "\u200d", "🇫", "a\u0301'"])
def test_hostile_text_takes_no_time(unit: str) -> None:
    text = (unit * 5000)[:5000]
    for language in ("en", "fr", "it"):
        assert "".join(texts(text, language)) == text
