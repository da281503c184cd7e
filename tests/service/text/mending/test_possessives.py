"""What belongs to people, in English translations."""

from __future__ import annotations

import time

import pytest

from service.text.mending.possessives import with_possessives


@pytest.mark.parametrize(
    ("source", "read", "text", "written"),
    [
        ("de", "Das ist Melanies Auto.", "That's Melanies car.", "That's Melanie's car."),
        ("de", "Lenas neues Handy ist weg.", "Lenas new phone is gone.", "Lena's new phone is gone."),
        ("de", "Swantjes Bruder wohnt hier.", "Swantjes brother lives here.", "Swantje's brother lives here."),
        ("de", "Frau Rellingers Hund bellt.", "Ms Rellingers dog barks.", "Ms Rellinger's dog barks."),
        ("de", "Schulzes Kinder", "Schulzes children", "Schulze's children"),
        ("de", "Ich war bei Jonas.", "I was at Jonas.", "I was at Jonas's."),
        ("de", "Die Schmidts kommen nicht.", "The Schmidts isn't coming.", "The Schmidts aren't coming."),
        ("de", "Das Haus der M\xfcllers", "The M\xfcllers's house", "The M\xfcllers' house"),
        ("fr", "J'ai dormi chez Julien.", "I slept at Julien.", "I slept at Julien's."),
        ("fr", "La f\xeate chez Lucas est finie.", "The party in Lucas is over.", "The party at Lucas's is over."),
        ("fr", "chez Mme Rellinger", "at Mrs Rellinger", "at Mrs Rellinger's"),
        ("fr", "Je dors chez les Moreau.", "I sleep at the Moreau.", "I sleep at the Moreaus."),
        ("fr", "Les Lefebvre partent.", "The Lefebvre leave.", "The Lefebvres leave."),
    ],
)
def test_people_get_what_says_that_something_is_theirs(source: str, read: str, text: str, written: str) -> None:
    assert with_possessives(text, [], (source, "en"), read) == (written, [])


@pytest.mark.parametrize(
    ("source", "read", "text"),
    [
        ("de", "Man glaubt, dass Jesus der Sohn Gottes ist.", "Jesus is believed to be the son of God."),
        ("de", "Eine Frau in Jeans beim Kehren", "A woman in Jeans while sweeping"),
        ("de", "Zwei in Shorts halten H\xe4ndchen.", "Two in Shorts hold hands."),
        ("de", "Jonas Auto steht da.", "Jonas car is there."),
        ("de", "Siemens Mitarbeiter streiken.", "Siemens employees are on strike."),
        ("de", "Die Smarties Packung ist leer.", "The Smarties packet is empty."),
        ("de", "Melanies Auto", "Melanie's car"),
        ("de", "Herr Schmidts ist nicht da.", "Mr Schmidts isn't here."),
        ("de", "Melanies Garage Bar", "Melanies Garage Bar"),
        ("de", "Ich arbeite bei Google.", "I work at Google."),
        ("de", "Entschuldige dich bei Anna.", "Apologise to Anna."),
        ("de", "bei Anna und Paul", "at Anna and Paul"),
        ("fr", "Je travaille chez Renault.", "I work at Renault."),
        ("fr", "J'habite chez Paul et Marie.", "I live at Paul and Marie."),
        ("fr", "chez Paul Smith Consulting", "at Paul Smith Consulting"),
        ("fr", "Il dort chez Julien.", "He sleeps at Julien's."),
        ("fr", "la maison des Moreau", "the Moreau family's house"),
        ("fr", "Les Dubois partent.", "The Dubois leave."),
        ("fr", "Je vais chez le dentiste.", "I'm going to the dentist."),
        ("fr", "Je rentre de Paris avec les Alpes.", "I come back from the Alpes."),
    ],
)
def test_others_stay(source: str, read: str, text: str) -> None:
    assert with_possessives(text, [], (source, "en"), read) == (text, [])


def test_spans_follow_and_other_targets_stay() -> None:
    read, text = "Das ist Melanies Auto.", "That's Melanies car."
    written, spans = with_possessives(text, [(0, 6), (7, 15), (16, 19)], ("de", "en"), read)
    assert [written[start:end] for start, end in spans] == ["That's", "Melanie's", "car"]
    assert with_possessives(text, [], ("de", "fr"), read) == (text, [])


def test_long_texts_take_no_time() -> None:
    started = time.perf_counter()
    for sign in ("As ", "Anna-", "Annas ", "chez Anna ", "bei A", "les A", "Aa"):
        for source in ("de", "fr"):
            with_possessives(sign * 20_000, [], (source, "en"), sign * 20_000)
    assert time.perf_counter() - started < 3
