"""French elision in translations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.mending.elision import with_elided_names, with_elisions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pas de animaux", "Pas d'animaux"),
        ("Je aime la eau que il boit.", "J'aime l'eau qu'il boit."),
        ("La autre clé", "L'autre clé"),
        ("Puisque elle part", "Puisqu'elle part"),
        ("à côté de et sur, prends le au retour", "à côté de et sur, prends le au retour"),
        ("de onze à midi", "de onze à midi"),
        ("Elle dit que oui", "Elle dit que oui"),
        ("de un à dix", "de un à dix"),
        ("Prends-le avec toi", "Prends-le avec toi"),
        ("Puis-je entrer ?", "Puis-je entrer ?"),
        ("le A et le b", "le A et le b"),
        ("ne parle pas de travail", "ne parle pas de travail"),
    ],
)
def test_a_short_word_loses_its_vowel_before_another(text: str, found: str) -> None:
    assert with_elisions(text, [], "fr")[0] == found
    assert with_elisions(text, [], "de") == (text, [])


@given(st.text(alphabet="delaquonj 'é", max_size=30))
def test_it_changes_nothing_twice_and_spans_stay_in_the_text(text: str) -> None:
    spans = [(i, i + 1) for i in range(len(text))]
    once, moved = with_elisions(text, spans, "fr")
    assert with_elisions(once, moved, "fr") == (once, moved)
    assert all(0 <= start <= end <= len(once) for start, end in moved)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("près de Oxford, la mère de Elsa", "près d'Oxford, la mère d'Elsa"),
        ("Je crois que Emma part parce que Alex est là.", "Je crois qu'Emma part parce qu'Alex est là."),
        ("Elle vient de Édimbourg", "Elle vient d'Édimbourg"),
        ("de Ouagadougou, de Paris, de IBM, le A", "de Ouagadougou, de Paris, de IBM, le A"),
        ("la Casa de Alba", "la Casa de Alba"),
    ],
)
def test_a_short_word_loses_its_vowel_before_a_name(text: str, found: str) -> None:
    original = "Casa de Alba"
    assert with_elided_names(text, [], "fr", original) == (found, [])
    assert with_elided_names(text, [], "en", original) == (text, [])


def test_spans_of_names_follow() -> None:
    text, spans = with_elided_names("près de Oxford", [(0, 4), (5, 7), (8, 14)], "fr", "near Oxford")
    assert text == "près d'Oxford"
    assert [text[start:end] for start, end in spans] == ["près", "d", "Oxford"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Beau appartement bien situé", "Bel appartement bien situé"),
        ("un nouveau ordinateur, un vieux ami", "un nouvel ordinateur, un vieil ami"),
        ("C'est nouveau en France", "C'est nouveau en France"),
        ("beau et grand, un beau jardin", "beau et grand, un beau jardin"),
        ("Combien coûte-il ? A-on le temps ?", "Combien coûte-t-il ? A-t-on le temps ?"),
        ("A-t-il dit où est-il ? Peut-on ?", "A-t-il dit où est-il ? Peut-on ?"),
    ],
)
def test_adjectives_and_verbs_before_vowels(text: str, written: str) -> None:
    assert with_elisions(text, [], "fr")[0] == written
