"""Price tags, appliances, weather and adverts in few words."""

from __future__ import annotations

import pytest

from service.text.expressions.notices import expressions
from service.text.expressions.translated import may_have_translated
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "Was £89.99, now £59.99", "Avant £89.99, now £59.99"),
        ("en", "de", "Was £89.99, now £59.99", "Statt £89.99, now £59.99"),
        ("en", "fr", "Was £89.99 enough?", "Was £89.99 enough?"),
        ("en", "fr", "From $19, cancel anytime", "From $19, résiliable à tout moment"),
        ("en", "fr", "You can, cancel anytime you like", "You can, cancel anytime you like"),
        ("en", "fr", "Fan oven, the fan oven, fan", "Four à chaleur tournante, the four à chaleur tournante, fan"),
        ("en", "de", "200°C (180°C fan), fan", "200°C (180°C Umluft), fan"),
        ("en", "fr", "1400 rpm, 3,000 rpm", "1400 tr/min, 3,000 tr/min"),
        ("en", "fr", "Are we still on for tomorrow?", "Ça tient toujours pour tomorrow?"),
        ("en", "fr", "Mostly cloudy. It is mostly cloudy.", "Plutôt nuageux. It is mostly cloudy."),
        ("en", "fr", "Good value for money, easy", "Bon rapport qualité-prix, easy"),
        ("en", "de", "Great value for money and good", "Tolles Preis-Leistungs-Verhältnis and good"),
        ("en", "fr", "Good value for money is rare", "Good value for money is rare"),
        ("fr", "en", "Deux lampes à 24,99 € pièce, une pièce", "Deux lampes à 24,99 € each, une pièce"),
        ("fr", "en", "À vendre, à enlever sur place.", "À vendre, collection only."),
        ("fr", "en", "À vendre, à prendre sur place ou ici", "À vendre, à prendre sur place ou ici"),
        ("en", "fr", "half a mile, half a pint", "un demi-mile, half a pint"),
        ("en", "fr", "John Smith, 45, was arrested.", "John Smith, 45 ans, was arrested."),
        ("en", "fr", "Rooms 12, 45, was it?", "Rooms 12, 45, was it?"),
        (
            "en",
            "fr",
            "50% off selected items, 50% off",
            "50 % de réduction sur une sélection d'articles, 50% off",
        ),
        ("en", "de", "Student discount: 10%", "Studentenrabatt: 10%"),
        ("fr", "en", "Je vous souhaite de belles fêtes", "Je vous souhaite happy holidays"),
        ("fr", "en", "Joyeuses fêtes à tous, les fêtes", "Happy holidays à tous, les fêtes"),
        ("en", "fr", "Cook it al dente", "Cook it al dente"),
        ("fr", "en", "Tickets restaurant, un ticket", "meal vouchers, un ticket"),
        ("fr", "en", "Un poste en CDI, en CD", "Un poste on a permanent contract, en CD"),
        ("fr", "en", "un four à chaleur tournante", "un fan oven"),
        ("fr", "en", "Essorage 1 200 tr/min", "Essorage 1 200 rpm"),
        ("fr", "en", "Départ différé de 3 h, départ différé", "Delayed start de 3 h, départ différé"),
    ],
)
def test_few_words_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, expressions(text, source, target)) == expected


def test_they_are_found_without_digits() -> None:
    for text in ("Mostly cloudy", "the fan oven", "Are we still on for it?", "Good value for money, easy"):
        assert may_have_translated(text, "en")
    for text in ("Tickets restaurant", "en CDD", "chaleur tournante", ", à enlever sur place"):
        assert may_have_translated(text, "fr")
