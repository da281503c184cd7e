"""Countries that models do not know: how the other language writes them, and where they are something else."""

from __future__ import annotations

import pytest

from service.text.mending.prepositions import with_prepositions
from service.text.names.countries import PATTERNS, TABLES, countries, may_have_countries
from service.text.spans.patterns import WITHOUT_CAPITALS
from tests.service.text.rewriting import rewritten

A = "\ue000"


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "Made in Malta. We flew to Cyprus, then home.", "Made in Malte. We flew to Chypre, then home."),
        (("en", "fr"), "Mongolia is large", "Mongolie is large"),
        (("en", "fr"), "Zambia Airways, Uganda's lakes", "Zambia Airways, Ouganda's lakes"),
        (("en", "fr"), "Malta, the Philippines are far", "Malte, the Philippines are far"),
        (("en", "fr"), "I am from Chad, she lives in Jordan", "I am from Tchad, she lives in Jordanie"),
        (("en", "fr"), "Chad is a poor country. Jordan's king", "Tchad is a poor country. Jordanie's king"),
        (("en", "fr"), "Mail from Chad: Jordan is in", "Mail from Chad: Jordan is in"),
        (
            ("en", "fr"),
            "Our Peru team, the Peru office, a Peru of old",
            "Our Peru team, the Peru office, a Pérou of old",
        ),
        (("en", "fr"), "Kathy Ireland, Vodafone Ghana, Panama hat", "Kathy Ireland, Vodafone Ghana, Panama hat"),
        (("en", "fr"), "Northern Ireland, US-Iran, Mrs Malta", "Irlande du Nord, US-Iran, Mrs Malta"),
        (("en", "fr"), "It is from Jordan. Chad is a country boy.", "It is from Jordan. Chad is a country boy."),
        (("en", "de"), "From Zambia to Zimbabwe (via Mozambique)", "From Sambia to Simbabwe (via Mosambik)"),
        (("en", "de"), "Malta, Jordan and Chad", "Malta, Jordan and Chad"),
        (("en", "de"), "Fiji Water, Greenland-based, Gabon's coast", "Fiji Water, Greenland-based, Gabon's coast"),
        (("fr", "en"), "Elle vit en Mongolie", "Elle vit en Mongolia"),
        (("fr", "en"), "La Mongolie et l'Érythrée", "Mongolia et Eritrea"),
        (("fr", "en"), "l'histoire d'Érythrée, de Malte", "l'histoire d'Eritrea, de Malta"),
        (("fr", "en"), "au Cambodge, du Soudan", "au Cambodia, du Sudan"),
        (("fr", "en"), "le Cambodge, Saint-Marin et Sainte-Lucie", "Cambodia, San Marino et Saint Lucia"),
        (("de", "en"), "In Botsuana, Ruanda und Südsudan", "In Botswana, Rwanda und South Sudan"),
        (("de", "en"), "Tschechien", "Tschechien"),
        (("de", "en"), "Sambias Küste, die Mongolei", "Sambias Küste, die Mongolia"),
        (("en", "it"), "Malta and Cyprus", "Malta and Cyprus"),
        (("en", "fr"), "The WHO and the IMF are in NATO", "OMS and FMI are in OTAN"),
        (
            ("en", "fr"),
            "NATO troops, WHO are you? NATO said, a NATO building",
            "NATO troops, WHO are you? OTAN said, a NATO building",
        ),
        (("en", "de"), "Did the United Nations vote?", "Did UNO vote?"),
    ],
)
def test_countries_are_written_as_the_other_language_does(languages: tuple[str, str], text: str, expected: str) -> None:
    found = countries(text, *languages)
    assert rewritten(text, found) == expected
    assert may_have_countries(text, *languages) or not found


@pytest.mark.parametrize("languages", PATTERNS)
def test_every_country_is_found_where_a_text_begins_with_it(languages: tuple[str, str]) -> None:
    for name in TABLES[languages]:
        text = f"{name}."
        is_plain = WITHOUT_CAPITALS.fullmatch(text) is not None
        assert may_have_countries(text, *languages, is_plain) or name in ("Chad", "Jordan")


def test_a_plain_text_that_begins_with_another_word_has_none() -> None:
    assert not may_have_countries("Men are from earth.", "en", "fr", is_plain=True)


@pytest.mark.parametrize(
    ("language", "name", "text", "expected"),
    [
        ("fr", "Mongolie", "? est belle, \u00e0 ?, de ?, de la ?, la ?", "La ? est belle, en ?, de ?, de la ?, la ?"),
        ("fr", "Ouganda", "En ?, du ?, de ?, avec ?, le ?", "En ?, de l'?, d'?, avec l'?, l'?"),
        ("fr", "B\u00e9nin", "en ?, de ?, dans le ?, pour ?", "au ?, du ?, au ?, pour le ?"),
        ("fr", "Bermudes", "\u00e0 ?, de ?, avec ?, d'?", "aux ?, des ?, avec les ?, des ?"),
        ("fr", "Bahamas", "? est belle. ? a trois", "Les ? sont belle. les ? a trois"),
        ("fr", "Malte", "en ?, du ?, la ?, ?", "\u00e0 ?, de ?, ?, ?"),
        ("fr", "Isra\u00ebl", "\u00e0 ?, de l'?, l'?", "en ?, d'?, ?"),
        ("fr", "\u00cele Maurice", "en ?, de ?, pour ?", "\u00e0 l'?, de l'?, pour l'?"),
        ("fr", "Ghana", "Il vit \u00e0 Accra, ?. Au Togo, ? et", "Il vit \u00e0 Accra, ?. Au Togo, le ? et"),
        ("fr", "Ghana", "\u00e0 ?, ? et ?", "au ?, au ? et au ?"),
        ("fr", "Iran", "de ? et de l'? et ?", "d'? et de l'? et d'?"),
        ("fr", "Ghana", "avec ?, ? ou ?", "avec le ?, le ? ou le ?"),
        ("fr", "Paris", "en ?, du ?, la ?, ?", "en ?, du ?, la ?, ?"),
        ("fr", "Mongolie", "?", "?"),
        ("fr", "Malaisie, Ouganda", "\u00e0 ? et la Chine", "en ? et la Chine"),
        ("de", "Tschad", "? ist gro\u00df. In ?, aus ?, nach ?", "Der ? ist gro\u00df. Im ?, aus dem ?, in den ?"),
        ("de", "Tschad", "von ?, durch ?, mit dem ?, und ?", "vom ?, durch den ?, mit dem ?, und ?"),
        (
            "de",
            "Mongolei",
            "? ist weit, in ?, zur ?, von ?, beim ?",
            "Die ? ist weit, in der ?, zur ?, von der ?, bei der ?",
        ),
        ("de", "Zypern", "? ist klein, in ?", "? ist klein, in ?"),
        ("en", "Sudan", "The ? is dry, in the ?", "? is dry, in ?"),
        ("en", "Seychelles", "in the ?", "in the ?"),
        ("it", "Ghana", "a ?", "a ?"),
        ("fr", "Irlande", "Comparé à ?, Hongrie est", "Comparé à l'?, Hongrie est"),
        ("fr", "Malaisie", "Grâce à ?, nous parlons de ?", "Grâce à la ?, nous parlons de la ?"),
        ("fr", "Hongrie", "Pays : ?", "Pays : ?"),
        ("fr", "Hongrie", "Anglais (?), ? (+36)", "Anglais (?), la ? (+36)"),
        ("fr", "Liban", "Notre ?, le mot ?, pro-?", "Notre ?, le mot ?, pro-?"),
        ("fr", "Kenya", "Toute ?, tous le ?", "Tout le ?, tout le ?"),
        ("fr", "Haïti", "à ?, de ?, plus grand que ?", "en ?, d'?, plus grand qu'?"),
        ("de", "Sudan", "?s Armee, die ?-Krise, zu ?", "?s Armee, die ?-Krise, zum ?"),
        ("de", "Mongolei", "die Hauptstadt der ?, ich liebe ?", "die Hauptstadt der ?, ich liebe die ?"),
        ("en", "Malta", "the ? team, the ?, the ? is", "the ? team, ?, ? is"),
        ("fr", "OMS", "? est là, en ?, les ?, de ?", "L'? est là, à l'?, l'?, de l'?"),
        ("fr", "FMI", "pour ?, à ?, de ?", "pour le ?, au ?, du ?"),
        ("de", "WHO", "Nach ? ist, in ?, von ?, nach ?", "Laut ? ist, in der ?, von der ?, nach ?"),
    ],
)
def test_a_country_has_its_article(language: str, name: str, text: str, expected: str) -> None:
    written, _ = with_prepositions(text.replace("?", A), [], language, ((A, name),))
    assert written == expected.replace("?", A)
