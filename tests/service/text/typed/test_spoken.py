"""Stammered, spelt and drawn-out words are read as the words that are meant."""

from __future__ import annotations

import pytest

from model_store.contract.known_words import Words
from service.text.spans.normalise import normalise
from service.text.spans.word_sets import word_set
from service.text.typed.spoken import as_written

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
