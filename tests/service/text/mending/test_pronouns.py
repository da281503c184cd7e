"""*Le* and *la* for an English *it*, as the thing that a French translation has named wants it."""

from __future__ import annotations

import pytest

from service.text.mending.pronouns import with_pronouns_of_things
from service.text.names.things import FEMININE, MASCULINE, genders_before


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "Imprimez l'\u00e9tiquette et collez-le sur la bo\u00eete",
            "Imprimez l'\u00e9tiquette et collez-la sur la bo\u00eete",
        ),
        ("Copiez le lien et collez-la", "Copiez le lien et collez-le"),
        ("D\u00e9branchez la machine avant de le nettoyer", "D\u00e9branchez la machine avant de la nettoyer"),
        ("Enregistrez le fichier avant de la fermer", "Enregistrez le fichier avant de le fermer"),
        ("La facture est fausse, veuillez le corriger", "La facture est fausse, veuillez la corriger"),
        (
            "La fen\u00eatre \u00e9tait ouverte, je l'ai ferm\u00e9",
            "La fen\u00eatre \u00e9tait ouverte, je l'ai ferm\u00e9e",
        ),
        (
            "Le colis est parti, mais elle n'est pas encore arriv\xe9e",
            "Le colis est parti, mais il n'est pas encore arriv\xe9",
        ),
        ("La lampe est neuve et il a \xe9t\xe9 vendu", "La lampe est neuve et elle a \xe9t\xe9 vendue"),
        ("Prenez votre carte et gardez-le", "Prenez votre carte et gardez-la"),
    ],
)
def test_pronouns_agree(text: str, written: str) -> None:
    assert with_pronouns_of_things(text, [], ("en", "fr"), "Take it")[0] == written


@pytest.mark.parametrize(
    "text",
    [
        "Prenez la rue puis le pont et suivez-le",
        "La police l'a vol\u00e9",
        "Prenez une minute et remuez-le",
        "Dans la cuisine, mangez-le",
        "Fermez la porte et faites-le",
        "La porte, je n'ai pas envie de le dire",
        "La dame, regardez-le",
        "Prenez l'objectif et gardez-la",
        "La lampe est neuve, il est pr\xe9vu que",
        "La lampe du salon et le lit, elle est cass\xe9e",
        "Regardez-le",
        "La porte est ouverte, je veux le livre",
    ],
)
def test_what_is_not_sure_stays(text: str) -> None:
    assert with_pronouns_of_things(text, [], ("en", "fr"), "Take it")[0] == text


def test_people_and_other_languages_stay() -> None:
    text = "Prenez la cl\u00e9 et suivez-le"
    assert with_pronouns_of_things(text, [], ("en", "fr"), "Take the key and follow him with it")[0] == text
    assert with_pronouns_of_things(text, [], ("en", "fr"), "Take the key")[0] == text
    assert with_pronouns_of_things(text, [], ("de", "fr"), "it")[0] == text


def test_genders_of_what_stands_before() -> None:
    text = "La cl\u00e9 est dans le sac de mon amie"
    assert genders_before(text, 10) == [(FEMININE, True)]
    assert genders_before(text, 22) == [(FEMININE, True), (MASCULINE, False)]
    assert genders_before(text, len(text)) is None


def test_two_steps_with_one_thing_have_one_pronoun() -> None:
    text = "couvrez-la avec un chiffon et laissez-le reposer"
    read = "cover it with a cloth and leave it"
    assert (
        with_pronouns_of_things(text, [], ("en", "fr"), read)[0] == "couvrez-la avec un chiffon et laissez-la reposer"
    )
    read = "cover it with a cloth, take the lid and leave it"
    assert with_pronouns_of_things(text, [], ("en", "fr"), read)[0] == text
