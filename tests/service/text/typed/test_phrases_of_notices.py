"""Wordings of screens, notices and letters that models do not know, as others that they do."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "No rain is expected, no snow", "We expect no rain, no snow"),
        ("en", "omg I know. OMG", "oh my God, I know. oh my God"),
        ("fr", "Elle est d\xe9cal\xe9e au 16 mars", "Elle est report\xe9e au 16 mars"),
        ("fr", "Il est un peu d\xe9cal\xe9.", "Il est un peu d\xe9cal\xe9."),
        ("fr", "R\xe9ouverture le 16.", "Nouvelle ouverture le 16."),
        ("fr", "\xe0 14h30 pile, 8 h pile", "\xe0 14h30 pr\xe9cises, 8 h pr\xe9cises"),
        ("fr", "une pile, 8 piles, il pile", "une pile, 8 piles, il pile"),
        ("fr", "Vendredi 13 \xe0 Paris, vendredi 13 \xe0 19h30", "Vendredi 13 \xe0 Paris, vendredi 13, \xe0 19h30"),
        ("fr", "Je veux partir et \xeatre rembours\xe9e.", "Je veux partir et obtenir un remboursement."),
        ("fr", "Il va \xeatre rembours\xe9 par eux.", "Il va \xeatre rembours\xe9 par eux."),
        ("fr", "Ne pas laisser \xe0 la port\xe9e des enfants.", "Tenir hors de la port\xe9e des enfants."),
        ("fr", "Bonjour Madame, je vous \xe9cris", "Ch\xe8re Madame, je vous \xe9cris"),
        ("fr", "Bonjour Monsieur, comment allez-vous ?", "Bonjour Monsieur, comment allez-vous ?"),
        ("de", "Verbindung zum Server fehlgeschlagen.", "Die Verbindung zum Server ist fehlgeschlagen."),
        ("de", "Verbindung zu Anna. Es ist fehlgeschlagen", "Verbindung zu Anna. Es ist fehlgeschlagen"),
        ("de", "Gek\xfchlt lagern. Lagern", "Im K\xfchlschrank lagern. Lagern"),
        ("de", "um Punkt 8. Punkt 9 der Liste", "um genau 8. Punkt 9 der Liste"),
        ("de", "Eine Tablette zum Essen einnehmen.", "Eine Tablette zu den Mahlzeiten einnehmen."),
    ],
)
def test_a_wording_is_read_as_another(language: str, text: str, read: str) -> None:
    assert written_out(normalise(text), language).text == read
