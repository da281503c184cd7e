"""Words of both genders are read as one, words of both numbers as a plural."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.segments import Segmenter
from service.text.spans.normalise import normalise
from service.text.typed.inclusive import with_one_ending, without_further_endings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Les \u00e9tudiant\u00b7e\u00b7s sont l\u00e0.", "Les \u00e9tudiants sont l\u00e0."),
        ("Chaque \u00e9tudiant\u00b7e vient.", "Chaque \u00e9tudiant vient."),
        ("Cher\u2022es ami\u2027e\u2027s", "Chers amis"),
        ("Les acteur\u00b7rice\u00b7s, les Fran\u00e7ais\u00b7es", "Les acteurs, les Fran\u00e7ais"),
        ("ceux\u00b7celles", "ceux\u00b7celles"),
        ("un \u00b7 deux, 3\u00b75, a\u00b7b, Nord\u00b7Sud", "un \u00b7 deux, 3\u00b75, a\u00b7b, Nord\u00b7Sud"),
        ("rouge\u00b7verte", "rouge\u00b7verte"),
    ],
)
def test_the_further_ending_is_left_out(text: str, expected: str) -> None:
    assert without_further_endings(normalise(text)).text == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "1 unread message(s), class(es); f(s), word (s), a(b)",
            "1 unread messages, classes; f(s), word (s), a(b)",
        ),
        ("fr", "message(s) non lu(s), lieu(x), ami(e)s, \u00e9lu(es)", "messages non lus, lieux, amis, \u00e9lus"),
        ("fr", "Le client doit apporter son/sa carte.", "Le client doit apporter sa carte."),
        ("fr", "Un/une ami(e), le/la client", "Un ami, la client"),
        ("fr", "Il prend du/de la soupe, tous/toutes les amis", "Il prend de la soupe, tous les amis"),
        ("fr", "il/elle vient, et/ou pas, le/larron", "il/elle vient, et/ou pas, le/larron"),
        ("fr", "cos(x), ln(x), log(x)", "cos(x), ln(x), log(x)"),
        ("de", "Nachricht(en), Kund*innen, liebe Leser:innen", "Nachrichten, Kunden, liebe Leser"),
        ("de", "Lehrer/innen, Lehrer/-in, Mitarbeiter(in), Arzt_in", "Lehrer, Lehrer, Mitarbeiter, Arzt"),
        ("de", "eine/n Fahrer/in, Jede(r), jede/r, der/die Leiter/in", "einen Fahrer, Jeder, jeder, der Leiter"),
        ("de", "Die/der Leiter, die/das, a/n, und/oder, Straße/n", "Der Leiter, die/das, a/n, und/oder, Straßen"),
        ("de", "drinnen: innen, Kolleginnen, Blatt(innen)seite", "drinnen: innen, Kolleginnen, Blatt(innen)seite"),
    ],
)
def test_one_ending_is_read(language: str, text: str, expected: str) -> None:
    assert with_one_ending(normalise(text), language).text == expected


def test_the_letters_before_an_ending_stand_for_it() -> None:
    found = without_further_endings(normalise("ami\u00b7e\u00b7s, amie\u00b7s."))
    assert found.text == "amis, amies."
    assert found.original_span(0, 3) == (0, 6)
    assert found.original_span(3, 4) == (6, 7)
    assert found.original_span(9, 12) == (12, 16)


def test_only_french_is_read_so() -> None:
    for language, expected in (("fr", "amis"), ("en", "ami\u00b7e\u00b7s")):
        (segment,) = Segmenter(language, lambda text: [ord(c) for c in text], 99).segment("ami\u00b7e\u00b7s").segments
        assert (segment.text, segment.normalised.text) == ("ami\u00b7e\u00b7s", expected)


@given(st.text(st.sampled_from("aes\u00b7 .x"), max_size=40))
def test_every_code_point_stands_for_what_comes_behind_the_one_before(text: str) -> None:
    plain = normalise(text)
    found = without_further_endings(plain)
    assert len(found.text) == len(found.starts) == len(found.ends)
    assert all(a <= b for a, b in zip(found.ends, found.starts[1:], strict=False))
    assert all(text[at] == c for at, c in zip(found.starts, found.text, strict=True))
    if found.text:
        assert (found.starts[0], found.ends[-1]) == (plain.starts[0], plain.ends[-1])
