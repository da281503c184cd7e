"""What letters, books and calendars refer to, in the other language."""

from __future__ import annotations

import pytest

from service.text.expressions.references import may_have_references, references
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "Tom Hill, a.k.a. the Fox, aka Foxy", "Tom Hill, alias the Fox, alias Foxy"),
        ("en", "de", "AKA Foxy, Osaka is big", "AKA Foxy, Osaka is big"),
        ("en", "de", "Attn: Mr. Brown", "z. Hd. Mr. Brown"),
        ("en", "de", "Attention Mrs. Green", "z. Hd. Mrs. Green"),
        ("en", "de", "Attention: wet floor", "Attention: wet floor"),
        ("en", "de", "Read chapter 3. Chapter 5b is new", "Read Kapitel 3. Kapitel 5b is new"),
        ("en", "de", "chapters 3 and 4, chapter 3-5, chapter 3, 4", "chapters 3 and 4, chapter 3-5, chapter 3, 4"),
        ("en", "fr", "Read chapter 3", "Read chapter 3"),
        (
            "en",
            "fr",
            "On the corner of 5th Ave. and Main St., he lives on Old Mill St.",
            "On the corner of 5th Avenue and Main Street, he lives on Old Mill Street.",
        ),
        (
            "en",
            "de",
            "Near St. Mary's, to St. Louis, at Saint St. Paul",
            "Near St. Mary's, to St. Louis, at Saint St. Paul",
        ),
        ("en", "de", "The St. is full, in Mr. St. there", "The St. is full, in Mr. St. there"),
        ("fr", "en", "Livraison en semaine 42, en semaine il dort", "Livraison in week 42, en semaine il dort"),
        ("fr", "en", "en semaine 60, en semaine 4.5", "en semaine 60, en semaine 4.5"),
        ("fr", "en", "\u00c0 l'att. de Mme Petit", "For the attention of Mme Petit"),
        (
            "fr",
            "en",
            "Lettre \u00e0 l'attn. de Paul, \u00e0 l'attaque",
            "Lettre for the attention of Paul, \u00e0 l'attaque",
        ),
        ("fr", "en", "Il fait 1m80 ou mesure 1 m 15.", "Il fait 1.80 m ou mesure 1.15 m."),
        ("fr", "en", "Il dure 1m30, 1 m 70 % de, 1 m 90 cm", "Il dure 1m30, 1 m 70 % de, 1 m 90 cm"),
        ("fr", "en", "2 m 60 fois, 12m70, 1m705", "2 m 60 fois, 12m70, 1m705"),
        ("de", "en", "z. Hd. Frau Kurz", "for the attention of Frau Kurz"),
        ("de", "en", "Zu H\u00e4nden von Herrn Kurz", "For the attention of Herrn Kurz"),
        ("de", "en", "Er fiel mir zu H\u00e4nden", "Er fiel mir zu H\u00e4nden"),
        ("de", "en", "Regeln (siehe oben), siehe unten.", "Regeln (see above), see below."),
        ("de", "en", "siehe oben", "see above"),
        ("de", "en", "Siehe unten.", "See below."),
        ("de", "en", "Ich siehe oben im Haus", "Ich siehe oben im Haus"),
        ("de", "en", "Das Kapitel 3 ist da, in Kapitel 4", "Chapter 3 ist da, in chapter 4"),
        ("de", "en", "Kapitel 1, 4 und 9, Kapitel 3 bis 5", "Kapitel 1, 4 und 9, Kapitel 3 bis 5"),
        ("de", "en", "In KW 12 und in der KW 13/14, ab KW 42", "In week 12 und in week 13/14, ab week 42"),
        ("de", "en", "ein Motor mit 80 KW 12 Jahre, KW 60", "ein Motor mit 80 KW 12 Jahre, KW 60"),
        ("de", "fr", "In KW 12, z. Hd. Frau Kurz", "In KW 12, z. Hd. Frau Kurz"),
        ("pl", "en", "z. Hd. Frau Kurz", "z. Hd. Frau Kurz"),
    ],
)
def test_references_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, references(text, source, target)) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("en", "Tom, a.k.a. the Fox", True),
        ("de", "Die Regeln (siehe oben)", True),
        ("de", "Frau Kurz ist da", False),
        ("pl", "a.k.a.", False),
    ],
)
def test_references_without_digits_have_hints(source: str, text: str, expected: bool) -> None:
    assert may_have_references(text, source) is expected
