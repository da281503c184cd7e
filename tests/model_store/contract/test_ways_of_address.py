"""How translations address their reader."""

from __future__ import annotations

import pytest

from model_store.contract.formality import FORMALITY_MARKS, Formality, formality_of, pieces_of, ways_of
from model_store.contract.placeholders import PLACEHOLDERS
from model_store.contract.tokenizer import Tokenizer
from model_store.data.vocabulary import train_vocabulary


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Avez-vous vos papiers ?", "formal"),
        ("Cliquez sur « Enregistrer ».", "formal"),
        ("Ne fermez pas la porte.", "formal"),
        ("Faites attention !", "formal"),
        ("Tu viens ?", "informal"),
        ("Je t'appelle demain.", "informal"),
        ("Donne-moi ton adresse.", "informal"),
        ("Ferme la porte.", "informal"),
        ("Ne sois pas en retard.", "informal"),
        ("Nous nous souvenons de lui.", None),
        ("Pouvons-nous entrer ?", None),
        ("Il est chez Gomez, assez loin.", None),
        ("Elle parle d'un ton calme.", None),
        ("Tu sais que vous pouvez entrer.", None),
        ("", None),
    ],
)
def test_french_says_tu_or_vous(text: str, found: str | None) -> None:
    assert formality_of(text, "fr") == found


@pytest.mark.parametrize(
    ("text", "source", "found"),
    [
        ("Haben Sie Ihre Papiere?", "Do you have your papers?", "formal"),
        ("Wir helfen Ihnen gern.", "", "formal"),
        ("Sie haben recht.", "You are right.", "formal"),
        ("Sie haben recht.", "They are right.", None),
        ("Sie sagten, du seist krank.", "They said you were ill.", "informal"),
        ("Hast du Zeit?", "Do you have time?", "informal"),
        ("Habt ihr Zeit?", "Do you have time?", "informal"),
        ("Ihr habt recht.", "You are right.", "informal"),
        ("Mach die Tür zu.", "Close the door.", "informal"),
        ("Schließen Sie die Tür.", "Close the door.", "formal"),
        ("Sie sagt, ihr kennt sie.", "She says you know her.", "informal"),
        ("Er gab ihr das Buch.", "He gave her the book.", None),
        ("Deine Frau und Ihr Mann", "", None),
    ],
)
def test_german_says_du_or_sie(text: str, source: str, found: str | None) -> None:
    assert formality_of(text, "de", source) == found


def test_other_languages_have_no_choice() -> None:
    assert formality_of("You and thou", "en") is None


def test_marks_are_pieces_of_a_vocabulary_that_has_them_and_no_text() -> None:
    text = ["The black cat ate the mouse at 12 or 345.", "Le chat noir a mangé la souris."] * 20
    without, having = (
        Tokenizer(train_vocabulary(text, 415, 1, PLACEHOLDERS + signs))
        for signs in ("", "".join(FORMALITY_MARKS.values()))
    )
    assert (without.has_formality, having.has_formality) == (False, True)
    for mark in FORMALITY_MARKS.values():
        assert not having.knows(mark), "who types one has it kept as it is"
        assert having.encode(f"The cat.{mark}")[:-1] == having.encode("The cat.")
    assert having.placeholders == without.placeholders == PLACEHOLDERS


@pytest.mark.parametrize(
    ("wanted", "language", "found"),
    [
        ("formal", "fr", ["\u2581vous", "vous", "\u2581Votre", "ez", "\u2581avez"]),
        ("informal", "fr", ["\u2581tu", "\u2581Ta"]),
        ("formal", "de", ["\u2581Sie", "\u2581Ihren"]),
        ("informal", "de", ["\u2581du", "\u2581Dein"]),
        ("formal", "en", []),
    ],
)
def test_pieces_of_a_vocabulary_are_of_one_formality(wanted: Formality, language: str, found: list[str]) -> None:
    french = [
        "\u2581vous",
        "vous",
        "\u2581Votre",
        "ez",
        "\u2581avez",
        "\u2581chez",
        "\u2581assez",
        "\u2581tu",
        "tu",
        "\u2581Ta",
    ]
    pieces = [
        "<s>",
        *french,
        "\u2581Sie",
        "\u2581sie",
        "\u2581Ihren",
        "\u2581ihren",
        "\u2581du",
        "\u2581Dein",
        "dein",
        "\u2581nez",
    ]
    assert [pieces[i] for i in pieces_of(wanted, language, pieces)] == found


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Prends votre sac.", "fr", True),
        ("Prends ton sac.", "fr", False),
        ("Du kennst Ihren Mann.", "de", True),
        ("Du kennst ihren Mann.", "de", False),
        ("You and thou", "en", False),
    ],
)
def test_a_text_may_address_its_reader_in_both_ways(text: str, language: str, found: bool) -> None:
    assert (len(ways_of(text, language)) == 2) == found
