"""Measures of kitchens and floors, and adjectives of a number and a unit."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.expressions.compounds import compounds, joined, with_nouns_first
from service.text.expressions.measures import measures, with_measures, with_spoons
from service.text.expressions.ordinals import with_ordinals
from service.text.protection import Protector
from service.text.sentences.splitting import sentence_spans
from service.text.spans.normalise import normalise
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "1 tbsp soy sauce", "1 tablespoon of soy sauce"),
        ("en", "2 Tbsp. sugar", "2 tablespoons of sugar"),
        ("en", "1/2 tsp salt, \u00bd tsp pepper", "1/2 teaspoon of salt, \u00bd teaspoon of pepper"),
        ("en", "1 1/2 teaspoons cinnamon", "1 1/2 teaspoons of cinnamon"),
        ("en", "Stir in 3 tbsp of oil and 2 tsp.", "Stir in 3 tablespoons of oil and 2 teaspoons."),
        ("en", "2 cups flour", "2 cups of flour"),
        ("en", "It is 2 m long, 1 m wide, 5 ft deep", "It is 2 metres long, 1 metre wide, 5 feet deep"),
        ("en", "1 ft tall, in 2019 in high season, 3km thick", "1 foot tall, in 2019 in high season, 3km thick"),
        ("en", "A 2 m long table, 2 m longer, 3 m", "A 2 m long table, 2 m longer, 3 m"),
        ("en", "8 oz cream cheese", "8 ounces of cream cheese"),
        ("en", "2 lbs. potatoes, peeled", "2 pounds of potatoes, peeled"),
        ("en", "12 fl oz beer", "12 fluid ounces of beer"),
        ("en", "I lost 15 lbs this year.", "I lost 15 pounds this year."),
        ("en", "It weighs 7 lbs 4 oz.", "It weighs 7 pounds 4 ounces."),
        ("en", "a 12 oz bottle, 3 cup finals", "a 12 oz bottle, 3 cup finals"),
        ("en", "I paid 4 pounds yesterday, 2 cups", "I paid 4 pounds yesterday, 2 cups"),
        ("en", "See `2 tbsp x` at tbsp.org", "See `2 tbsp x` at tbsp.org"),
        ("fr", "2 c. \u00e0 s. de farine", "2 cuill\u00e8res \u00e0 soupe de farine"),
        ("fr", "1 c. \u00e0 caf\u00e9 de sel", "1 cuill\u00e8re \u00e0 caf\u00e9 de sel"),
        (
            "fr",
            "2 c\u00e0s huile, 1 c.\u00e0.s. miel",
            "2 cuill\u00e8res \u00e0 soupe d'huile, 1 cuill\u00e8re \u00e0 soupe de miel",
        ),
        (
            "fr",
            "2 cs d'eau, \u00bd c. \u00e0 c.",
            "2 cuill\u00e8res \u00e0 soupe d'eau, \u00bd cuill\u00e8re \u00e0 caf\u00e9",
        ),
        ("fr", "3 cuil. \u00e0 soupe de lait", "3 cuill\u00e8res \u00e0 soupe de lait"),
        ("fr", "2 cas de grippe, 3 CS, 2 c. chacun", "2 cas de grippe, 3 CS, 2 c. chacun"),
        ("fr", "2 cuill\u00e8res \u00e0 soupe de riz", "2 cuill\u00e8res \u00e0 soupe de riz"),
        ("de", "3 EL \u00d6l, \u00bd TL Salz", "3 Essl\u00f6ffel \u00d6l, \u00bd Teel\u00f6ffel Salz"),
        ("de", "1 geh. TL Zimt", "1 geh. Teel\u00f6ffel Zimt"),
        ("de", "3 EL (30 ml) \u00d6l", "3 Essl\u00f6ffel (30 ml) \u00d6l"),
        ("en", "12 pound turkey, 2 pound notes", "12 pound turkey, 2 pound notes"),
        ("fr", "Les 3 cs de l'\u00e9quipe", "Les 3 cs de l'\u00e9quipe"),
        ("de", "50 TL kosten, 3 TL.", "50 TL kosten, 3 TL."),
        ("it", "2 tbsp", "2 tbsp"),
        ("en", "a tbsp of sugar", "a tbsp of sugar"),
        (
            "en",
            "weighing 7lb 3oz, a 2-bed flat, 3 bed house",
            "weighing 7 pounds 3 ounces, a 2-bedroom flat, 3-bedroom house",
        ),
        ("en", "20ft long, 300 m from it, 1 km away", "20 feet long, 300 metres from it, 1 kilometre away"),
        ("en", "2-bed rooms, 3 beds, 12.3 bed house", "2-bed rooms, 3 beds, 12.3 bed house"),
        ("en", "3.2 mi, 1 mi north, 60 mi/h", "3.2 miles, 1 mile north, 60 mi/h"),
        ("en", "a 2 m long table, $5m long", "a 2 m long table, $5m long"),
    ],
)
def test_measures_of_kitchens_are_written_out(language: str, text: str, read: str) -> None:
    assert with_measures(normalise(text), language).text == read


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "58 sq m, 1,200 sq ft", "58 m\xb2, 1,200 pieds carr\xe9s"),
        ("en", "de", "58 sqm, 1,200 square feet", "58 m\xb2, 1,200 Quadratfu\xdf"),
        ("en", "de", "12 fluid ounces of beer", "12 Fl\xfcssigunzen beer"),
        (
            "fr",
            "en",
            "40\xb0 \xe0 l'ombre, -5\xb0, 20 \xb0C, n\xb0 5",
            "40\xb0 \xe0 l'ombre, -5\xb0, 20 \xb0C, n\xb0 5",
        ),
        ("fr", "en", "1,5 Go, 512 Go SSD, 2 Go de", "1,5 GB, 512 GB SSD, 2 Go de"),
        ("fr", "en", "6,1 pouces, 15 pouces, 2 pouces", "6,1 inches, 15 inches, 2 pouces"),
        ("de", "en", "1 Pck. Backpulver, 2 P\xe4ckchen Tee", "1 packet of Backpulver, 2 packets of Tee"),
        ("de", "en", "58 qm", "58 m\xb2"),
        ("de", "it", "58 qm", "58 qm"),
        ("en", "fr", "60 x 40 x 20 cm (L x W x H)", "60 x 40 x 20 cm (L x l x H)"),
        ("en", "de", "HxW: 3 x 2 m, W\xd7D\xd7H, L x Y, H x", "HxB: 3 x 2 m, B\xd7T\xd7H, L x Y, H x"),
        ("de", "en", "Ma\xdfe (B x H x T)", "Ma\xdfe (W x H x D)"),
    ],
)
def test_other_measures_are_those_of_the_target(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, measures(text, source, target)) == expected


@pytest.mark.parametrize(
    ("text", "french", "german"),
    [
        ("A 2-hour flight", "A de 2 heures flight", "A 2-Stunden- flight"),
        ("a 45-min delay", "a de 45 minutes delay", "a 45-Minuten- delay"),
        ("a 1,200-page book", "a de 1,200 pages book", "a 1,200-Seiten- book"),
        ("a 4-star hotel", "a 4 \xe9toiles hotel", "a 4-Sterne- hotel"),
        ("the 6-digit code", "the \xe0 6 chiffres code", "the 6-Ziffern- code"),
        ("a 1-day ticket", "a de 1 jour ticket", "a 1-Tages- ticket"),
        ("a 2 hour flight", "a de 2 heures flight", "a 2-Stunden- flight"),
        ("a 12 oz bottle", "a de 12 onces bottle", "a 12-Unzen- bottle"),
        ("a 30 days trial", "a de 30 jours trial", "a 30-Tage- trial"),
        ("a 6-month-old baby", "a de 6 mois baby", "a 6-month-old baby"),
        ("a 10-year-old girl", "a 10-year-old girl", "a 10-year-old girl"),
        ("6 foot tall, 2 hours later", "6 foot tall, 2 hours later", "6 foot tall, 2 hours later"),
        ("on Chapter 2 page numbers", "on Chapter 2 page numbers", "on Chapter 2 page numbers"),
        ("8 oz cheese, 1 day trips", "8 oz cheese, 1 day trips", "8 oz cheese, 1 day trips"),
        ("the 2020 year report, a two-day trip", *["the 2020 year report, a two-day trip"] * 2),
        ("a 3-day, 2-night stay", "a de 3 jours, de 2 nuits stay", "a 3-Tage-, 2-N\xe4chte- stay"),
        ("a 10 to 15 minute walk", "a de 10 \xe0 15 minutes walk", "a 10-15-Minuten- walk"),
        ("3-day or 5-day passes", "de 3 jours or de 5 jours passes", "3-Tage- or 5-Tage- passes"),
        ("a five to 10-minute walk, 2 year olds", *["a five to 10-minute walk, 2 year olds"] * 2),
        ("30-DAY RETURNS", "30-DAY RETURNS", "30-DAY RETURNS"),
    ],
)
def test_adjectives_of_numbers_are_translated(text: str, french: str, german: str) -> None:
    assert rewritten(text, compounds(text, "en", "fr")) == french
    assert rewritten(text, compounds(text, "en", "de")) == german
    assert compounds(text, "fr", "en") == []


@pytest.mark.parametrize(
    ("target", "text", "read"),
    [
        ("fr", "30-day returns", "returns of 30 days"),
        ("fr", "1-bedroom flat", "flat of 1 bedroom"),
        ("fr", "14-Day Money-Back Guarantee", "Money-Back Guarantee of 14 days"),
        ("fr", "Free 12-inch pizza on Monday", "Free pizza of 12 inches on Monday"),
        ("fr", "It is a 5-minute walk from here", "It is a walk of 5 minutes from here"),
        ("fr", "Our 3-hour tour starts at 9.", "Our 3-hour tour starts at 9."),
        ("fr", "3-day or 5-day passes", "3-day or 5-day passes"),
        ("fr", "a 2-hour flight", "a 2-hour flight"),
        ("fr", "a 2.5-hour drive, 1-2 day trips", "a 2.5-hour drive, 1-2 day trips"),
        ("fr", "a 3-day, 2-night stay", "a 3-day, 2-night stay"),
        ("fr", "a 6-month-old baby slept", "a 6-month-old baby slept"),
        ("fr", "Our 7-day free trial.", "Our free trial period of 7 days."),
        ("de", "Our 7-day free trial.", "Our free 7-day trial period."),
        ("de", "a 3-week trial, a 20-euro note", "a 3-week trial, a 20-euro banknote"),
        ("de", "30-day returns", "30-day returns"),
    ],
)
def test_nouns_come_first_where_french_models_need_them(target: str, text: str, read: str) -> None:
    assert with_nouns_first(normalise(text), "en", target).text == read


@pytest.mark.parametrize(
    ("language", "text", "expected", "span"),
    [
        ("de", "ein 2-Stunden- Flug", "ein 2-Stunden-Flug", "Flug"),
        ("de", "die 7-Tage- lange Reise", "die 7-Tage lange Reise", "Reise"),
        ("de", "2-Tage- und 3-Tage-Karten", "2-Tage- und 3-Tage-Karten", "und"),
        ("fr", "une garantie de de 14 jours ici", "une garantie de 14 jours ici", "ici"),
        ("fr", "une de 32 pouces t\xe9l\xe9 ici", "une t\xe9l\xe9 de 32 pouces ici", "ici"),
        ("en", "a 2-Stunden- Flug", "a 2-Stunden- Flug", "Flug"),
        ("fr", "une garantie", "une garantie", "garantie"),
    ],
)
def test_adjectives_are_joined_to_their_nouns(language: str, text: str, expected: str, span: str) -> None:
    at = text.index(span)
    joint, spans = joined(text, [(at, at + len(span))], language)
    assert joint == expected
    assert [joint[start:end] for start, end in spans] == [span]


def test_spoons_are_as_many_as_their_number_says() -> None:
    text = "3 tablespoon of oil, 1 teaspoons of salt, 2 teaspoons of tea"
    written, spans = with_spoons(text, [(0, 1), (2, 12), (len(text) - 3, len(text))], "en")
    assert written == "3 tablespoons of oil, 1 teaspoon of salt, 2 teaspoons of tea"
    assert [written[start:end] for start, end in spans] == ["3", "tablespoon", "tea"]
    assert with_spoons(text, [], "fr") == (text, [])


def test_ordinal_numbers_end_as_they_should() -> None:
    text = "On the 21th, the 11th and the 102th of 5th Avenue"
    written, spans = with_ordinals(text, [(0, 2), (7, 11), (30, 35)], "en")
    assert written == "On the 21st, the 11th and the 102nd of 5th Avenue"
    assert [written[start:end] for start, end in spans] == ["On", "21st", "102nd"]
    assert with_ordinals(text, [], "de") == (text, [])


@pytest.mark.parametrize(
    ("languages", "text", "copies"),
    [
        (("en", "de"), "It takes 2.4 A. Use 12 V at 2 A", ["2.4 A", "12 V", "2 A"]),
        (("en", "de"), "Plan 3 A new start in the 30s", []),
        (("en", "fr"), "Wait 10 s: 512 GB SSD", ["10 s", "512 GB SSD"]),
        (("fr", "en"), "On a 3 150 kWh", ["3 150 kWh"]),
        (("en", "fr"), "A 4\" x 6\" photo, a 5' x 7' rug", ['4" x 6"', "5' x 7'"]),
        (("en", "fr"), "Work 30 hrs/wk for $20/hr.", ["30 h/semaine", "$20/heure"]),
        (("de", "en"), "Honig 7 \u20ac/Glas, 80 \u20ac/Zimmer", ["7 \u20ac/jar, 80 \u20ac/room"]),
        (("de", "en"), "40 Std/Woche und 8 \u20ac/Pers.", ["40 hrs/week", "8 \u20ac/person"]),
        (("fr", "en"), "Solde : -12,50 \u20ac, -9 \u00b0C", ["-12,50 \u20ac, -9 \u00b0C"]),
        (("fr", "en"), "Il fait -9 \u00b0C ici (-5 \u20ac)", ["-9 \u00b0C", "-5 \u20ac"]),
        (("de", "en"), "Datei -> Drucken", ["->"]),
        (("en", "de"), "File -> Print", []),
        (("en", "de"), "10-20 km, a-5 km and - 5 km", ["10-20 km", "5 km", "5 km"]),
        (("de", "en"), "CHF 129.\u2013 oder 5,- \u20ac, nur 5.- pro Kind", ["CHF 129.\u2013", "5,- \u20ac", "5.-"]),
    ],
)
def test_numbers_with_units_are_copied(languages: tuple[str, str], text: str, copies: list[str]) -> None:
    protector = Protector(PLACEHOLDERS, lambda _: True, languages)
    assert [copy for _, copy in protector.protect(normalise(text), text).copies] == copies


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "2 tbsp. olive oil"),
        ("fr", "2 c. \u00e0 s. de farine"),
        ("fr", "1 c.\u00e0.c. de sel"),
        ("fr", "3 cuil. \u00e0 soupe de lait"),
        ("fr", "8 \u20ac/pers. le soir"),
        ("de", "1 Pck. Backpulver"),
    ],
)
def test_a_short_measure_ends_no_sentence(language: str, text: str) -> None:
    assert sentence_spans(text, language) == [(0, len(text))]
