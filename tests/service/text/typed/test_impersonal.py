"""French possessives that are the reader's."""

from __future__ import annotations

import time

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.impersonal import with_readers_own


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Comment bien choisir son v\xe9lo ?", "Comment bien choisir votre v\xe9lo ?"),
        ("Comment g\xe9rer ses \xe9motions ?", "Comment g\xe9rer vos \xe9motions ?"),
        ("Pourquoi ne pas vendre sa voiture ?", "Pourquoi ne pas vendre votre voiture ?"),
        ("Comment aider son enfant \xe0 aimer son \xe9cole ?", "Comment aider votre enfant \xe0 aimer son \xe9cole ?"),
        ("10 conseils pour mieux g\xe9rer son temps", "10 conseils pour mieux g\xe9rer votre temps"),
        ("Il faut bien choisir ses mots.", "Il faut bien choisir vos mots."),
        ("Il est possible de modifier sa commande.", "Il est possible de modifier votre commande."),
        ("Modifier son mot de passe", "Modifier votre mot de passe"),
        ("Apprendre \xe0 g\xe9rer son stress", "Apprendre \xe0 g\xe9rer votre stress"),
    ],
)
def test_an_infinitive_is_about_the_reader(text: str, read: str) -> None:
    found = with_readers_own(normalise(text), "fr")
    assert found.text == read
    assert len(found.starts) == len(found.ends) == len(read)


@pytest.mark.parametrize(
    "text",
    [
        "Comment a-t-il perdu son sac ?",
        "Comment Pierre a vendu sa voiture",
        "Pourquoi hier sa voiture n'a pas d\xe9marr\xe9 ?",
        "Perdre son p\xe8re l'a d\xe9truit",
        "Vendre sa maison a \xe9t\xe9 dur.",
        "Paul veut modifier son mot de passe",
        "Comment demander \xe0 Paul de vendre sa voiture ?",
        "Manger son",
        "Il faut que Paul vende sa voiture.",
    ],
)
def test_others_are_about_somebody(text: str) -> None:
    assert with_readers_own(normalise(text), "fr").text == text


def test_other_languages_stay_and_long_texts_take_no_time() -> None:
    assert with_readers_own(normalise("Comment choisir son v\xe9lo ?"), "de").text == "Comment choisir son v\xe9lo ?"
    started = time.perf_counter()
    for sign in ("bien ", "a", "er", " s", "Comment ", "ne pas "):
        with_readers_own(normalise("Comment " + sign * 20_000), "fr")
        with_readers_own(normalise("10 " + sign * 20_000), "fr")
    assert time.perf_counter() - started < 2
