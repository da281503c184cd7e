"""*It* for things, in English translations of French."""

from __future__ import annotations

import pytest

from service.text.mending.things import with_things
from service.text.names.things import FEMININE, MASCULINE, may_name_somebody, named, things


@pytest.mark.parametrize(
    ("original", "text", "written"),
    [
        ("Le train est en retard, il arrive.", "The train is late, he's coming.", "The train is late, it's coming."),
        (
            "Cette crème sent bon et elle ne colle pas.",
            "This smells good and she sticks.",
            "This smells good and it sticks.",
        ),
        ("J'ai acheté une lampe, elle est jolie.", "I bought a lamp, she's pretty.", "I bought a lamp, it's pretty."),
        (
            "Mon vélo est beau, il est neuf. Il roule.",
            "My bike is nice, he is new. He rolls.",
            "My bike is nice, it is new. It rolls.",
        ),
    ],
)
def test_they_are_it(original: str, text: str, written: str) -> None:
    assert with_things(text, [], ("fr", "en"), original)[0] == written


@pytest.mark.parametrize(
    "original",
    [
        "Le voisin a un vélo, il arrive.",
        "C'est le bureau dans lequel il travaille.",
        "Le train est en retard, il est malade.",
        "Son sac est ici, il est parti.",
        "Le vélo de Paul est cassé, il arrive.",
        "Kévin a un vélo, il est content.",
        "Le travail fini, il est parti.",
        "À la fin du film, il est parti.",
        "Avec maman, le train est en retard, il arrive.",
    ],
)
def test_people_are_not(original: str) -> None:
    assert with_things("he is here", [], ("fr", "en"), original)[0] == "he is here"


@pytest.mark.parametrize(
    ("before", "original"),
    [
        ("Ta carte est bloquée. ", "Elle sera remplacée."),
        ("Où est la télécommande ? ", "Elle est sur le lit."),
        ("La lampe ? ", "Elle est là-bas."),
        ("J'ai une montre. ", "Elle fonctionne."),
        ("La carte est là. ", "Elle peut être renouvelée."),
        ("La lampe clignote. ", "Elle doit être réparée."),
        ("Belle petite lampe. ", "Elle éclaire bien."),
        ("J'ai commandé une table. ", "Elle est arrivée cassée."),
        ("La soupe mijote. ", "Elle sera prête dans dix minutes."),
        ("Très belle robe. ", "Elle taille un peu grand."),
        ("La voiture ne démarrait pas. ", "Elle est restée au garage."),
        ("Ma montre s'est arrêtée. ", "Elle doit avoir besoin d'une pile."),
        ("La perceuse est puissante. ", "Elle est livrée avec deux batteries."),
        ("La recette est facile. ", "Elle plaît à tout le monde."),
        ("Votre commande est prête. ", "Elle vous attend en magasin."),
        ("La chambre donne sur la cour. ", "Elle est calme."),
    ],
)
def test_what_stands_before_tells(before: str, original: str) -> None:
    assert with_things("She is so.", [], ("fr", "en"), original, before)[0] == "It is so."


@pytest.mark.parametrize(
    ("before", "original"),
    [
        ("", "Elle est là-bas."),
        ("Ma fille a une montre. ", "Elle est neuve."),
        ("Elle a une montre. ", "Elle est neuve."),
        ("Léa a une montre. ", "Elle est neuve."),
        ("J'ai une montre. ", "Elle est partie."),
        ("Sa montre est là. ", "Elle est neuve."),
        ("J'ai froid. ", "Elle est neuve."),
        ("À la gare. ", "Elle est neuve."),
        ("La nuit tombe. ", "Elle est neuve."),
        ("La lampe clignote. ", "Elle ferme les volets."),
        ("La lampe clignote. ", "Elle a raté le bus."),
        ("La lampe clignote. ", "Elle est entrée."),
        ("La maison est vide. ", "Elle est seule."),
        ("La lampe clignote. ", "Elle a son sac."),
        ("La lampe clignote et je l'attends. ", "Elle est neuve."),
        ("Belle petite fille. ", "Elle est neuve."),
        ("Une soirée. ", "Elle sera prête."),
    ],
)
def test_what_stands_before_leaves_a_doubt(before: str, original: str) -> None:
    assert with_things("She is so.", [], ("fr", "en"), original, before)[0] == "She is so."


def test_other_languages_are_left_alone() -> None:
    assert with_things("he", [], ("de", "en"), "Der Zug ist da, er kommt.")[0] == "he"


def test_no_thing_is_in_doubt() -> None:
    known = things()
    assert not known[MASCULINE] & {"guide", "garde", "chat", "ami"}
    assert not known[FEMININE] & {"personne", "victime", "star"}
    assert "train" in known[MASCULINE]
    assert "gare" in known[FEMININE]


def test_what_a_text_names() -> None:
    assert named("Le train est à la gare", MASCULINE) == [0]
    assert named("Mon ami est là", MASCULINE) is None
    assert named("Mon ami est là", FEMININE) is None
    assert named("un peu tard", MASCULINE) == []


def test_who_is_named() -> None:
    assert may_name_somebody("Paul a un vélo")
    assert may_name_somebody("Le vélo d'Inès")
    assert not may_name_somebody("Le train pour Lyon est là")
    assert not may_name_somebody("J'ai un vélo. Il roule.")


def test_what_stands_behind_a_greeting_is_named() -> None:
    before, text = "Bonjour, la chaudière fait un bruit bizarre. ", "Elle s'arrête toutes les dix minutes."
    assert with_things("She stops every ten minutes.", [], ("fr", "en"), text, before)[0].startswith("It stops")
    assert with_things("She stops.", [], ("fr", "en"), "Elle s'arrête.", "Bonjour, Anna arrive. ")[0] == "She stops."
