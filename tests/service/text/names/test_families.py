"""Families whose names have an s."""

from __future__ import annotations

import time

import pytest

from service.text.names.families import families


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Wir wohnen bei den M\xfcllers.", ["M\xfcllers"]),
        ("Die Schulzes und die Kowalskis kommen.", ["Schulzes", "Kowalskis"]),
        ("Das Haus der Achterbergs, den Wiesenh\xfctters geh\xf6rt es", ["Achterbergs", "Wiesenh\xfctters"]),
    ],
)
def test_behind_an_article_they_are_names(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in families(text, "de")] == names


@pytest.mark.parametrize(
    "text",
    [
        "Ich kann den Kehrvers singen.",
        "Die Autos und die Hotels sind voll.",
        "Der Inhalt des Koffers, des Weinbergs",
        "Die Sneakers sind neu.",
        "M\xfcllers Hund, Frau M\xfcllers Hund",
        "die M\xfcllers-Methode, den Schulzes Garten",
    ],
)
def test_other_words_are_none(text: str) -> None:
    assert families(text, "de") == []


def test_other_languages_have_none_and_long_texts_take_no_time() -> None:
    assert families("den M\xfcllers", "en") == []
    started = time.perf_counter()
    for sign in ("die A", "die As", "as ", "Die Aers "):
        families(sign * 20_000, "de")
    assert time.perf_counter() - started < 1
