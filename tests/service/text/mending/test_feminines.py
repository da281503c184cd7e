"""Plurals of feminine nouns, in French translations."""

from __future__ import annotations

import pytest

from service.text.mending.feminines import with_feminines


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Les clés ont été remis", "Les clés ont été remises"),
        ("Trois femmes accusées de fraude ont été acquittés.", "Trois femmes accusées de fraude ont été acquittées."),
        ("Le bail est signé et les clés ont été rendus.", "Le bail est signé et les clés ont été rendues."),
        ("Le bail est signé et les clés ont été donnés.", "Le bail est signé et les clés ont été données."),
        ("Les chaussures sont trop chers", "Les chaussures sont trop chères"),
        ("Ces chaussures, ils sont trop serrés.", "Ces chaussures, elles sont trop serrées."),
        ("J'ai deux lampes, mais ils sont arrivés", "J'ai deux lampes, mais elles sont arrivées"),
        ("Construire 200 nouveaux maisons", "Construire 200 nouvelles maisons"),
        ("Il faut dix chaises neufs et deux lampes noirs", "Il faut dix chaises neuves et deux lampes noires"),
        ("Excellent valeur !", "Excellente valeur !"),
        ("Les coutures se sont défaits", "Les coutures se sont défaites"),
        ("Bon repas, portions généreux", "Bon repas, portions généreuses"),
        ("Merci pour les photos, ils sont super", "Merci pour les photos, elles sont super"),
        ("J'ai deux lampes, ils sont en panne", "J'ai deux lampes, elles sont en panne"),
    ],
)
def test_they_agree(text: str, written: str) -> None:
    assert with_feminines(text, [], ("en", "fr"), "they are")[0] == written


@pytest.mark.parametrize(
    "text",
    [
        "Les vélos ont été remis",
        "Excellent produit",
        "Bon repas, desserts généreux",
        "Construire 200 nouveaux appartements",
        "Il faut dix bureaux neufs",
        "Les victimes sont enfants",
        "Les filles et les garçons sont arrivés",
        "Ses cours sont très longs",
        "J'ai deux lampes de ce magasin, mais ils sont fermés",
        "Les enfants ont des lampes, ils sont fatigués",
        "Deux minutes, ils sont arrivés",
        "Les femmes sont là, ils sont arrivés",
        "J'ai deux lampes, ils sont égaux",
    ],
)
def test_what_is_not_sure_stays(text: str) -> None:
    assert with_feminines(text, [], ("en", "fr"), "they are")[0] == text


def test_other_languages_and_sources_stay() -> None:
    text = "J'ai deux lampes, ils sont arrivés"
    assert with_feminines(text, [], ("en", "fr"), "I have it")[0] == text
    assert with_feminines(text, [], ("de", "fr"), "they")[0] == text
