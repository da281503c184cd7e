"""Letters in disguise are read as letters; emoji and other scripts keep their unseen signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import NormalisedText, normalise
from service.text.typed.disguised import with_plain_letters


def read(text: str) -> str:
    plain = NormalisedText(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    return with_plain_letters(plain).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gar\u200bden is red\u200b.", "The garden is red."),
        ("\uff30\uff4c\uff45\uff41\uff53\uff45 wait", "Please wait"),
        ("\U0001d416\U0001d41a\U0001d42b\U0001d427\U0001d422\U0001d427\U0001d420: wet", "Warning: wet"),
        ("\U0001f469\U0001f3ff\u200d\U0001f3eb teaches", "\U0001f469\U0001f3ff\u200d\U0001f3eb teaches"),
        ("\u0928\u094d\u200d\u092f", "\u0928\u094d\u200d\u092f"),
        ("\u4f60\u597d\uff0c\u4e16\u754c\uff01", "\u4f60\u597d\uff0c\u4e16\u754c\uff01"),
        ("\u24bd\u24d4\u24db\u24db\u24de you", "Hello you"),
        ("\U0001f157\U0001f154\U0001f15b\U0001f15b\U0001f15e, \U0001f13d\U0001f13e\U0001f146\ufe0f!", "HELLO, NOW!"),
        ("\U0001f170\U0001f171 and \u24d0 \u24d1", "\U0001f170\U0001f171 and \u24d0 \u24d1"),
        ("the variable \U0001d465 is", "the variable \U0001d465 is"),
    ],
)
def test_disguised_letters_are_read(text: str, expected: str) -> None:
    assert read(text) == expected


@given(st.text(st.sampled_from("ab \u200b\u200d\ufeff\uff21\U0001d416\U0001f469\u4f60\u24d0"), max_size=30))
def test_the_way_back_to_the_text_stays(text: str) -> None:
    plain = with_plain_letters(normalise(text))
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert all(start < end <= len(text) for start, end in zip(plain.starts, plain.ends, strict=True))
