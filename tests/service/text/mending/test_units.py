"""Units and distances of translations from English."""

from __future__ import annotations

import re

import pytest

from service.text.mending.units import with_units


@pytest.mark.parametrize(
    ("language", "read", "text", "expected"),
    [
        ("fr", "We walked 10 miles.", "Nous avons march\xe9 10 kilom\xe8tres.", "Nous avons march\xe9 10 miles."),
        ("fr", "5 miles or 8 kilometres", "5 miles ou 8 kilom\xe8tres", "5 miles ou 8 kilom\xe8tres"),
        ("fr", "a path of 5 metres", "un chemin de 5 m\xe8tres", "un chemin de 5 m\xe8tres"),
        ("de", "The rope is 20 yards long.", "Das Seil ist 20 Meter lang.", "Das Seil ist 20 Yards lang."),
        ("de", "the last miles", "die letzten Kilometer", "die letzten Meilen"),
        ("de", "a mile", "ein Kilometer", "ein Kilometer"),
        ("de", "It is 6 feet high.", "Es ist 6 F\xfc\xdfe hoch.", "Es ist 6 Fu\xdf hoch."),
        ("de", "It has four feet, 6 toes.", "Es hat vier F\xfc\xdfe.", "Es hat vier F\xfc\xdfe."),
        ("fr", "It is 4 feet wide.", "Il fait 4 pieds larges.", "Il fait 4 pieds de large."),
        ("fr", "He has big feet.", "Il a les pieds larges.", "Il a les pieds larges."),
        ("fr", "It is 4 feet wide.", "Il fait 4 pieds de large.", "Il fait 4 pieds de large."),
        ("fr", "It is 5 minutes away.", "Il a 5 minutes.", "Il est \xe0 5 minutes."),
        (
            "fr",
            "They were about two hours from",
            "Ils avaient environ deux heures",
            "Ils \xe9taient \xe0 environ deux heures",
        ),
        ("fr", "It's 3 miles from here.", "Il est de 3 kilom\xe8tres d'ici.", "Il est \xe0 3 miles d'ici."),
        ("fr", "He has 5 minutes.", "Il a 5 minutes.", "Il a 5 minutes."),
        ("fr", "It's two miles from here.", "Il y a deux miles d'ici.", "Il y a deux miles d'ici."),
        ("de", "93 million miles", "150 Millionen Kilometer", "150 Millionen Kilometer"),
        ("de", "93 million miles", "93 Millionen Kilometer", "93 Millionen Meilen"),
        ("fr", "It is 5 minutes away.", "C'est \xe0 5 minutes.", "C'est \xe0 5 minutes."),
    ],
)
def test_units_and_distances_are_those_of_the_text(language: str, read: str, text: str, expected: str) -> None:
    assert with_units(text, [], language, "en", read)[0] == expected
    assert with_units(text, [], language, "nl", read)[0] == text


def test_what_subwords_cover_moves_along() -> None:
    written, spans = with_units("Il a 5 minutes.", [(3, 4), (5, 6)], "fr", "en", "It is 5 minutes away.")
    assert [written[start:end] for start, end in spans] == ["est \xe0", "5"]


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        ("Add A flour and B oil", "Ajoutez A farine et B huile", "Ajoutez A de farine et B d'huile"),
        ("Add A flour and A oil", "Ajoutez A la farine et A l'huile", "Ajoutez A de farine et A d'huile"),
        ("D flour", "D de la farine", "D de farine"),
        ("A of water", "A de l'eau", "A d'eau"),
        ("A of the milk", "A du lait", "A du lait"),
        ("Take A twice daily", "Prenez A matin et soir", "Prenez A matin et soir"),
        ("It weighs A empty", "Il p\xe8se A vide", "Il p\xe8se A vide"),
        ("Add A flour", "Ajoutez A et farine, A chacun", "Ajoutez A et farine, A chacun"),
        ("C flour", "C farine", "C farine"),
        ("At A you need more, A flour", "\xc0 A vous devez", "\xc0 A vous devez"),
        ("2 teaspoons of salt", "2 cuill\xe8res \xe0 caf\xe9 du sel", "2 cuill\xe8res \xe0 caf\xe9 de sel"),
    ],
)
def test_amounts_are_of_something(read: str, text: str, expected: str) -> None:
    copies = [("\ue000", "500 g"), ("\ue001", "30ml"), ("\ue002", "12 km"), ("\ue003", "2 x 500 g")]
    for letter, (sign, _) in zip("ABCD", copies, strict=True):
        read, text, expected = (re.sub(rf"\b{letter}\b", sign, each) for each in (read, text, expected))
    assert with_units(text, [], "fr", "en", read, copies)[0] == expected
