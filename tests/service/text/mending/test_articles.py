"""English articles by the sound behind them."""

from __future__ import annotations

import time

import pytest

from service.text.mending.articles import with_sounds

A, B = "\ue000", "\ue001"
COPIES = ((A, "Audi"), (B, "Renault"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (f"It is a {A}, no {B}.", f"It is an {A}, no {B}."),
        (f"an {B} or a {A}", f"a {B} or an {A}"),
        ("A allowance will be due", "An allowance will be due"),
        ("A IKEA shelf", "An IKEA shelf"),
        ("He bought a iPhone and a ISBN", "He bought an iPhone and an ISBN"),
        ('a "offer" (a hour) in a EU law', 'an "offer" (an hour) in an EU law'),
        ("a 8-hour flight, a 11 kg box, a 18%", "an 8-hour flight, an 11 kg box, an 18%"),
        ("a unimportant umbrella", "an unimportant umbrella"),
        ("an wine, an Renault", "a wine, a Renault"),
    ],
)
def test_an_stands_before_vowels(text: str, written: str) -> None:
    assert with_sounds(text, [], "en", COPIES) == (written, [])


@pytest.mark.parametrize(
    "text",
    [
        "a university, a unit, a European, a one-way ticket, a user, a Uruguayan, a eulogy, a UFO",
        "an FBI agent, an mp3, an html file, an x-ray, an hour",
        "a 180 km trip, a 110 kg man, a 1100 km trip",
        "Plan A is old, vitamin a intake, from a to e, a and b, option a is fine",
        "Neustadt an der Aisch",
        "A Is For Apple",
    ],
)
def test_other_articles_stay(text: str) -> None:
    assert with_sounds(text, [], "en", ()) == (text, [])


def test_spans_follow_and_other_languages_stay() -> None:
    text = f"Buy a {A} now"
    written, spans = with_sounds(text, [(0, 3), (4, 5), (6, 7), (8, 11)], "en", COPIES)
    assert [written[start:end] for start, end in spans] == ["Buy", "an", A, "now"]
    assert with_sounds("il a acheté a Audi", [], "fr", ()) == ("il a acheté a Audi", [])


def test_long_texts_take_no_time() -> None:
    started = time.perf_counter()
    for sign in ("a ", "an", "a a", "A A ", "un", "a e"):
        with_sounds(sign * 20_000, [], "en", COPIES)
    assert time.perf_counter() - started < 2


def test_words_with_an_o() -> None:
    assert with_sounds("I'm selling a oak table and a one-way ticket.", [], "en", ())[0] == (
        "I'm selling an oak table and a one-way ticket."
    )
