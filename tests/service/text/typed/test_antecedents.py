"""Pronouns of things in the sentence before."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.antecedents import MOST_BEFORE, text_before, with_gender


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Die Lampe flackert. ", "Sie muss repariert werden.", "Es muss repariert werden."),
        ("Die Waschmaschine schleudert nicht. ", "Sie ist alt.", "Es ist alt."),
        ("Der Tisch ist aus Eiche. ", "Er hat ein paar Kratzer.", "Es hat ein paar Kratzer."),
        ("Wo ist die Fernbedienung? ", "Ich finde sie nicht.", "Ich finde es nicht."),
        ("Der Schrank ist zu groß. ", "Wir können ihn nicht tragen.", "Wir können es nicht tragen."),
        ("Ich habe diese Lampe im Oktober gekauft. ", "Sie hat gut funktioniert.", "Es hat gut funktioniert."),
        ("Die Lampe flackert. ", "Sie sind nett.", None),
        ("Die Lampe flackert. ", "Er hat sie.", None),
        ("Das Fahrrad gehört meinem Opa. ", "Er ist hier.", None),
        ("Anna hat eine Lampe. ", "Sie ist neu.", None),
        ("Die Lampe gehört ihr. ", "Sie ist hier.", None),
        ("Die Lampe ist schön. ", "Sie hat gesagt, sie kommt.", None),
        ("Hier ist die Tasche ", "Sie ist neu.", None),
    ],
)
def test_german_things_are_es(before: str, text: str, expected: str | None) -> None:
    assert with_gender(normalise(text), before, "de", "en").text == (expected or text)
    assert with_gender(normalise(text), before, "de", "fr").text == text


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("Have you seen the film? ", "It was too long.", "He was too long."),
        ("I bought a lamp. ", "It's too big, so I'm taking it back.", "She's too big, so I'm taking her back."),
        ("Where is my scarf? ", "I left it on the chair.", "I left him on the chair."),
        ("My bag is black. ", "It has a red ribbon.", "She has a red ribbon."),
        ("This is my umbrella. ", "I bought it in Paris.", "I bought him in Paris."),
        ("The jacket is brand new. ", "It has never been worn.", "She has never been worn."),
        ("I have a bag. ", "It is raining.", None),
        ("I have a bag. ", "It is expensive to live here.", None),
        ("I have a bag. ", "It is heavy and it is raining.", None),
        ("I have a bag and a scarf. ", "It is heavy.", None),
        ("Tom has a bag. ", "It is heavy.", "She is heavy."),
        ("The bag is my mother's. ", "It is heavy.", None),
        ("This is my bike. ", "It is heavy.", None),
        ("I saw the film. ", "I found it strange that he left.", None),
    ],
)
def test_english_things_have_the_gender_of_their_german_names(before: str, text: str, expected: str | None) -> None:
    assert with_gender(normalise(text), before, "en", "de").text == (expected or text)
    assert with_gender(normalise(text), before, "en", "fr").text == text


def test_a_paragraph_is_looked_at_and_not_more_than_that() -> None:
    assert text_before("A house.\n\nThe bag. It", 19) == "The bag. "
    assert len(text_before("a" * 300, 290)) > MOST_BEFORE
    assert with_gender(normalise("It is heavy."), f"{'Well, ' * 30}the bag. ", "en", "de").text == "It is heavy."
