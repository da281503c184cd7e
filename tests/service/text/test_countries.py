"""Countries that models do not know: how the other language writes them, and where they are something else."""

from __future__ import annotations

import pytest

from service.text.countries import COUNTRIES, PATTERNS, countries, may_have_countries
from service.text.prepositions import with_prepositions
from tests.service.text.rewriting import rewritten

A = "\ue000"


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "Made in Malta. We flew to Cyprus, then home.", "Made in Malte. We flew to Chypre, then home."),
        (("en", "fr"), "Mongolia is large", "Mongolie is large"),
        (("en", "fr"), "Zambia Airways, Uganda's lakes", "Zambia Airways, Uganda's lakes"),
        (("en", "de"), "From Zambia to Zimbabwe (via Mozambique)", "From Sambia to Simbabwe (via Mosambik)"),
        (("en", "de"), "Malta, Jordan and Chad", "Malta, Jordan and Chad"),
        (("en", "de"), "Fiji Water, Greenland-based, Gabon's coast", "Fiji Water, Greenland-based, Gabon's coast"),
        (("fr", "en"), "Elle vit en Mongolie", "Elle vit en Mongolia"),
        (("fr", "en"), "La Mongolie et l'Érythrée", "Mongolia et Eritrea"),
        (("fr", "en"), "l'histoire d'Érythrée, de Malte", "l'histoire d'Eritrea, de Malta"),
        (("fr", "en"), "au Cambodge, du Soudan", "au Cambodge, du Soudan"),
        (("fr", "en"), "le Cambodge, Saint-Marin et Sainte-Lucie", "Cambodia, San Marino et Saint Lucia"),
        (("fr", "de"), "Chypre et Fidji", "Zypern et Fidschi"),
        (("de", "en"), "In Botsuana, Ruanda und Südsudan", "In Botswana, Rwanda und South Sudan"),
        (("de", "en"), "Tschechien", "Tschechien"),
        (("de", "en"), "Sambias Küste, die Mongolei", "Sambias Küste, die Mongolei"),
        (("de", "fr"), "nach Zypern und Fidschi", "nach Chypre und Fidji"),
        (("en", "it"), "Malta and Cyprus", "Malta and Cyprus"),
    ],
)
def test_countries_are_written_as_the_other_language_does(languages: tuple[str, str], text: str, expected: str) -> None:
    found = countries(text, *languages)
    assert rewritten(text, found) == expected
    assert may_have_countries(text, *languages) is bool(found)


@pytest.mark.parametrize("languages", PATTERNS)
def test_no_country_stays_as_it_is(languages: tuple[str, str]) -> None:
    order = "en", "fr", "de"
    for row in COUNTRIES:
        name = row[order.index(languages[0])]
        assert all(each.translated != name for each in countries(f"{name}.", *languages) if name)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Mongolie", "? est belle, \u00e0 ?, de ?, de la ?, la ?", "La ? est belle, en ?, de ?, de la ?, la ?"),
        ("Ouganda", "En ?, du ?, de ?, avec ?, le ?", "En ?, de l'?, d'?, avec l'?, l'?"),
        ("B\u00e9nin", "en ?, de ?, dans le ?, pour ?", "au ?, du ?, au ?, pour le ?"),
        ("Bermudes", "\u00e0 ?, de ?, et ?, d'?", "aux ?, des ?, et les ?, des ?"),
        ("Malte", "en ?, du ?, la ?, ?", "\u00e0 ?, de ?, ?, ?"),
        ("Paris", "en ?, du ?, la ?, ?", "en ?, du ?, la ?, ?"),
        ("Mongolie", "?", "?"),
        ("Malaisie, Ouganda", "\u00e0 ? et la Chine", "en ? et la Chine"),
    ],
)
def test_french_has_the_article_of_a_country(name: str, text: str, expected: str) -> None:
    written, _ = with_prepositions(text.replace("?", A), [], "fr", ((A, name),))
    assert written == expected.replace("?", A)
