"""Stammered, spelt and drawn-out words are read as the words that are meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.known_words import Words
from service.text.spans.normalise import normalise
from service.text.spans.word_sets import word_set
from service.text.typed.spoken import DRAWN_OUT, as_written, may_be_drawn_out

WORDS = word_set(
    "I don't know where the money is good food so NICHT TICKETS FREE not tickets nicht ich wei\u00df lecker email"
    " reading merci shirt coordinator See Seeelefant goood ie xxe"
)


class Known:
    """The words of a vocabulary, as `Words` has them."""

    def __contains__(self, word: str) -> bool:
        return word in WORDS or word.lower() in WORDS


def read(text: str, language: str = "en") -> str:
    known: Words = Known()  # type: ignore[assignment]
    return as_written(normalise(text), language, known, lambda word: [len(word)]).text


@given(st.text("ab\u00e9\u0153\U0001f642 .0\x00", max_size=12))
def test_the_quick_look_misses_no_letter_three_times(text: str) -> None:
    assert may_be_drawn_out(text) or DRAWN_OUT.search(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False), ("so good", False), ("soo oo", False), ("a", False), ("sooo", True), ("\xe9\xe9\xe9", True),
        ("\u0153\u0153\u0153", True), ("\xe9a\xe9", False),
    ],
)  # fmt: skip
def test_most_texts_have_no_letter_three_times(text: str, expected: bool) -> None:
    assert may_be_drawn_out(text) is expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "I-I don't know wh-where the money is", "I don't know where the money is"),
        ("de", "I-ich wei\u00df n-nicht", "Ich wei\u00df nicht"),
        ("de", "Wir fahren N I C H T weg", "Wir fahren NICHT weg"),
        ("en", "We have F R E E food", "We have free food"),
        ("en", "F R E E food", "Free food"),
        ("de", "Das ist sooooo leeecker", "Das ist so lecker"),
        ("fr", "merciiiii", "merci"),
        ("en", "an e-email, re-reading, the s-shirt, T-shirt", "an e-email, re-reading, the s-shirt, T-shirt"),
        ("fr", "au IIIe si\u00e8cle, le XXXe, la IIIi\u00e8me", "au IIIe si\u00e8cle, le XXXe, la IIIi\u00e8me"),
        ("en", "A B C D are answers", "A B C D are answers"),
        ("en", "fish 'n' chips, rock 'n' roll", "fish and chips, rock 'n' roll"),
        ("en", "see www.goood.org and MMM", "see www.goood.org and MMM"),
    ],
)
def test_spoken_words_are_read_as_written(language: str, text: str, expected: str) -> None:
    assert read(text, language) == expected
