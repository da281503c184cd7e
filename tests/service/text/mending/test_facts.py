"""Words that a translation must not lose."""

from __future__ import annotations

import pytest

from service.text.mending.facts import LANGUAGES, facts_in, facts_of, lost_facts

PAIRS = [(source, target) for source in LANGUAGES for target in LANGUAGES if source != target]


@pytest.mark.parametrize(
    ("languages", "text", "translation", "expected"),
    [
        (("en", "de"), "Is it cold in Chile in March?", "Ist es kalt im M\u00e4rz?", ["chile"]),
        (("en", "de"), "Is it cold in Chile?", "Ist es in Chile kalt?", []),
        (("fr", "en"), "la facture d'octobre", "the invoice", ["octobre"]),
        (("fr", "en"), "la facture d'octobre", "the October invoice", []),
        (("de", "en"), "mindestens zehn Tage, zehn!", "at least days", ["zehn"]),
        (("de", "en"), "mindestens zehn Tage", "at least 10 days", []),
        (("fr", "en"), "Mes deux parents", "Both of my parents", []),
        (("fr", "en"), "un nouveau v\u00e9lo neuf pour cent euros", "a bike", []),
        (("fr", "en"), "quatre-vingts ans", "eighty years", []),
        (("en", "fr"), "We may march in may", "Nous marchons", []),
        (("en", "it"), "ten", "", []),
        (("en", "en"), "ten", "", []),
    ],
)
def test_lost_facts(languages: tuple[str, str], text: str, translation: str, expected: list[str]) -> None:
    assert lost_facts(facts_in(text, *languages), translation, *languages) == expected


@pytest.mark.parametrize("pair", PAIRS)
def test_every_fact_is_kept_by_a_translation_that_has_it(pair: tuple[str, str]) -> None:
    for word, others in facts_of(*pair).items():
        found = facts_in(f"A {word}.", *pair)
        assert all(lost_facts(found, f"X {other}", *pair) == [] for other in others)
        assert lost_facts(found, "x", *pair) == [word]
