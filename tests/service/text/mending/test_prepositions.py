"""French prepositions before pages and telephone numbers."""

from __future__ import annotations

import re

import pytest

from service.text.mending.prepositions import with_prepositions, with_towns

A, B, C = "\ue000", "\ue001", "\ue002"


def test_pages_and_telephones_have_other_prepositions_than_places() -> None:
    copies = ((A, "www.a.org"), (B, "+33 1 44 66 81 80"), (C, "a@b.org"))
    text = f"Voir au {A}, appeler \xe0 {B} ou \xe0 {C}, au {B}"
    spans = [(5, 7), (8, 9), (text.index("\xe0"), text.index("\xe0") + 1)]
    written, moved = with_prepositions(text, spans, "fr", copies)
    assert written == f"Voir sur {A}, appeler au {B} ou \xe0 {C}, au {B}"
    assert [written[start:end] for start, end in moved] == ["sur", A, "au"]
    assert with_prepositions(text, spans, "de", copies) == (text, spans)
    assert with_prepositions(text, spans, "fr", ()) == (text, spans)


@pytest.mark.parametrize(
    ("language", "copy", "text", "expected"),
    [
        ("en", "Gartenstra\xdfe 12", "We live in the A.", "We live at A."),
        ("en", "Lindenallee 8, 50667 K\xf6ln", "I moved into the A.", "I moved to A."),
        ("en", "Tom", "I am in the A.", "I am in the A."),
        ("fr", "0161 496 0123", "Appelez Tom le A.", "Appelez Tom au A."),
        ("fr", "0161 496 0123", "Appelez le A, appelez-nous A.", "Appelez le A, appelez-nous au A."),
        (
            "de",
            "01632 960456",
            "Rufen Sie uns A an, erreichen uns A.",
            "Rufen Sie uns unter A an, erreichen uns unter A.",
        ),
        ("de", "Ben Carter", "Wenden Sie sich bitte A.", "Wenden Sie sich bitte an A."),
        ("de", "Ben", "wenden Sie sich in der Zwischenzeit A.", "wenden Sie sich in der Zwischenzeit an A."),
        ("de", "Ben", "Wenden Sie sich an A.", "Wenden Sie sich an A."),
        ("de", "Ulm", "Wenden Sie sich in A an uns.", "Wenden Sie sich in A an uns."),
        ("de", "Teams", "Wenden Sie sich \xfcber A an uns.", "Wenden Sie sich \xfcber A an uns."),
        ("de", "+49 30 1234567", "Sie erreichen mich auf A.", "Sie erreichen mich unter A."),
        ("de", "A3", "Sie fahren auf A.", "Sie fahren auf A."),
        ("fr", "(030) 901820", "Notre num\u00e9ro est le A.", "Notre num\u00e9ro est le A."),
        ("fr", "12 km", "Le A, sur A.", "Le A, sur A."),
        ("fr", "les ann\u00e9es 1990", "Il est vrai que les A, des A", "Il est vrai que A, des A"),
        ("fr", "12 km", "Il aime les A.", "Il aime les A."),
    ],
)
def test_telephone_numbers_have_their_prepositions(language: str, copy: str, text: str, expected: str) -> None:
    def read(words: str) -> str:
        return re.sub(r"\bA(?!\w)", A, words)

    assert with_prepositions(read(text), [], language, [(A, copy)])[0] == read(expected)


def test_a_variable_before_an_adjective_is_a_number() -> None:
    copies = ((A, "%{count}"), (B, '<x id="2"/>'), (C, "5 kg"))
    text = f"Vous avez {A} de nouveaux messages, {B} d'autres jours, {C} de nouvelles pommes, {A} de vos amis"
    written, _ = with_prepositions(text, [], "fr", copies)
    assert written == f"Vous avez {A} nouveaux messages, {B} autres jours, {C} de nouvelles pommes, {A} de vos amis"
    text = f"{A} les fichiers, {B} des jours, {C} les aime"
    written, _ = with_prepositions(text, [], "fr", ((A, "{count}"), (B, "%d")))
    assert written == f"{A} fichiers, {B} jours, {C} les aime"


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("Il vit en Leeds.", "He lives in Leeds.", "Il vit \xe0 Leeds."),
        ("En Leeds, il pleut.", "In Leeds, it rains.", "\xc0 Leeds, il pleut."),
        ("Il vit en \ue006.", "He lives in \ue006.", "Il vit \xe0 \ue006."),
        ("Il vit en Texas.", "He lives in Texas.", "Il vit en Texas."),
        ("Il roule en Toyota.", "He drives a Toyota.", "Il roule en Toyota."),
        ("Il vit en Espagne.", "He lives in Spain.", "Il vit en Espagne."),
    ],
)
def test_towns_have_another_preposition_than_countries(text: str, read: str, expected: str) -> None:
    copies = [("\ue006", "Cardiff")]
    assert with_towns(text, (), ("en", "fr"), read, copies)[0] == expected
    assert with_towns(text, (), ("en", "de"), read, copies)[0] == text
