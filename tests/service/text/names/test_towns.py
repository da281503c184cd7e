"""Towns that are words, states, and what else stands for itself."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.expressions.genders import genders
from service.text.names.standing import standing
from service.text.names.titles import french_titles
from service.text.protection import Protector
from service.text.spans.normalise import normalise
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("en", "I live in Portland, OR 97205.", ["Portland, OR 97205"]),
        ("en", "Bangor, ME 04401", ["Bangor, ME 04401"]),
        ("en", "In Tulsa, OK 74103-1234, it rains.", ["Tulsa, OK 74103-1234"]),
        ("en", "She is from New York, NY 10001.", ["New York, NY 10001"]),
        ("en", "She moved to Portland, OR.", ["Portland, OR"]),
        ("en", "Portland, OR", ["Portland, OR"]),
        ("en", "I live in Reading.", ["Reading"]),
        ("en", "We drove to Bath yesterday.", ["Bath"]),
        ("de", "Wir wohnen in Essen.", ["Essen"]),
        ("de", "Sie wohnt seit Jahren in Halle.", ["Halle"]),
        ("fr", "Rennes > Brest", ["Rennes > Brest"]),
        ("fr", "Rennes \u2192 Tours", ["Rennes \u2192 Tours"]),
        ("en", "BIC: COBADEFFXXX", ["BIC", "COBADEFFXXX"]),
        ("en", "SWIFT DEUTDEDBBER", ["SWIFT", "DEUTDEDBBER"]),
        ("en", "Our SWIFT code is DEUTDEFF.", ["DEUTDEFF"]),
        ("en", "See pages A-C.", ["A-C"]),
        ("en", "Questions 3 a\u2013d", ["a\u2013d"]),
        ("en", "Question 3 a-d", ["a-d"]),
        ("en", "A USB-C cable", ["USB-C"]),
        ("en", "Mr. May will call you.", ["May"]),
        ("en", "Cambridge CB1 2JW, not 5 PM", ["Cambridge"]),
        ("en", "Mrs. June Carter is here.", ["June Carter"]),
        ("de", "Frau Freitag ist da.", ["Freitag"]),
        ("de", "Herr van der Meer und Frau von Braun", ["van der Meer", "von Braun"]),
        ("fr", "M. du Pont et Mme De La Tour", ["du Pont", "De La Tour"]),
        ("en", "Dr. Van Houten is in.", ["Van Houten"]),
        ("fr", "Saint-Aubin et Saint-Jean-de-Luz", ["Saint-Aubin", "Saint-Jean-de-Luz"]),
        ("de", "Wir wohnen in Baden.", ["Baden"]),
    ],
)
def test_what_stands_for_itself(language: str, text: str, kept: list[str]) -> None:
    found = standing(text, language, "fr" if language == "en" else "en", None, False)
    assert {text[start:end] for start, end in found} == set(kept)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Sure, OK."),
        ("en", "Eat this, OR that."),
        ("en", "Fine, OK"),
        ("en", "I like Reading."),
        ("en", "We go to Reading Week."),
        ("en", "File > Save"),
        ("en", "They met in May."),
        ("en", "BIC pens are BLUE."),
        ("en", "The T-shirt is X-large."),
        ("fr", "Y a-t-il un e-mail ?"),
        ("de", "Kochen und Essen"),
        ("de", "Er ist gut in Essen und Trinken."),
        ("fr", "La Saint-Jean, le Saint-Esprit, Mont-Saint-Michel, Saint-P\u00e9tersbourg"),
        ("fr", "Madame de la Direction, Monsieur le Maire"),
    ],
)
def test_words_that_are_none(language: str, text: str) -> None:
    assert standing(text, language, "fr" if language == "en" else "en", None, False) == []


def test_french_titles() -> None:
    assert french_titles("Mlle Petit est l\u00e0.", "en") == [(0, 10, "Ms. Petit")]
    assert french_titles("Avec Me Fontaine.", "de") == [(5, 16, "Ma\u00eetre Fontaine")]
    assert french_titles("Mlle Petit", "it") == []
    assert french_titles("\u00c0 MM. Petit et J. Durand.", "en") == [(2, 24, "Mr. Petit and Mr. J. Durand")]
    assert french_titles("MM. Petit, Roy et Le Gall", "de") == [(0, 25, "Herr Petit, Herr Roy und Herr Le Gall")]
    assert french_titles("200 MM. Petit et grand, MM. les juges, MM. Petit et Fils", "en") == []
    assert french_titles("Me voil\u00e0. Melle est l\u00e0.", "en") == []


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("de", "en", "ein Koch (m/w/d), W/M", "ein Koch (m/f/d), F/M"),
        ("fr", "en", "un vendeur (H/F), f/h", "un vendeur (M/F), f/m"),
        ("en", "de", "a chef (m/f/d)", "a chef (m/w/d)"),
        ("en", "fr", "a chef (M/F)", "a chef (H/F)"),
        ("de", "en", "km/h, w/m/d/x, /m/w", "km/h, w/m/d/x, /m/w"),
        ("de", "it", "(m/w/d)", "(m/w/d)"),
    ],
)
def test_letters_for_the_sexes_are_those_of_the_target(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, genders(text, source, target)) == expected


def test_names_in_letters_of_another_language_are_kept_unless_the_model_knows_them() -> None:
    protector = Protector(PLACEHOLDERS, lambda _: True, ("en", "fr"), frozenset(["Jos\u00e9"]))
    text = "Jos\u00e9 and Ond\u0159ej met \u0141ukasz, r\u0159r and CAF\u00c9."
    copies = [copy for _, copy in protector.protect(normalise(text), text).copies]
    assert copies == ["Ond\u0159ej", "\u0141ukasz"]
