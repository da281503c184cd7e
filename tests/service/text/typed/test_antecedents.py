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
        ("Ich habe den Schlüssel verloren. ", "Er lag auf dem Tisch.", "Es lag auf dem Tisch."),
        ("Die Waschmaschine verliert Wasser. ", "Sie ist alt.", "Es ist alt."),
        ("Wo ist mein Ausweis? ", "Gestern lag er noch hier.", "Gestern lag es noch hier."),
        ("Ich suche meinen Geldbeutel. ", "Hast du ihn gesehen?", "Hast du es gesehen?"),
        ("Die Jacke passt nicht. ", "Ich möchte sie umtauschen.", "Ich möchte es umtauschen."),
        ("Der Kuchen ist fertig. ", "Bitte stellen Sie ihn kalt.", "Bitte stellen Sie es kalt."),
        ("Der Drucker ist kaputt. ", "Er geht nicht mehr an.", "Es geht nicht mehr an."),
        ("Der Drucker ist kaputt. ", "Er geht ins Kino.", None),
        ("Kann ich den Bohrer leihen? ", "Ich bringe ihn zurück.", "Ich bringe es zurück."),
        ("Der Koffer steht hier. ", "Leg ihn aufs Bett.", "Leg es aufs Bett."),
        ("Die Jacke ist da. ", "Ich glaube, sie kommen.", None),
        ("Der Drucker druckt nicht. ", "Er zeigt einen Fehler an.", None),
        ("Der Direktor hat angerufen. ", "Er kommt um acht.", None),
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
        ("The lamp flickers. ", "It must be repaired.", "She must be repaired."),
        ("The train was late. ", "It arrived at ten.", "He arrived at ten."),
        ("The key is under the mat. ", "Put it back.", "Put him back."),
        ("My jacket is on the chair. ", "Bring it tomorrow.", "Bring her tomorrow."),
        ("The table is for sale. ", "Is it still available?", "Is he still available?"),
        ("The lamp leaks. ", "Can you look at it?", "Can you look at her?"),
        ("I like your coat. ", "Where did you buy it?", "Where did you buy him?"),
        ("Your invoice is attached. ", "Please pay it by Friday.", "Please pay her by Friday."),
        ("The coat is new. ", "It is heavy and has its label.", "He is heavy and has his label."),
        ("The key doesn't fit. ", "It's broken.", "He's broken."),
        ("The train tickets arrived. ", "I left it at home.", None),
        ("The lamp flickers. ", "It must be said.", None),
        ("The key is under the mat of my aunt. ", "Put it back.", None),
        ("I have a bag. ", "It costs to live here.", None),
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
