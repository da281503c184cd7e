"""One way to give orders within a French sentence."""

from __future__ import annotations

import pytest

from service.text.mending.orders import with_one_order


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Coupez le pain, grille-le et frotte-le d'ail.", "Coupez le pain, grillez-le et frottez-le d'ail."),
        ("Coupe le pain, grille-le.", "Coupe le pain, grille-le."),
        ("Lavez-le, sèche-le.", "Lavez-le, sèche-le."),
        ("Pelez la pomme et appelle-le.", "Pelez la pomme et appelle-le."),
        ("Prenez ton sac et porte-le.", "Prenez ton sac et porte-le."),
        ("Vous lavez la pomme, regarde-le.", "Vous lavez la pomme, regarde-le."),
    ],
)
def test_orders_say_vous(text: str, written: str) -> None:
    assert with_one_order(text, [], "fr")[0] == written
    assert with_one_order(text, [], "en")[0] == text
