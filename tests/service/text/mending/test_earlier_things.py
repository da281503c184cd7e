"""*La* for an English *it* that stands for a thing of the sentence before."""

from __future__ import annotations

import pytest

from service.text.mending.earlier_things import with_feminine_things

EN_FR = ("en", "fr")


@pytest.mark.parametrize(
    ("before", "read", "text", "written"),
    [
        ("The door is open. ", "Close it.", "Fermez-le.", "Fermez-la."),
        ("The window is broken. ", "Please repair it.", "Veuillez le réparer.", "Veuillez la réparer."),
        ("Where is the remote? ", "I can't find it.", "Je ne le trouve pas.", "Je ne la trouve pas."),
        ("I sent the letter on Monday. ", "Did you receive it?", "L'avez-vous reçu ?", "L'avez-vous reçue ?"),
        ("The soup is cold. ", "Can you warm it up?", "Pouvez-vous le réchauffer ?", "Pouvez-vous la réchauffer ?"),
        ("Here's the key. ", "Don't lose it.", "Ne le perdez pas.", "Ne la perdez pas."),
        ("Hi Tom, where is the invoice for May? ", "I can't find it.", "Je ne le vois pas.", "Je ne la vois pas."),
        ("My car wouldn't start. ", "I left it there.", "Je l'ai laissé là.", "Je l'ai laissée là."),
        ("The chair broke after a week. ", "I'll return it.", "Je vais le rendre.", "Je vais la rendre."),
        ("I have a dress. ", "I bought it in Paris.", "Je l'ai acheté à Paris.", "Je l'ai achetée à Paris."),
        ("My car key is gone. ", "I lost it.", "Je l'ai perdu.", "Je l'ai perdue."),
    ],
)
def test_objects_agree_with_the_thing_before(before: str, read: str, text: str, written: str) -> None:
    assert with_feminine_things(text, [], EN_FR, read, before)[0] == written


@pytest.mark.parametrize(
    ("before", "read"),
    [
        ("", "Close it."),
        ("The door is open and the bag is full. ", "Close it."),
        ("The car park is full. ", "Close it."),
        ("The book is open. ", "Close it."),
        ("The door is open ", "Close it."),
        ("The door is open. ", "Take the bag and close it."),
        ("The door is open. ", "I know it."),
        ("The door is open. ", "It is late, close it."),
        ("My sister has a door. ", "Close it"),
        ("The door is open. ", "Close them."),
    ],
)
def test_what_is_not_sure_stays(before: str, read: str) -> None:
    assert with_feminine_things("Fermez-le.", [], EN_FR, read, before)[0] == "Fermez-le."


def test_other_languages_and_articles_stay() -> None:
    before = "The door is open. "
    assert with_feminine_things("Fermez-le.", [], ("de", "fr"), "Close it.", before)[0] == "Fermez-le."
    text = "Le soir, donnez-moi le sac et fermez-le."
    assert with_feminine_things(text, [], EN_FR, "Close it.", before)[0].startswith("Le soir, donnez-moi le sac")
