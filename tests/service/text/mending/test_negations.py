"""Negations that a translation must not lose."""

from __future__ import annotations

import pytest

from service.text.mending.facts import NEGATION, facts_in, lost_facts
from service.text.mending.negations import ANY, SURE, has_negation


@pytest.mark.parametrize(
    ("languages", "text", "translation", "is_lost"),
    [
        (("en", "de"), "I definitely won't forget it.", "Ich werde es auf jeden Fall vergessen.", True),
        (("en", "de"), "I can't come, can we meet instead?", "Ich komme, treffen wir uns stattdessen?", True),
        (("en", "de"), "I definitely won\u2019t forget it.", "Ich werde es nicht vergessen.", False),
        (("en", "de"), 'Do not use "very" more than once.', "Verwenden Sie \u201esehr\u201c mehr als einmal.", True),
        (("en", "fr"), "Day 3 of no sugar", "Jour 3 de sucre", True),
        (("en", "fr"), "Day 3 of no sugar", "Jour 3 sans sucre", False),
        (("en", "fr"), "There is no solution.", "Ce probl\xe8me est insoluble.", False),
        (("en", "fr"), "I never go there.", "Je n'y vais jamais.", False),
        (("en", "de"), "It isn't far, is it?", "Es ist unweit, oder?", False),
        (("en", "fr"), "Isn't it lovely?", "C'est joli, hein ?", False),  # a question that expects yes
        (("en", "fr"), "Not only that: no doubt he can't wait!", "Il a h\xe2te !", False),
        (("en", "fr"), "Another note, November", "Une autre note", False),
        (("fr", "en"), "Ce produit ne vaut rien.", "This product is worth it.", True),
        (("fr", "en"), "Ce produit ne vaut rien.", "This product is useless.", False),
        (
            ("fr", "en"),
            "N'h\xe9sitez pas, sans doute, \xe0 deux pas de la mer",
            "Feel free, probably, by the sea",
            False,
        ),
        (("fr", "en"), "un caf\xe9 sans sucre", "a coffee with sugar", True),
        (("de", "en"), "Die Dosis nicht \xfcberschreiten.", "Exceed the dose.", True),
        (("de", "en"), "Die Dosis nicht \xfcberschreiten.", "Do not exceed the dose.", False),
        (("de", "en"), "Sch\xf6n, nicht wahr? Nicht nur das!", "Nice! That too!", False),
        (("de", "en"), "Eine Lienie, niedrig, meine", "A line, low, mine", False),
        (("en", "it"), "not", "", False),
        (("it", "en"), "non", "", False),
    ],
)
def test_lost_negations(languages: tuple[str, str], text: str, translation: str, is_lost: bool) -> None:
    assert (NEGATION in lost_facts(facts_in(text, *languages), translation, *languages)) is is_lost


@pytest.mark.parametrize("language", SURE)
def test_a_text_in_its_own_language_has_lost_nothing(language: str) -> None:
    samples = {
        "en": "He does not / never / cannot / nobody / no one / nothing / without / no time / don't",
        "fr": "Il ne dort pas / n'a rien / ne va jamais / n'a aucune / sans / pas de",
        "de": "nicht / nie / niemals / kein / keine / niemand / nichts / ohne",
    }
    for sample in samples[language].split(" / "):
        assert has_negation(sample, language), sample
        assert ANY[language].search(sample) is not None, sample
