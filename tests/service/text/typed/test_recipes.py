"""Steps of German recipes."""

from __future__ import annotations

import time

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.recipes import with_orders, without_please


@pytest.mark.parametrize(
    "text",
    [
        "200 g Zucker in eine Sch\xfcssel geben.",
        "3 Eier trennen",
        "50 g Zucker mit 2 Eiern schlagen.",
        "1/2 TL Salz unterr\xfchren.",
        "3 gro\xdfe Kartoffeln sch\xe4len und kochen.",
        "150 g geriebenen K\xe4se dar\xfcberstreuen.",
        "25 bis 30 Minuten backen.",
        "20 Minuten im Ofen garen lassen",
    ],
)
def test_an_amount_and_an_infinitive_are_an_order(text: str) -> None:
    read = with_orders(normalise(text), "de")
    assert read.text == f"Bitte {text}"
    assert read.original_span(len("Bitte "), len(read.text)) == (0, len(text))
    assert with_orders(normalise(text), "en").text == text


@pytest.mark.parametrize(
    "text",
    [
        "100 g Butter reichen.",
        "2 Eier sind noch da, wir kochen.",
        "200 g Zucker",
        "20 Menschen tanzen.",
        "3 Kinder wollen spielen.",
        "2 Eier werden getrennt.",
        "100 g Butter m\xfcssen schmelzen.",
        "Zuerst 3 Eier trennen.",
        "3 Stunden vergingen.",
        "20 Minuten sp\xe4ter kamen alle.",
        "20 Minuten warten, dann gehen wir.",
    ],
)
def test_others_are_none(text: str) -> None:
    assert with_orders(normalise(text), "de").text == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Please separate 3 eggs.", "Separate 3 eggs."),
        ("Separate 3 eggs, please.", "Separate 3 eggs."),
        ("Separate 3 eggs.", "Separate 3 eggs."),
    ],
)
def test_the_translation_does_not_ask(text: str, written: str) -> None:
    assert without_please(text, [], "Bitte 3 Eier trennen.", "3 Eier trennen.", "en") == (written, [])
    assert without_please(text, [], "Bitte 3 Eier trennen.", "Bitte 3 Eier trennen.", "en") == (text, [])


def test_long_texts_take_no_time() -> None:
    started = time.perf_counter()
    for begins in ("2 Eier ", "2 g A", "2 ", "2 Minuten "):
        for sign in ("a", "en", "a ", "n en ", "A"):
            with_orders(normalise(begins + sign * 20_000), "de")
    assert time.perf_counter() - started < 2
